// The functions by which recurrent cells turn sums into gates and states.
#ifndef DOVETAIL_CORE_OPS_RECURRENT_ACTIVATION_H_
#define DOVETAIL_CORE_OPS_RECURRENT_ACTIVATION_H_

#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/ops/recurrent/attributes.h"

namespace dovetail {

enum class CellFunction { kSigmoid, kTanh, kRelu, kHardSigmoid };

struct CellActivation {
  CellFunction function;
  double alpha, beta;  // of HardSigmoid: max(0, min(1, alpha * x + beta))
};

// The attributes' activations with their alpha and beta. kInvalidArgument for
// a name that is no function, or when there are not `count` names.
absl::StatusOr<std::vector<CellActivation>> CellActivations(
    const CellAttributes& attributes, int count);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_RECURRENT_ACTIVATION_H_
