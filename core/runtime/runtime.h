// The user's door: from a file to results.
//
//   dovetail::Core core;
//   auto model = core.Compile("model.xml", "CPU");
//   if (!model.ok()) return Fail(model.status());
//   auto request = model->NewRequest();
//   …
//   request->SetInput(0, picture);
//   request->Infer();
//   auto scores = request->Output(0);
#ifndef DOVETAIL_CORE_RUNTIME_RUNTIME_H_
#define DOVETAIL_CORE_RUNTIME_RUNTIME_H_

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/plugin/query.h"
#include "dovetail/core/plugin/registry.h"
#include "dovetail/core/request/request.h"

namespace dovetail {

struct Blob;

// One inference at a time of a compiled model. Inputs and outputs are named by
// tensor name, layer name or index. Movable; thread-safe as Request says. Keeps
// what it needs of the compiled model alive.
class InferRequest {
 public:
  absl::Status SetInput(absl::string_view name, const Tensor& tensor);
  absl::Status SetInput(int i, const Tensor& tensor);
  absl::Status SetOutput(absl::string_view name, const Tensor& tensor);
  absl::Status SetOutput(int i, const Tensor& tensor);
  absl::StatusOr<Tensor> Input(absl::string_view name) const;
  absl::StatusOr<Tensor> Input(int i) const;
  absl::StatusOr<Tensor> Output(absl::string_view name) const;
  absl::StatusOr<Tensor> Output(int i) const;

  // See core/request/request.h for what these promise.
  absl::Status Infer();
  absl::Status StartAsync();
  absl::Status Wait();
  absl::StatusOr<bool> WaitFor(std::chrono::milliseconds timeout);
  void Cancel();
  absl::Status SetCallback(CompletionCallback callback);
  absl::StatusOr<std::vector<ProfilingRecord>> Profiling() const;
  absl::StatusOr<std::vector<Variable>> Variables() const;
  absl::Status SetVariable(absl::string_view id, const Tensor& value);
  absl::Status ResetVariables();

 private:
  friend class CompiledModel;
  explicit InferRequest(std::unique_ptr<Request> request);
  absl::StatusOr<int> FindInput(absl::string_view name) const;
  absl::StatusOr<int> FindOutput(absl::string_view name) const;

  std::unique_ptr<Request> request_;
};

// A model ready to run on a device. A cheap handle: copies share the compiled
// model. Thread-safe.
class CompiledModel {
 public:
  absl::Span<const PortInfo> inputs() const;
  absl::Span<const PortInfo> outputs() const;
  absl::StatusOr<InferRequest> NewRequest() const;
  // The value in force of a key, or a metric. kNotFound names the nearest.
  absl::StatusOr<std::string> GetProperty(absl::string_view name) const;
  // Every key with its value and where that came from.
  const Config& config() const;
  // The graph that runs; null when the device has none.
  const Model* runtime_model() const;
  // Writes a file that Core::Import reads. kUnimplemented when the device
  // cannot export.
  absl::Status Export(const std::string& path) const;
  absl::StatusOr<std::string> ExportToString() const;

 private:
  friend class Core;
  // What the executable itself does not know.
  struct Origin {
    std::string device;  // as the user named it: "GPU.1"
    std::string plugin;  // "GPU"
    std::string architecture;
    std::string model_name;
    bool loaded_from_cache = false;
  };
  CompiledModel(std::shared_ptr<const Executable> executable, Origin origin);

  std::shared_ptr<const Executable> executable_;
  std::shared_ptr<const Origin> origin_;
};

// Devices, models and their settings. Thread-safe. Cheap to make: plugins are
// made when they are first used and shared by the process.
class Core {
 public:
  // Plugins from the global registry, or from one of the caller's own, which
  // has to outlive the Core.
  Core();
  explicit Core(PluginRegistry* registry);

  // Reads a model file by the reader that knows its format.
  absl::StatusOr<std::unique_ptr<Model>> ReadModel(
      const std::string& path, const std::string& weights_path = "") const;

  // Devices as "NAME" or "NAME.id".
  std::vector<std::string> AvailableDevices() const;
  // Why a device or a shared plugin cannot be used, by name or path.
  std::map<std::string, absl::Status> UnavailableDevices() const;
  // A plugin library, a folder of them, or a name that is searched; see
  // PluginRegistry::Load.
  absl::Status LoadPlugin(const std::string& path);
  // What each plugin says of itself, by the name of its device, and one of
  // them. No plugin is made for that.
  std::map<std::string, PluginVersion> Versions() const;
  absl::StatusOr<PluginVersion> Version(absl::string_view device) const;

  // Compiles for "NAME", "NAME.id" or "NAME:OTHER,OTHER" (a device made of
  // others). An empty device is CPU when there is one, else REFERENCE. The
  // properties are those of this call. With CACHE_DIR set, a model that was
  // compiled before in the same way is read from there (LOADED_FROM_CACHE); a
  // cache entry that is damaged, or a folder that cannot be written, is as
  // none.
  absl::StatusOr<CompiledModel> Compile(
      const Model& model, absl::string_view device = "",
      const PropertyMap& properties = {}) const;
  absl::StatusOr<CompiledModel> Compile(
      const std::string& path, absl::string_view device = "",
      const PropertyMap& properties = {}) const;
  // What CompiledModel::Export wrote, for the device that it was written for
  // (empty: that one). Properties that had been chosen then are in force again,
  // below those of this call. kFailedPrecondition for an export of another
  // device or build, kDataLoss for a damaged one.
  absl::StatusOr<CompiledModel> ImportFromString(
      absl::string_view bytes, absl::string_view device = "",
      const PropertyMap& properties = {}) const;
  absl::StatusOr<CompiledModel> Import(
      const std::string& path, absl::string_view device = "",
      const PropertyMap& properties = {}) const;
  // What would run where, and the reason of every no.
  absl::StatusOr<QueryResult> Query(const Model& model,
                                    absl::string_view device = "",
                                    const PropertyMap& properties = {}) const;

  // Sets a key for every device that has it (empty device) or for one.
  absl::Status SetProperty(absl::string_view device, absl::string_view name,
                           absl::string_view value);
  // The value in force for a device, or a metric of it.
  absl::StatusOr<std::string> GetProperty(absl::string_view device,
                                          absl::string_view name) const;
  // Every key of a device with its value and where that came from.
  absl::StatusOr<Config> DeviceConfig(absl::string_view device) const;
  absl::StatusOr<const PropertySchema*> Properties(
      absl::string_view device) const;

 private:
  struct State;
  struct Target;
  absl::StatusOr<Target> Find(absl::string_view device) const;
  absl::StatusOr<Config> Resolve(const Target& target, const PropertyMap& call,
                                 const PropertyMap& model) const;
  absl::StatusOr<CompiledModel> CompileNow(const Target& target,
                                           const Model& model,
                                           const Config& config) const;
  absl::StatusOr<CompiledModel> ImportPayload(const Target& target,
                                              const Blob& blob,
                                              const Config& config,
                                              bool from_cache) const;
  absl::StatusOr<CompiledModel> LoadFromCache(const Target& target,
                                              const std::string& path,
                                              const Config& config) const;
  absl::StatusOr<CompiledModel> Wrap(const Target& target,
                                     std::unique_ptr<Executable> executable,
                                     const std::string& model_name,
                                     bool loaded_from_cache) const;

  std::shared_ptr<State> state_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_RUNTIME_RUNTIME_H_
