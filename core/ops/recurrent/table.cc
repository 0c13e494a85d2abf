#include "dovetail/core/ops/recurrent/table.h"

#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/recurrent/attributes.h"
#include "dovetail/core/ops/recurrent/recurrent.h"

namespace dovetail {
namespace {

// RNNCell is missing from opset2.
constexpr OpsetRange kRnnCell =
    OpsetRange::Between(1, 1) | OpsetRange::Since(3);

constexpr OpInfo kOps[] = {
    {"GRUCell", 3, "GRUCell", OpsetRange::Since(3), {4, 5}, {1, 1},
     &MakeAttributes<GruCellAttributes>, &InferRecurrent, kAnyNumeric},
    {"GRUSequence", 5, "GRUSequence", OpsetRange::Since(5), {6, 6}, {2, 2},
     &MakeAttributes<GruSequenceAttributes>, &InferRecurrent, kAnyNumeric},
    {"LSTMCell", 0, "LSTMCell", OpsetRange::Between(1, 3), {5, 7}, {2, 2},
     &MakeAttributes<LstmCell0Attributes>, &InferRecurrent, kAnyNumeric},
    {"LSTMCell", 4, "LSTMCell", OpsetRange::Since(4), {5, 6}, {2, 2},
     &MakeAttributes<LstmCellAttributes>, &InferRecurrent, kAnyNumeric},
    {"LSTMSequence", 0, "LSTMSequence", OpsetRange::Between(1, 3), {7, 8},
     {3, 3}, &MakeAttributes<LstmSequence0Attributes>, &InferRecurrent,
     kAnyNumeric},
    {"LSTMSequence", 5, "LSTMSequence", OpsetRange::Since(5), {7, 7}, {3, 3},
     &MakeAttributes<LstmSequenceAttributes>, &InferRecurrent, kAnyNumeric},
    {"RNNCell", 0, "RNNCell", kRnnCell, {4, 5}, {1, 1},
     &MakeAttributes<RnnCellAttributes>, &InferRecurrent, kAnyNumeric},
    {"RNNSequence", 5, "RNNSequence", OpsetRange::Since(5), {6, 6}, {2, 2},
     &MakeAttributes<RnnSequenceAttributes>, &InferRecurrent, kAnyNumeric},
};

}  // namespace

absl::Span<const OpInfo> RecurrentOps() { return kOps; }

}  // namespace dovetail
