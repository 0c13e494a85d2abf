#include "dovetail/testing/conformance/mutation/promises.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/testing/conformance/mutation/allocation_limit.h"
#include "dovetail/testing/conformance/mutation/limited_run.h"
#include "dovetail/transformations/simplify/constant_folding.h"

namespace dovetail {
namespace {

constexpr size_t kMaxBytesAtOnce = 64 << 20;

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

// Whether the model with constants folded gives what it gave without.
std::string CheckFolded(const Subject& subject, const LimitedOutputs& outputs) {
  const std::unique_ptr<Model> folded = subject.model->Clone();
  ConstantFoldingOptions options;
  options.max_output_bytes = kMaxLimitedOutputBytes;
  const absl::StatusOr<bool> status = ConstantFolding(options).Run(*folded);
  if (!status.ok()) {
    return absl::StrCat("folding: ", status.status().ToString());
  }
  const LimitedOutputs again = RunLimited(*folded, subject.inputs);
  if (!outputs.ok())
    return again.ok() ? "" : WrongError("folded", again.status());
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
    trial.broken = WrongError("inference", inferred);
    return trial;
  }
  trial.inferred = true;
  if (absl::Status valid = subject.model->Verify(); !valid.ok()) {
    trial.broken = absl::StrCat("structure: ", valid.ToString());
    return trial;
  }
  const LimitedOutputs outputs = RunLimited(*subject.model, subject.inputs);
  trial.ran = outputs.ok();
  trial.broken = outputs.ok() ? CheckOutputs(*subject.model, *outputs)
                              : WrongError("running", outputs.status());
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
