#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/runtime/compilation.h"
#include "dovetail/core/runtime/core_state.h"

namespace dovetail {
namespace {

// A user who asked for a device made of others must see which of them it was.
absl::Status OfPart(const absl::Status& status, absl::string_view device) {
  const std::string prefix = absl::StrCat("device ", device);
  if (status.ok() || device.empty()) return status;
  if (absl::StartsWith(status.message(), prefix)) return status;
  return Annotate(status, prefix);
}

template <typename T>
absl::StatusOr<T> OfPart(absl::StatusOr<T> result, absl::string_view device) {
  if (result.ok()) return result;
  return OfPart(result.status(), device);
}

absl::StatusOr<std::shared_ptr<const Executable>> ExecutableOf(
    const absl::StatusOr<CompiledModel>& compiled, absl::string_view device) {
  if (!compiled.ok()) return OfPart(compiled.status(), device);
  return compiled->executable();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Executable>> CoreHost::Compile(
    const Model& model, absl::string_view device, const PropertyMap& properties,
    std::shared_ptr<RemoteContext> context) {
  const auto compile = [&]() -> absl::StatusOr<CompiledModel> {
    DOVETAIL_ASSIGN_OR_RETURN(const Core::Target target,
                              core_.FindUsable(device));
    Compilation compilation = core_.CompilationFor(target, properties);
    if (context != nullptr) compilation.set_context(std::move(context));
    return compilation.Compile(model);
  };
  return ExecutableOf(compile(), device);
}

absl::StatusOr<QueryResult> CoreHost::Query(const Model& model,
                                            absl::string_view device,
                                            const PropertyMap& properties) {
  return OfPart(core_.Query(model, device, properties), device);
}

absl::StatusOr<std::shared_ptr<const Executable>> CoreHost::Import(
    const BlobReader& blob, absl::string_view device,
    const PropertyMap& properties) {
  return ExecutableOf(core_.Import(blob, device, properties), device);
}

absl::Status CoreHost::Export(const Executable& compiled,
                              absl::string_view device, BlobWriter& blob) {
  const auto write = [&]() -> absl::Status {
    DOVETAIL_ASSIGN_OR_RETURN(const Core::Target target,
                              core_.FindUsable(device));
    return core_.CompilationFor(target, {}).Export(compiled, blob);
  };
  return OfPart(write(), device);
}

absl::StatusOr<std::string> CoreHost::CacheIdentity(
    absl::string_view device, const PropertyMap& properties) {
  const auto identify = [&]() -> absl::StatusOr<std::string> {
    DOVETAIL_ASSIGN_OR_RETURN(const Core::Target target,
                              core_.FindUsable(device));
    return core_.CompilationFor(target, properties).Identity();
  };
  return OfPart(identify(), device);
}

absl::StatusOr<Config> CoreHost::Configuration(absl::string_view device) {
  return OfPart(core_.DeviceConfig(device), device);
}

absl::StatusOr<PropertySchema> CoreHost::Properties(absl::string_view device) {
  // That there is none is said with its name already.
  DOVETAIL_RETURN_IF_ERROR(core_.Find(device).status());
  return OfPart(core_.Properties(device), device);
}

absl::StatusOr<std::string> CoreHost::GetProperty(absl::string_view device,
                                                  absl::string_view name) {
  return OfPart(core_.GetProperty(device, name), device);
}

absl::StatusOr<std::shared_ptr<RemoteContext>> CoreHost::CreateContext(
    absl::string_view device, const RemoteParams& params) {
  return OfPart(core_.CreateContext(device, params), device);
}

const OpInfo* CoreHost::FindExtensionOp(absl::string_view type, int version,
                                        absl::string_view opset) {
  return core_.state_->extensions->Find(type, version, opset);
}

std::vector<std::string> CoreHost::AvailableDevices() {
  return core_.AvailableDevices();
}

}  // namespace dovetail
