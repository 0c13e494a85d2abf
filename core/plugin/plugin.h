// The backend contract: what a device brings so that models run on it. All that
// two backends would both write is not here but in core: verifying, lowering
// and checking a model, request states, asynchronous stages, tensors of host
// memory, query, properties, profiles of stages, import headers, the cache.
//
// A backend derives three classes, from the bottom up, and registers them:
//
//   ExecutionContext   memory and progress of one inference at a time
//   Executable         a compiled model; makes execution contexts
//   Plugin             compiles models, says what it supports
//   registration.cc    one line: DOVETAIL_REGISTER_PLUGIN (registry.h)
//
// Six functions have to be given; the others have defaults. backends/null is
// the smallest backend; docs/adding_a_backend.md walks through it. Errors are
// absl::Status; no exception may leave these functions.
#ifndef DOVETAIL_CORE_PLUGIN_PLUGIN_H_
#define DOVETAIL_CORE_PLUGIN_PLUGIN_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/plugin/execution_info.h"
#include "dovetail/core/plugin/host.h"
#include "dovetail/core/plugin/lowered/lowered_model.h"
#include "dovetail/core/plugin/ports/port_info.h"
#include "dovetail/core/plugin/ports/port_tensors.h"
#include "dovetail/core/plugin/profiling.h"
#include "dovetail/core/plugin/stage.h"
#include "dovetail/core/properties/config.h"
#include "dovetail/core/properties/property.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

class BlobWriter;
class Executable;

// A variable of a stateful model as a request sees it.
struct Variable {
  std::string id;
  Tensor value;  // default Tensor: reset, the initial value applies
};

// The state of one inference at a time. Called by one thread at a time, which
// core sees to; only Cancel may come from any thread.
class ExecutionContext {
 public:
  // `executable` outlives the context.
  explicit ExecutionContext(const Executable& executable);
  virtual ~ExecutionContext() = default;

  // The steps of an inference, always the same ones. Core runs them in order,
  // each after the one before it has succeeded.
  virtual absl::Span<const Stage> stages() = 0;

  // The tensor that input or output `i` uses. Core has checked index, type and
  // shape, and for memory of a device Takes(). Zero copy: the backend reads
  // (writes) the memory itself unless the device cannot; a tensor with strides,
  // such as a region of an image, is a case where it may copy. A default
  // Tensor gives an input or output back to memory of the context's own. The
  // default is host memory: input_tensors() and output_tensors() have it.
  virtual absl::Status SetInput(int i, const Tensor& tensor);
  virtual absl::Status SetOutput(int i, const Tensor& tensor);
  // The tensor in use; for an input of static shape that was not set, memory of
  // the context's own. An output of dynamic shape has its tensor only after an
  // inference: kFailedPrecondition before.
  virtual absl::StatusOr<Tensor> Input(int i);
  virtual absl::StatusOr<Tensor> Output(int i);
  // Whether SetInput and SetOutput take tensors in this memory as they are.
  // Core refuses them by the device's name where not.
  virtual bool Takes(const DeviceMemory&) const { return false; }

  // An inference begins: forgets any Cancel until now. Core calls it before the
  // first stage is scheduled, so that no Cancel of this inference can be lost.
  // `synchronous`: all stages will run in one thread, the user's.
  virtual void Begin(bool synchronous) { (void)synchronous; }
  // It has ended, with the status that the user gets. Only now what it has
  // changed beside the outputs may be seen: variables, if the status is OK.
  virtual void End(const absl::Status& status) { (void)status; }
  // Asks the running inference to end soon with kCancelled; from any thread. A
  // stage that has not been started by then will not be.
  virtual void Cancel() {}

  // One record a layer, in order of execution; filled when PERF_COUNT is YES.
  // Core adds those of stages.
  virtual std::vector<ProfilingRecord> profiling() const { return {}; }

  // The variables of a stateful model.
  virtual std::vector<Variable> variables() const { return {}; }
  // kNotFound for an unknown id; a default Tensor resets.
  virtual absl::Status SetVariable(absl::string_view id, const Tensor& value);

 protected:
  PortTensors& input_tensors() { return inputs_; }
  PortTensors& output_tensors() { return outputs_; }

 private:
  PortTensors inputs_, outputs_;
};

// What every compiled model has.
struct ExecutableInfo {
  std::vector<PortInfo> inputs, outputs;  // as the user's model has them
  Config config;                          // that it was compiled with
};

// A model compiled for a device. Immutable but for SetProperty; thread-safe.
class Executable {
 public:
  explicit Executable(ExecutableInfo info) : info_(std::move(info)) {}
  virtual ~Executable() = default;

