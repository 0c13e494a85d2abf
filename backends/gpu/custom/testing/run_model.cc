#include "dovetail/backends/gpu/custom/testing/run_model.h"

#include <memory>
#include <utility>

#include "dovetail/backends/gpu/driver/device_list.h"
#include "dovetail/backends/gpu/gpu_plugin.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/core/request/request.h"

namespace dovetail::gpu {
namespace {

absl::StatusOr<Tensor> TensorFor(const Node& parameter, const Values& values) {
  DOVETAIL_ASSIGN_OR_RETURN(const Shape shape,
                            parameter.port().shape.ToShape());
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor,
                            Tensor::Allocate(parameter.port().type, shape));
  if (tensor.element_count() != static_cast<int64_t>(values.size())) {
    return InvalidArgument(parameter.Describe(), " has ",
                           tensor.element_count(), " elements, the test ",
                           values.size());
  }
  for (size_t i = 0; i < values.size(); ++i) {
    tensor.SetElement(static_cast<int64_t>(i), values[i]);
  }
  return tensor;
}

Values ValuesOf(const Tensor& tensor) {
  Values values;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    values.push_back(tensor.ElementAsDouble(i));
  }
  return values;
}

absl::StatusOr<Outcome> OutcomeOf(const Model& model, Request& request) {
  Outcome outcome;
  for (size_t i = 0; i < model.results().size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor,
                              request.Output(static_cast<int>(i)));
    outcome.outputs.push_back(ValuesOf(tensor));
  }
  DOVETAIL_ASSIGN_OR_RETURN(const auto records, request.Profiling());
  for (const ProfilingRecord& record : records) {
    outcome.kernels.insert(record.kernel);
  }
  return outcome;
}

}  // namespace

const Plugin& Gpu() {
  static const Plugin* const plugin = MakeGpuPlugin().value().release();
  return *plugin;
}

const DeviceTraits& GpuTraits() {
  static const auto& devices = *new auto(ListClDevices().value());
  return devices.front()->traits();
}

absl::StatusOr<Config> GpuConfig(const PropertyMap& properties) {
  PropertyLayers layers;
  layers.call = properties;
  layers.read_environment = false;
  return Config::Resolve(Gpu().properties(), layers);
}

absl::StatusOr<Outcome> RunOnGpu(const Model& model, PropertyMap properties,
                                 const std::vector<Values>& inputs) {
  properties["PERF_COUNT"] = "YES";
  DOVETAIL_ASSIGN_OR_RETURN(const Config config, GpuConfig(properties));
  const StandaloneCall call(config);
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Executable> executable,
                            Gpu().Compile(model.Clone(), call));
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Request> request,
                            Request::Create(std::move(executable)));
  for (size_t i = 0; i < inputs.size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor,
                              TensorFor(*model.parameters()[i], inputs[i]));
    DOVETAIL_RETURN_IF_ERROR(request->SetInput(static_cast<int>(i), tensor));
  }
  DOVETAIL_RETURN_IF_ERROR(request->Infer());
  return OutcomeOf(model, *request);
}

}  // namespace dovetail::gpu
