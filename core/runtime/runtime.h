// The user's door: from a file to results.
//
//   dovetail::Core core;
//   auto model = core.Compile("model.xml", "CPU");
//   if (!model.ok()) return Fail(model.status());
//   auto request = model->NewRequest();
//   …
//   request->SetInput(0, image);
//   request->Infer();
//   auto scores = request->Output(0);
#ifndef DOVETAIL_CORE_RUNTIME_RUNTIME_H_
#define DOVETAIL_CORE_RUNTIME_RUNTIME_H_

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/extension/extension_table.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/plugin/query_result.h"
#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/core/request/request.h"
#include "dovetail/core/tensor/memory/allocator.h"

namespace dovetail {

class Compilation;
struct ReadSettings;
struct CompiledOrigin;

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
  absl::Status SetCallback(CompletionCallback callback,
                           std::shared_ptr<Executor> executor = nullptr);
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
  // Changes a key of the compiled model; SUPPORTED_PROPERTIES has those that
  // can be (RW). kUnimplemented for one that is fixed.
  absl::Status SetProperty(absl::string_view name,
                           absl::string_view value) const;
  // Every key with its value and where that came from.
  const Config& config() const;
  // The graph that runs; null when the device has none.
  const Model* runtime_model() const;
  // A copy of it whose nodes say how they run (execution_info.h): kernels,
  // precisions, order. Null when the device has none.
  std::unique_ptr<Model> DescribeExecution() const;
  // Memory shared with the device that it was compiled for, or the context that
  // it was compiled with. kUnimplemented when the device shares none.
  absl::StatusOr<std::shared_ptr<RemoteContext>> Context() const;
  // Writes a file that Core::Import reads, in one pass: no more than a part of
  // it is in memory. kUnimplemented when the device cannot export.
  absl::Status Export(const std::string& path) const;
  absl::StatusOr<std::string> ExportToString() const;

  const std::shared_ptr<const Executable>& executable() const {
    return executable_;
  }

 private:
  friend class Compilation;
  CompiledModel(std::shared_ptr<const Executable> executable,
                std::shared_ptr<const CompiledOrigin> origin);
  std::vector<PropertySpec> Specs() const;
  absl::StatusOr<std::string> ValueInForce(const std::string& name) const;

  std::shared_ptr<const Executable> executable_;
  std::shared_ptr<const CompiledOrigin> origin_;
};

// Devices, models and their settings. Thread-safe. Cheap to make: plugins are
// made when they are first used and shared by the process. Copies share their
// settings.
class Core {
 public:
  // Plugins from the global registry, or from one of the caller's own, which
  // has to outlive the Core and all models that it compiles or imports.
  Core();
  explicit Core(PluginRegistry* registry);

  // Reads a model file by the reader that knows its format. Of properties it
  // takes ENABLE_MMAP, for this call: with NO, weights are read into memory
  // instead of mapped, so that their file may change or go.
  absl::StatusOr<std::unique_ptr<Model>> ReadModel(
      const std::string& path, const std::string& weights_path = "",
      const PropertyMap& properties = {}) const;
  // The same from memory: the text of the file, and its weights as a tensor of
  // bytes (u8), whose memory the model keeps if the tensor owns it.
  absl::StatusOr<std::unique_ptr<Model>> ReadModelFromMemory(
      absl::string_view text, const Tensor& weights = Tensor()) const;

  // Devices as "NAME" or "NAME.id".
  std::vector<std::string> AvailableDevices() const;
  // What an empty device means: the available one that its plugin gives the
  // highest priority. Asks no plugin that is not likely to be taken. kNotFound
  // when no device is to be taken by itself.
  absl::StatusOr<std::string> DefaultDevice() const;
  // Why a device or a shared plugin cannot be used, by name or path.
  std::map<std::string, absl::Status> UnavailableDevices() const;
  // A plugin library, a folder of them, or a name that is searched; see
  // PluginRegistry::Load.
  absl::Status LoadPlugin(const std::string& path);
  // Operations, and kernels in the place of known ones, of a library that
  // dovetail_op_library() of tools/build_rules/op_library.bzl has made: its
  // file, or what a program links. For the models that are read and compiled
  // from now on. The same library again is no error. kNotFound without such a
  // file or an operation to replace, kFailedPrecondition with both values for a
  // library of another build or compiler, kAlreadyExists where another has the
  // name.
  absl::Status AddExtension(const std::string& path);
  absl::Status AddExtension(const OpLibrary& library);
  std::vector<ExtensionInfo> Extensions() const;
  // What each plugin says of itself, by the name of its device, and one of
  // them. No plugin is made for that.
  std::map<std::string, PluginVersion> Versions() const;
  absl::StatusOr<PluginVersion> Version(absl::string_view device) const;

