#include "dovetail/tools/conformance/run_case.h"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/tools/conformance/cases/case_files.h"
#include "dovetail/tools/conformance/compare/compare.h"
#include "dovetail/tools/conformance/compare/detections.h"
#include "dovetail/tools/conformance/compare/precision.h"
#include "dovetail/tools/conformance/infer_all.h"

namespace dovetail::conformance {
namespace {

absl::Status SetInputs(const Case& test_case, int step,
                       const CompiledModel& model, InferRequest& request) {
  for (size_t i = 0; i < model.inputs().size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const std::optional<Tensor> tensor,
        ReadInput(test_case, i, step, model.inputs()[i].type));
    if (!tensor.has_value()) continue;
    DOVETAIL_RETURN_IF_ERROR(request.SetInput(static_cast<int>(i), *tensor));
  }
  return absl::OkStatus();
}

absl::Status CompareBoxes(const Tensor& got, const Tensor& want,
                          const Tensor* got_labels, const Tensor* want_labels,
                          bool is_wide) {
  DOVETAIL_ASSIGN_OR_RETURN(const auto got_rows,
                            ReadDetections(got, got_labels));
  DOVETAIL_ASSIGN_OR_RETURN(const auto want_rows,
                            ReadDetections(want, want_labels));
  return CompareDetections(got_rows, want_rows,
                           DetectionToleranceFor(is_wide));
}

absl::Status CompareOutputs(const Case& test_case, const Precision& precision,
                            const std::vector<Tensor>& got,
                            const std::vector<Tensor>& want) {
  // The labels of [N,5] detections are compared with their boxes.
  std::optional<size_t> labels_of_boxes;
  for (size_t i = 0; i < want.size(); ++i) {
    if (labels_of_boxes.has_value() && *labels_of_boxes == i) continue;
    const Tolerance tolerance =
        WithPrecision(test_case.tolerance(i), precision, want, i);
    absl::Status status;
    if (tolerance.kind == Tolerance::Kind::kBoxes) {
      const bool with_labels = want[i].rank() == 2 && i + 1 < want.size();
      if (with_labels) labels_of_boxes = i + 1;
      status = CompareBoxes(got[i], want[i],
                            with_labels ? &got[i + 1] : nullptr,
                            with_labels ? &want[i + 1] : nullptr,
                            test_case.quantized || precision.share > 0);
    } else {
      status = CompareOutput(got[i], want[i], tolerance);
    }
    if (!status.ok()) return Annotate(status, absl::StrCat("output ", i));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Tensor>> ReadOutputs(const Case& test_case, int step,
                                                const CompiledModel& model) {
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < model.outputs().size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(outputs.emplace_back(),
                              ReadExpected(test_case, i, step));
  }
  return outputs;
}

absl::StatusOr<std::vector<Tensor>> OutputsOf(const InferRequest& request,
                                              size_t count) {
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(outputs.emplace_back(),
                              request.Output(static_cast<int>(i)));
  }
  return outputs;
}

// One inference of each request; the first step has number 1.
absl::Status RunStep(const Case& test_case, int step,
                     const Precision& precision, const CompiledModel& model,
                     std::vector<InferRequest>& requests) {
  for (InferRequest& request : requests) {
    DOVETAIL_RETURN_IF_ERROR(SetInputs(test_case, step, model, request));
  }
  DOVETAIL_RETURN_IF_ERROR(InferAll(absl::MakeSpan(requests)));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> want,
                            ReadOutputs(test_case, step, model));
  for (size_t r = 0; r < requests.size(); ++r) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> got,
                              OutputsOf(requests[r], want.size()));
    const absl::Status status = CompareOutputs(test_case, precision, got, want);
    if (requests.size() == 1) return status;
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(status, absl::StrCat("request ", r, " of ", requests.size())));
  }
  return absl::OkStatus();
}

absl::Status RunSteps(const Case& test_case, const DeviceExceptions& exceptions,
                      const CompiledModel& model, int count) {
  std::vector<InferRequest> requests;
  for (int i = 0; i < count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(InferRequest request, model.NewRequest());
    requests.push_back(std::move(request));
  }
  DOVETAIL_RETURN_IF_ERROR(
      RunStep(test_case, 1, PrecisionOf(model, exceptions), model, requests));
  for (int step = 2; HasStep(test_case, step); ++step) {
    const absl::Status status = RunStep(
        test_case, step, PrecisionOf(model, exceptions), model, requests);
    if (!status.ok()) return Annotate(status, absl::StrCat("step ", step));
  }
  return absl::OkStatus();
}

std::string BoundsOf(const Case& test_case, const std::string& type) {
  if (!test_case.roundings) return type;
  return type == "f32" ? "roundings" : absl::StrCat("roundings and ", type);
}

}  // namespace

Outcome RunCase(const Case& test_case, const Core& core,
                const std::string& device, const PropertyMap& properties,
                const DeviceExceptions& exceptions, int requests) {
  const auto start = std::chrono::steady_clock::now();
  const absl::StatusOr<CompiledModel> model =
      core.Compile(test_case.model_path, device, properties);
  const absl::Status status =
      model.ok() ? RunSteps(test_case, exceptions, *model, requests)
                 : model.status();
  Outcome outcome;
  outcome.seconds = std::chrono::duration<double>(
                        std::chrono::steady_clock::now() - start)
                        .count();
  const std::string type =
      model.ok() ? PrecisionOf(*model, exceptions).type : "";
  if (model.ok()) outcome.bounds = BoundsOf(test_case, type);
  if (status.ok()) {
    outcome.kind = Outcome::Kind::kPassed;
    return outcome;
  }
  outcome.message = std::string(status.message());
  // A reader or device that lacks something says so before anything runs.
  if (!model.ok() && status.code() == absl::StatusCode::kUnimplemented) {
    outcome.kind = Outcome::Kind::kSkipped;
  }
  if (const auto* entry =
          FindEntry(exceptions.expected_failures, test_case.name, type)) {
    outcome.kind = Outcome::Kind::kSkipped;
    outcome.message = absl::StrCat(entry->reason, ": ", outcome.message);
  }
  return outcome;
}

}  // namespace dovetail::conformance
