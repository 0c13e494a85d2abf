#include "dovetail/testing/conformance/mutation/device/device_attempt.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/backend/device_under_test.h"
#include "dovetail/testing/conformance/mutation/allocation_limit.h"
#include "dovetail/testing/conformance/mutation/device/agreement.h"
#include "dovetail/testing/conformance/mutation/device/ordinary_numbers.h"
#include "dovetail/testing/conformance/mutation/limited_run.h"

namespace dovetail {
namespace {

constexpr size_t kMaxBytesAtOnce = 256 << 20;
// So long an inference runs whose end nobody knows.
constexpr auto kPatience = std::chrono::milliseconds(20);

const Core& TheCore() {
  static const Core& core = *new Core;
  return core;
}

const std::string& Device() { return GetDeviceUnderTest().name; }

// As precise as the device can, and on one thread, where it lets one choose.
PropertyMap Properties() {
  PropertyMap properties;
  const auto schema = TheCore().Properties(Device());
  if (!schema.ok()) return properties;
  const auto set = [&](absl::string_view name, absl::string_view value) {
    if (schema->Find(name).ok()) {
      properties[std::string(name)] = std::string(value);
    }
  };
  set(properties::kInferenceNumThreads, "1");
  set(properties::kInferencePrecisionHint, "f32");
  return properties;
}

absl::StatusOr<CompiledModel> Compile(const Model& model) {
  static const PropertyMap& properties = *new PropertyMap(Properties());
  return TheCore().Compile(model, Device(), properties);
}

absl::Status Run(InferRequest& request, bool may_be_endless) {
  if (!may_be_endless) return request.Infer();
  DOVETAIL_RETURN_IF_ERROR(request.StartAsync());
  DOVETAIL_RETURN_IF_ERROR(request.WaitFor(kPatience).status());
  request.Cancel();
  return request.Wait();
}

LimitedOutputs Infer(const CompiledModel& model,
                     const std::vector<Tensor>& inputs, bool may_be_endless) {
  DOVETAIL_ASSIGN_OR_RETURN(InferRequest request, model.NewRequest());
  for (size_t i = 0; i < inputs.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(request.SetInput(static_cast<int>(i), inputs[i]));
  }
  DOVETAIL_RETURN_IF_ERROR(Run(request, may_be_endless));
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < model.outputs().size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(Tensor output,
                              request.Output(static_cast<int>(i)));
    // The request's own is gone with it.
    DOVETAIL_ASSIGN_OR_RETURN(output, output.Clone());
    outputs.push_back(std::move(output));
  }
  return outputs;
}

bool ComputesF16() { return GetDeviceUnderTest().exceptions.computes == "f16"; }

std::string Compare(const Subject& subject, const std::vector<Tensor>& got,
                    const std::vector<Tensor>& want) {
  const bool comparable = !GetDeviceUnderTest().exceptions.computes_nothing &&
                          IsDeterministic(*subject.model) &&
                          HasOrdinaryNumbers(subject, ComputesF16());
  return comparable ? Disagreement(subject, got, want, ComputesF16()) : "";
}

// Whether the device may refuse numbers that the reference kernels take: what
// f16 has no numbers for are infinities.
bool MayRefuse(const Subject& subject) {
  return ComputesF16() && !HasOrdinaryNumbers(subject, /*of_f16=*/true);
}

// `want` are the reference's outputs or its error.
std::string Check(const Subject& subject, const LimitedOutputs& want) {
  const auto compiled = Compile(*subject.model);
  if (!compiled.ok()) {
    const bool may_lack =
        compiled.status().code() == absl::StatusCode::kUnimplemented;
    if (!want.ok() || may_lack) {
      return WrongError("compiling", compiled.status());
    }
    return absl::StrCat("compiling: ", compiled.status().ToString());
  }
  const bool may_be_endless =
      want.status().code() == absl::StatusCode::kCancelled;
  const LimitedOutputs got = Infer(*compiled, subject.inputs, may_be_endless);
  if (!got.ok()) {
    return want.ok() && !MayRefuse(subject)
               ? absl::StrCat("running: ", got.status().ToString())
               : WrongError("running", got.status());
  }
  return want.ok() ? Compare(subject, *got, *want) : "";
}

Trial TryWithMemory(const Subject& subject) {
  Trial trial;
  const absl::Status inferred = subject.model->Infer();
  trial.inferred = inferred.ok();
  const LimitedOutputs want =
      inferred.ok() ? RunLimited(*subject.model, subject.inputs) : inferred;
  trial.ran = want.ok();
  trial.broken = Check(subject, want);
  return trial;
}

}  // namespace

Trial TryOnDevice(Subject subject) {
  const AllocationLimit limit(kMaxBytesAtOnce);
  Trial trial = TryWithMemory(subject);
  // Where a run has to fail for want of memory, it may have asked for some.
  if (trial.broken.empty() && trial.ran && AllocationLimit::refused() != 0) {
    trial.broken = absl::StrCat("something asked for ",
                                AllocationLimit::refused(), " bytes at once");
  }
  return trial;
}

}  // namespace dovetail
