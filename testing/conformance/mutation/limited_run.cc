#include "dovetail/testing/conformance/mutation/limited_run.h"

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/reference/evaluate.h"

namespace dovetail {
namespace {

// So often loops may ask whether to go on.
constexpr int kMaxSteps = 2000;

absl::StatusOr<Tensor> AllocateLimited(const Node&, int, ElementType type,
                                       const Shape& shape) {
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, shape.ElementCount());
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t bytes, ByteSize(type, count));
  if (bytes > kMaxLimitedOutputBytes) {
    return ResourceExhausted("no memory for ", shape.ToString());
  }
  return Tensor::AllocateUninitialized(type, shape);
}

}  // namespace

LimitedOutputs RunLimited(const Model& model,
                          const std::vector<Tensor>& inputs) {
  VariableValues variables;
  int steps = 0;
  KernelEnvironment environment;
  environment.variables = &variables;
  environment.allocate = &AllocateLimited;
  environment.check_cancelled = [&steps] {
    return ++steps > kMaxSteps ? absl::CancelledError("too many steps")
                               : absl::OkStatus();
  };
  return EvaluateModel(model, inputs, environment);
}

std::string WrongError(absl::string_view step, const absl::Status& status) {
  if (status.message().empty()) {
    return absl::StrCat(step, ": an error without a message");
  }
  if (status.code() == absl::StatusCode::kInternal ||
      status.code() == absl::StatusCode::kUnknown) {
    return absl::StrCat(step, ": ", status.ToString());
  }
  return "";
}

bool IsDeterministic(const Model& model) {
  for (const auto& node : model.nodes()) {
    if (node->op().Has(kNondeterministic)) return false;
    for (const auto& body : node->bodies()) {
      if (!IsDeterministic(*body->model)) return false;
    }
  }
  return true;
}

}  // namespace dovetail
