#include "dovetail/testing/conformance/mutation/promises.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/testing/conformance/mutation/allocation_limit.h"
#include "dovetail/transformations/simplify/constant_folding.h"

namespace dovetail {
namespace {

// Inputs of subjects are some kilobytes.
constexpr int64_t kMaxOutputBytes = 256 << 10;
constexpr size_t kMaxBytesAtOnce = 64 << 20;
// So often loops may ask whether to go on.
constexpr int kMaxSteps = 2000;

using Outputs = absl::StatusOr<std::vector<Tensor>>;

// "" for errors as they should be.
std::string Broken(absl::string_view step, const absl::Status& status) {
  if (status.message().empty()) {
    return absl::StrCat(step, ": an error without a message");
  }
  if (status.code() == absl::StatusCode::kInternal ||
      status.code() == absl::StatusCode::kUnknown) {
    return absl::StrCat(step, ": ", status.ToString());
  }
  return "";
}

Outputs Evaluate(const Model& model, const std::vector<Tensor>& inputs) {
  VariableValues variables;
  int steps = 0;
  KernelEnvironment environment;
  environment.variables = &variables;
  environment.allocate = [](const Node&, int, ElementType type,
                            const Shape& shape) -> absl::StatusOr<Tensor> {
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, shape.ElementCount());
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t bytes, ByteSize(type, count));
    if (bytes > kMaxOutputBytes) {
      return ResourceExhausted("no memory for ", shape.ToString());
    }
    return Tensor::AllocateUninitialized(type, shape);
  };
  environment.check_cancelled = [&steps] {
    return ++steps > kMaxSteps ? absl::CancelledError("too many steps")
                               : absl::OkStatus();
  };
  return EvaluateModel(model, inputs, environment);
}

// Not of floats: they are inferred in double precision, but computed in their
// own, and no shape comes of them.
std::string CheckElements(const Tensor& tensor, const ValueRange& value) {
  if (IsFloat(tensor.type())) return "";
  if (tensor.element_count() != value.size()) {
    return absl::StrCat("has ", tensor.element_count(), " elements, ",
                        value.size(), " are known");
  }
  for (int64_t i = 0; i < value.size(); ++i) {
    const double element = tensor.ElementAsDouble(i);
    if (value[i].lower <= element && element <= value[i].upper) continue;
    return absl::StrCat("element ", i, " is ", element, ", inferred ",
                        value[i].lower, " to ", value[i].upper);
  }
  return "";
}

std::string CheckOutputs(const Model& model,
                         const std::vector<Tensor>& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const OutputPort& port = model.results()[i]->input(0).port();
    const Tensor& output = outputs[i];
    const std::string name = absl::StrCat("output ", i, ": ");
    const bool right_type = port.type == ElementType::kDynamic ||
                            port.type == output.type();
    if (!right_type || !port.shape.Contains(output.shape())) {
      return absl::StrCat(name, "is ", ElementTypeName(output.type()),
                          output.shape().ToString(), ", inferred ",
                          ElementTypeName(port.type), port.shape.ToString());
    }
    if (!port.value.has_value()) continue;
    const std::string wrong = CheckElements(output, *port.value);
    if (!wrong.empty()) return absl::StrCat(name, wrong);
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

// Whether the model with constants folded gives what it gave without.
std::string CheckFolded(const Subject& subject, const Outputs& outputs) {
  const std::unique_ptr<Model> folded = subject.model->Clone();
  ConstantFoldingOptions options;
  options.max_output_bytes = kMaxOutputBytes;
  const absl::StatusOr<bool> status = ConstantFolding(options).Run(*folded);
  if (!status.ok()) {
    return absl::StrCat("folding: ", status.status().ToString());
  }
  const Outputs again = Evaluate(*folded, subject.inputs);
  if (!outputs.ok()) return again.ok() ? "" : Broken("folded", again.status());
  if (!again.ok()) return absl::StrCat("folded: ", again.status().ToString());
  if (!IsDeterministic(*folded)) return "";
  for (size_t i = 0; i < outputs->size(); ++i) {
    if ((*again)[i].Equals((*outputs)[i])) continue;
    return absl::StrCat("folded: output ", i, " is ", (*again)[i].ToString(),
                        ", was ", (*outputs)[i].ToString());
  }
  return "";
}

Trial TryWithMemory(const Subject& subject) {
  Trial trial;
  const absl::Status inferred = subject.model->Infer();
  if (!inferred.ok()) {
    trial.broken = Broken("inference", inferred);
    return trial;
  }
  trial.inferred = true;
  if (absl::Status valid = subject.model->Verify(); !valid.ok()) {
    trial.broken = absl::StrCat("structure: ", valid.ToString());
    return trial;
  }
  const Outputs outputs = Evaluate(*subject.model, subject.inputs);
  trial.ran = outputs.ok();
  trial.broken = outputs.ok() ? CheckOutputs(*subject.model, *outputs)
                              : Broken("running", outputs.status());
  if (trial.broken.empty()) trial.broken = CheckFolded(subject, outputs);
  return trial;
}

}  // namespace

Trial Try(Subject subject) {
  const AllocationLimit limit(kMaxBytesAtOnce);
  Trial trial = TryWithMemory(subject);
  if (trial.broken.empty() && AllocationLimit::refused() != 0) {
    trial.broken = absl::StrCat("something asked for ",
                                AllocationLimit::refused(), " bytes at once");
  }
  return trial;
}

}  // namespace dovetail
