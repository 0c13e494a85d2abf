// The backend contract: what a device brings so that models run on it. All that
// two backends would both write is not here but in core: request state
// machine, asynchronous stages, query, properties, profiling, import headers.
//
// A backend implements four classes, from the bottom up:
//
//   ExecutionContext   memory and progress of one inference at a time
//   Executable         a compiled model; makes execution contexts
//   Plugin             compiles models, says what it supports
//   registration.cc    one line: DOVETAIL_REGISTER_PLUGIN (registry.h)
//
// backends/null is the smallest; docs/adding_a_backend.md walks through it.
//
// Errors are absl::Status. No exception may leave these functions.
#ifndef DOVETAIL_CORE_PLUGIN_PLUGIN_H_
#define DOVETAIL_CORE_PLUGIN_PLUGIN_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/executor.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/properties/config.h"
#include "dovetail/core/properties/property.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// An input or output of a compiled model.
struct PortInfo {
  std::string name;                // what messages call it
  std::vector<std::string> names;  // the tensor's names
  ElementType type = ElementType::kDynamic;
  PartialShape shape;
};

// What a stage calls once when it is finished, from any thread.
using StageDone = std::function<void(absl::Status)>;

// One step of an inference, and where it runs. A stage that waits for a device
// calls `done` from the device's completion, so that no thread waits for it.
// `done` is called exactly once; `start` may call it itself. A synchronous
// inference starts all stages in the user's thread, whatever their executors:
// an executor is where to run, not a lock.
struct Stage {
  std::string name;    // "preprocess", "upload", "execute", …: for profiling
  Executor* executor;  // where `start` is called; null: where the last ended
  std::function<void(StageDone done)> start;
};
// A stage that is finished when `run` returns.
Stage SynchronousStage(absl::string_view name, Executor* executor,
                       std::function<absl::Status()> run);

// What one layer of the compiled model took in the last inference.
struct ProfilingRecord {
  enum class Status { kNotRun, kOptimizedOut, kExecuted };
  std::string name;       // friendly name of the layer
  std::string type;       // "Convolution"
  std::string kernel;     // what ran it, such as "reference_f32"
  Status status = Status::kNotRun;
  int64_t real_time_us = 0;  // wall clock
  int64_t cpu_time_us = 0;   // of the threads that ran it
};

// A variable of a stateful model as a request sees it.
struct Variable {
  std::string id;
  Tensor value;  // default Tensor: reset, the initial value applies
};

// The state of one inference at a time. Called by one thread at a time, which
// core sees to; only Cancel may come from any thread.
class ExecutionContext {
 public:
  virtual ~ExecutionContext() = default;

  // The tensor that input or output `i` uses. Core has checked type and shape
  // against the port. Zero copy: the backend reads (writes) the memory itself
  // unless the device cannot; a tensor with strides, such as a region of a
  // picture, is a case where it may copy. Setting a default Tensor gives an
  // input or output back to the backend's own memory. port_tensors.h does all
  // of this for a backend whose tensors are in host memory.
  virtual absl::Status SetInput(int i, const Tensor& tensor) = 0;
  virtual absl::Status SetOutput(int i, const Tensor& tensor) = 0;
  // The tensor in use; for an input of static shape that was not set, memory of
  // the backend's own. An output of dynamic shape has its tensor only after an
  // inference: kFailedPrecondition before.
  virtual absl::StatusOr<Tensor> Input(int i) = 0;
  virtual absl::StatusOr<Tensor> Output(int i) = 0;

  // The steps of an inference, always the same ones. Core runs them in order,
  // each after the one before it has succeeded.
  virtual absl::Span<const Stage> stages() = 0;
  // An inference begins: forgets any Cancel until now. Core calls it before the
  // first stage is scheduled, so that no Cancel of this inference can be lost.
  virtual void Begin() {}
  // Asks the running inference to end soon with kCancelled; from any thread. A
  // stage that has not been started by then will not be.
  virtual void Cancel() {}

  // One record a layer, in order of execution; filled when PERF_COUNT is YES.
  virtual std::vector<ProfilingRecord> profiling() const { return {}; }

  // The variables of a stateful model.
  virtual std::vector<Variable> variables() const { return {}; }
  // kNotFound for an unknown id; a default Tensor resets.
  virtual absl::Status SetVariable(absl::string_view id, const Tensor& value);
};

// A model compiled for a device. Immutable and thread-safe.
class Executable {
 public:
  virtual ~Executable() = default;

  // In the order of the model's parameters and results.
  virtual absl::Span<const PortInfo> inputs() const = 0;
  virtual absl::Span<const PortInfo> outputs() const = 0;
  // The context must not outlive the executable; core sees to it.
  virtual absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext()
      const = 0;

  // The configuration that it was compiled with.
  virtual const Config& config() const = 0;
  // A metric of the compiled model; core answers NETWORK_NAME,
  // EXECUTION_DEVICES and the keys of config() itself.
  virtual absl::StatusOr<std::string> GetMetric(absl::string_view name) const;
  // The graph that runs, after the plugin's passes; null when there is none.
  virtual const Model* runtime_model() const { return nullptr; }
  // All that Import needs to make it again. Core adds the header (device,
  // version, checksum).
  virtual absl::StatusOr<std::string> Export() const;
};

// One device a plugin drives.
struct Device {
  std::string id;         // "" for the only one, else "0", "1", …
  std::string full_name;  // "Reference interpreter"
};

// A kind of device. Thread-safe; lives as long as the process.
class Plugin {
 public:
  virtual ~Plugin() = default;

  // "CPU": upper case letters, digits and '_'.
  virtual absl::string_view name() const = 0;
  // Those that are there now; none is no error. kUnavailable says why they
  // cannot be used, such as a driver that lacks.
  virtual absl::StatusOr<std::vector<Device>> Devices() const = 0;
  // The keys it takes and the metrics it gives.
  virtual const PropertySchema& properties() const = 0;
  // The value of a read-only key. A device that computes answers
  // NATIVE_OPERATIONS with what it has kernels for, "Relu-0 Softmax-8"; here it
  // has none.
  virtual absl::StatusOr<std::string> GetMetric(absl::string_view name) const;

  // The plugin's own passes: makes of a model the one that Compile would run.
  // Keeps track of fused names.
  virtual absl::Status Lower(Model& model, const Config& config) const = 0;
  // Whether a node of a lowered model can run here. kUnimplemented says why
  // not; it ends up in the query's answer.
  virtual absl::Status Supports(const Node& node) const = 0;
  // Takes the model as the user gave it; calls Lower itself. Lists all layers
  // it cannot run in one kUnimplemented.
  virtual absl::StatusOr<std::unique_ptr<Executable>> Compile(
      std::unique_ptr<Model> model, const Config& config) const = 0;
  // Makes again what Export gave. kDataLoss for bytes that are damaged.
  virtual absl::StatusOr<std::unique_ptr<Executable>> Import(
      absl::string_view blob, const Config& config) const;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_PLUGIN_H_
