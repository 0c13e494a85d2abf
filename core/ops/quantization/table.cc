#include "dovetail/core/ops/quantization/table.h"

#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/quantization/fake_convert.h"
#include "dovetail/core/ops/quantization/fake_quantize.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"FakeConvert", 13, "FakeConvert", OpsetRange::Since(13), {2, 3}, {1, 1},
     &MakeAttributes<FakeConvertAttributes>, &InferFakeConvert,
     kFloatTypes - ElementTypeSet{ElementType::kF64}},
    {"FakeQuantize", 0, "FakeQuantize", OpsetRange::Since(1), {5, 5}, {1, 1},
     &MakeAttributes<FakeQuantizeAttributes>, &InferFakeQuantize,
     kAnyNumericOrBoolean},
};

}  // namespace

absl::Span<const OpInfo> QuantizationOps() { return kOps; }

}  // namespace dovetail
