// Runs of models on the GPU's plugin, for tests of custom kernels.
#ifndef DOVETAIL_BACKENDS_GPU_CUSTOM_TESTING_RUN_MODEL_H_
#define DOVETAIL_BACKENDS_GPU_CUSTOM_TESTING_RUN_MODEL_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/driver/device_traits.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/properties/config.h"
#include "dovetail/core/properties/property.h"

namespace dovetail::gpu {

using Values = std::vector<double>;

// One for the process.
const Plugin& Gpu();

// What the device says of itself on which models run: there has to be one.
const DeviceTraits& GpuTraits();

// The plugin's configuration with these properties and none of the
// environment's, or what is wrong with one.
absl::StatusOr<Config> GpuConfig(const PropertyMap& properties);

// What a run gives: the outputs' elements, and the names of the kernels that
// computed them.
struct Outcome {
  std::vector<Values> outputs;
  std::set<std::string> kernels;
};

// Compiles a model of static shapes, and runs it once with elements for each of
// its parameters, of which there are as many as these have.
absl::StatusOr<Outcome> RunOnGpu(const Model& model, PropertyMap properties,
                                 const std::vector<Values>& inputs);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CUSTOM_TESTING_RUN_MODEL_H_