  absl::Span<const PortInfo> inputs() const { return info_.inputs; }
  absl::Span<const PortInfo> outputs() const { return info_.outputs; }
  const Config& config() const { return info_.config; }

  // The context must not outlive the executable; core sees to it.
  virtual absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext()
      const = 0;

  // The value in force of a key where it differs from config(), or a metric of
  // the compiled model. Core answers SUPPORTED_PROPERTIES, NETWORK_NAME,
  // EXECUTION_DEVICES and the other keys of config() itself.
  virtual absl::StatusOr<std::string> GetMetric(absl::string_view name) const;
  // The metrics beside those, and the keys that SetProperty takes.
  virtual std::vector<PropertySpec> own_properties() const { return {}; }
  // Changes a key while requests may run. kUnimplemented: it is fixed.
  virtual absl::Status SetProperty(absl::string_view name,
                                   absl::string_view value) const;
  // The graph that runs, after the plugin's passes; null when there is none.
  virtual const Model* runtime_model() const { return nullptr; }
  // How a node of runtime_model() runs, for the copy that users see; the
  // default knows nothing.
  virtual ExecutionInfo execution_info(const Node&) const { return {}; }
  // All that Import needs, as sections. Core adds device, build, properties.
  virtual absl::Status Export(BlobWriter& blob) const;

 private:
  const ExecutableInfo info_;
};

// One device a plugin drives.
struct Device {
  std::string id;         // "" for the only one, else "0", "1", …
  std::string full_name;  // "Reference interpreter"
};

// How a node of a lowered model runs: "native" by a kernel of the device's own,
// "reference" by the plain kernels of core, "host" beside the device.
struct Support {
  std::string how = "native";
};

// A kind of device. Thread-safe; lives as long as the process.
class Plugin {
 public:
  // `name`: "CPU", upper case letters, digits and '_'. `properties`: the keys
  // it takes and the metrics it gives.
  Plugin(absl::string_view name, PropertySchema properties)
      : name_(name), properties_(std::move(properties)) {}
  virtual ~Plugin() = default;

  absl::string_view name() const { return name_; }
  const PropertySchema& properties() const { return properties_; }
  // Of a device made of others, with a list of them in its configuration: its
  // own keys, and those that they take. Here: properties().
  virtual absl::StatusOr<PropertySchema> PropertiesWithParts(
      const PluginCall&) const {
    return properties_;
  }

  // Those that are there now; none is no error. kUnavailable says why they
  // cannot be used, such as a driver that lacks.
  virtual absl::StatusOr<std::vector<Device>> Devices() const = 0;
  // The plugin's own passes: makes of a model the one that Compile would run.
  // Keeps track of fused names.
  virtual absl::Status Lower(Model& model, const PluginCall& call) const = 0;
  // Whether and how a node of a lowered model can run here. kUnimplemented says
  // why not; it ends up in the query's answer.
  virtual absl::StatusOr<Support> Supports(const Node& node,
                                           const PluginCall& call) const = 0;
  // A model that is verified and lowered, and all of whose nodes are supported;
  // in an import, with call.blob, one that Lower has seen before.
  virtual absl::StatusOr<std::unique_ptr<Executable>> CompileLowered(
      LoweredModel lowered, const PluginCall& call) const = 0;

  // The value of a read-only key. A device that computes answers
  // NATIVE_OPERATIONS with what it has kernels for, "Relu-0 Softmax-8", and
  // REFERENCE_OPERATIONS with what core's run, of which DECOMPOSED_OPERATIONS
  // are those that its passes say by others; here it has none.
  virtual absl::StatusOr<std::string> GetMetric(absl::string_view name,
                                                const PluginCall& call) const;
  // What decides about a compiled model beside the properties, in any form:
  // contents of kernel files, a driver's version. Part of the cache's keys.
  virtual std::string CacheIdentity(const PluginCall&) const { return ""; }
  // Memory shared with the application: a context of `params`, which a device
  // documents; empty ones give the device's own context.
  virtual absl::StatusOr<std::shared_ptr<RemoteContext>> CreateContext(
      const RemoteParams& params, const PluginCall& call) const;

  // Core's skeletons. A device made of others, which lowers nothing itself,
  // answers by itself instead.
  virtual absl::StatusOr<std::unique_ptr<Executable>> Compile(
      std::unique_ptr<Model> model, const PluginCall& call) const;
  virtual absl::StatusOr<QueryResult> Query(const Model& model,
                                            const PluginCall& call) const;
  // Makes again what Export gave; call.blob has it. kDataLoss for bytes that
  // are damaged.
  virtual absl::StatusOr<std::unique_ptr<Executable>> Import(
      const PluginCall& call) const;

 private:
  const std::string name_;
  const PropertySchema properties_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_PLUGIN_H_