  // Compiles for "NAME", "NAME.id" or "NAME:OTHER,OTHER" (a device made of
  // others). An empty device is the available one that its plugin gives the
  // highest priority. The properties are those of this call; DEVICE_PROPERTIES
  // among them has some for each of several devices, "{CPU:{NUM_STREAMS:2}}",
  // which are nearer than the others. With CACHE_DIR set, and a device that
  // exports, one compiled before in the same way is read from there
  // (LOADED_FROM_CACHE; else CACHE_MISS_REASON); a cache entry that is damaged,
  // or a folder that cannot be written, is as none.
  absl::StatusOr<CompiledModel> Compile(
      const Model& model, absl::string_view device = "",
      const PropertyMap& properties = {}) const;
  // The same; the files are not even read when the cache has the model and
  // their names, sizes and times of change are what they were.
  absl::StatusOr<CompiledModel> Compile(
      const std::string& path, absl::string_view device = "",
      const PropertyMap& properties = {}) const;
  // For the device of the context, whose tensors the requests take as they are.
  absl::StatusOr<CompiledModel> Compile(
      const Model& model, std::shared_ptr<RemoteContext> context,
      const PropertyMap& properties = {}) const;
  // What CompiledModel::Export wrote, for the device that it was written for
  // (empty: that one). Properties that had been chosen then are in force again,
  // below those of this call. kFailedPrecondition for an export of another
  // device or build, kDataLoss for a damaged one.
  absl::StatusOr<CompiledModel> Import(
      const std::string& path, absl::string_view device = "",
      const PropertyMap& properties = {}) const;
  absl::StatusOr<CompiledModel> Import(
      const BlobReader& blob, absl::string_view device = "",
      const PropertyMap& properties = {}) const;
  absl::StatusOr<CompiledModel> ImportFromString(
      absl::string_view bytes, absl::string_view device = "",
      const PropertyMap& properties = {}) const;
  // What would run where, and the reason of every no.
  absl::StatusOr<QueryResult> Query(const Model& model,
                                    absl::string_view device = "",
                                    const PropertyMap& properties = {}) const;

  // Memory shared between the application and a device: a context of `params`,
  // which the device documents, or without them the device's own.
  absl::StatusOr<std::shared_ptr<RemoteContext>> CreateContext(
      absl::string_view device, const RemoteParams& params = {}) const;

  // Sets a key for every device that has it (empty device) or for one. For all
  // there are keys of core itself, too: LOG_LEVEL, ENABLE_MMAP, and
  // DEVICE_PROPERTIES, which sets keys of several devices. kNotFound when there
  // is no device that has it.
  absl::Status SetProperty(absl::string_view device, absl::string_view name,
                           absl::string_view value);
  // The value in force for a device, or a metric of it; for an empty device
  // that of a key of core, or what the device has that is taken by itself.
  absl::StatusOr<std::string> GetProperty(absl::string_view device,
                                          absl::string_view name) const;
  // Every key of a device with its value and where that came from.
  absl::StatusOr<Config> DeviceConfig(absl::string_view device) const;
  // Every key of a device; of one made of others, those of its parts too.
  absl::StatusOr<PropertySchema> Properties(absl::string_view device) const;
  // Models that are compiled or imported from now on run in the application's
  // own executor; null: in threads of the process again. Stages of asynchronous
  // inferences are its tasks, one a stream at a time; the parallel loops of all
  // inferences and of compiling go by its RunParts. Its concurrency() takes the
  // place of the number of processors. One thread will do, as long as none of
  // its tasks waits for an inference. The models and their requests keep it;
  // the last of them may end in one of its own tasks. Devices that do not
  // compute in the host's threads have no use for it; requests with
  // EXCLUSIVE_ASYNC_REQUESTS take turns in the thread that all models of the
  // device have in common.
  void SetExecutor(std::shared_ptr<Executor> executor);
  // Models that are compiled or imported from now on have the host's memory for
  // tensors from the application's own allocator; null: from the process again.
  // That is inputs and outputs that nobody has set, what lies between layers
  // (the plans' arenas, scratch too), packed weights, folded constants, states.
  // Weights that are used as they are stay in their mapped file; objects, code
  // and a device's own memory are not tensors. Tensors that the application
  // allocates itself have it in an AllocatorScope.
  void SetAllocator(std::shared_ptr<Allocator> allocator);

 private:
  friend class CompiledModel;
  friend class CoreHost;
  struct State;
  struct Target;
  absl::StatusOr<Target> Find(absl::string_view device) const;
  absl::StatusOr<Target> FindUsable(absl::string_view device) const;
  absl::Status CheckNotWithin(const Target& target) const;
  std::shared_ptr<Host> HostOf(const Target& target) const;
  // A key for all devices, by its own name and in its own words.
  absl::StatusOr<std::pair<std::string, std::string>> CheckGlobal(
      absl::string_view name, absl::string_view value) const;
  absl::Status SetDeviceProperties(absl::string_view text);
  absl::StatusOr<bool> MapsWeights(const PropertyMap& call) const;
  absl::Status SpreadDeviceProperties(const Target& target,
                                      PropertyMap& call) const;
  PropertyLayers LayersOf(const Target& target, const PropertyMap& call,
                          const PropertyMap& model) const;
  absl::StatusOr<PropertySchema> SchemaOf(const Target& target,
                                          const PropertyMap& call,
                                          const PropertyMap& model) const;
  absl::StatusOr<Config> Resolve(const Target& target, const PropertyMap& call,
                                 const PropertyMap& model) const;
  absl::StatusOr<std::string> OfPlugin(const Target& target,
                                       absl::string_view name) const;
  absl::StatusOr<std::string> Metric(const Target& target,
                                     absl::string_view name) const;
  // What a reader of models is told.
  absl::StatusOr<ReadSettings> SettingsForReading(
      const PropertyMap& call, const std::string& weights_path) const;
  Compilation CompilationFor(const Target& target,
                             const PropertyMap& properties) const;

  std::shared_ptr<State> state_;
  // Of a Host's: the devices whose parts it is asked for, outermost first.
  std::vector<std::string> within_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_RUNTIME_RUNTIME_H_
