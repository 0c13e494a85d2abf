#include "dovetail/core/plugin/plugin.h"

#include <utility>

#include "dovetail/core/base/scoped_trace.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/plugin/decompose_extensions.h"
#include "dovetail/core/plugin/lowered/lowered_bytes.h"
#include "dovetail/core/plugin/query.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {

// ---- ExecutionContext ----

ExecutionContext::ExecutionContext(const Executable& executable)
    : inputs_("input", executable.inputs()),
      outputs_("output", executable.outputs()) {}

absl::Status ExecutionContext::SetInput(int i, const Tensor& tensor) {
  return inputs_.Set(i, tensor);
}
absl::Status ExecutionContext::SetOutput(int i, const Tensor& tensor) {
  return outputs_.Set(i, tensor);
}
absl::StatusOr<Tensor> ExecutionContext::Input(int i) { return inputs_.Get(i); }
absl::StatusOr<Tensor> ExecutionContext::Output(int i) {
  return outputs_.Get(i);
}

absl::Status ExecutionContext::SetVariable(absl::string_view id,
                                           const Tensor&) {
  return NotFound("there is no variable '", id,
                  "': the device keeps no variables");
}

// ---- Executable ----

absl::StatusOr<std::string> Executable::GetMetric(
    absl::string_view name) const {
  return NotFound("the compiled model has no metric '", name, "'");
}

absl::Status Executable::SetProperty(absl::string_view name,
                                     absl::string_view) const {
  return Unimplemented("property '", name,
                       "' of a compiled model is fixed: the device takes it "
                       "when it compiles");
}

absl::Status Executable::Export(BlobWriter&) const {
  return Unimplemented("the device cannot export compiled models");
}

// ---- Plugin ----

absl::StatusOr<std::string> Plugin::GetMetric(absl::string_view name,
                                              const PluginCall&) const {
  if (name == properties::kNativeOperations ||
      name == properties::kReferenceOperations ||
      name == properties::kDecomposedOperations) {
    return std::string();
  }
  return NotFound("device ", this->name(), " has no metric '", name, "'");
}

absl::StatusOr<std::shared_ptr<RemoteContext>> Plugin::CreateContext(
    const RemoteParams&, const PluginCall&) const {
  return Unimplemented("device ", name(), " shares no memory of its own");
}

absl::StatusOr<std::unique_ptr<Executable>> Plugin::Compile(
    std::unique_ptr<Model> model, const PluginCall& call) const {
  if (model == nullptr) return InvalidArgument("there is no model");
  // Whoever made the model may have made mistakes, and passes rely on it.
  const ScopedTrace trace("plugin", name());
  DOVETAIL_RETURN_IF_ERROR(model->Verify());
  const auto lower = [&](Model& inner) -> absl::Status {
    DOVETAIL_RETURN_IF_ERROR(DecomposeExtensions(*this, inner, call));
    return Lower(inner, call);
  };
  DOVETAIL_ASSIGN_OR_RETURN(LoweredModel lowered,
                            LowerModel(std::move(model), lower));
  DOVETAIL_RETURN_IF_ERROR(CheckSupported(*this, *lowered.model, call));
  return CompileLowered(std::move(lowered), call);
}

absl::StatusOr<QueryResult> Plugin::Query(const Model& model,
                                          const PluginCall& call) const {
  return QueryModel(*this, model, call);
}

absl::StatusOr<std::unique_ptr<Executable>> Plugin::Import(
    const PluginCall& call) const {
  if (call.blob == nullptr)
    return InvalidArgument("there is nothing to import");
  DOVETAIL_ASSIGN_OR_RETURN(LoweredModel lowered,
                            ReadLowered(*call.blob, ExtensionOpsOf(call.host)));
  DOVETAIL_RETURN_IF_ERROR(CheckSupported(*this, *lowered.model, call));
  return CompileLowered(std::move(lowered), call);
}

}  // namespace dovetail
