// Tests of custom layers: a model of one operation that a kernel of
// testing/custom_kernels computes, mostly an operation that the core does not
// know.
#ifndef DOVETAIL_BACKENDS_GPU_CUSTOM_LAYERS_RUN_LAYER_H_
#define DOVETAIL_BACKENDS_GPU_CUSTOM_LAYERS_RUN_LAYER_H_

#include <string>
#include <vector>

#include "dovetail/backends/gpu/custom/testing/run_model.h"
#include "dovetail/backends/gpu/driver/device_traits.h"

namespace dovetail::gpu {

// Random numbers from `low` to `high`, in eighths.
Values RandomValues(int count, unsigned seed, double low = -2, double high = 2);

// What a device may lack.
struct Feature {
  const char* name;  // as messages have it
  bool DeviceTraits::*has;
};
extern const Feature kSubGroups, kUnevenGroups;

// Expects these outputs of a model in text form, whose layers the kernels of a
// file ("sam/gather.xml") compute, for elements of its parameters; or skips
// where there is no device. On a device that lacks what the layer `needs` it
// expects a refusal that names this.
void ExpectLayer(const std::string& model, const std::string& file,
                 const std::vector<Values>& inputs,
                 const std::vector<Values>& outputs,
                 const Feature* needs = nullptr);

// A model of an operation of that name, which the core does not know, with
// those inputs and outputs ("f32[2,3]") and attributes of layer_op.h
// ("size: 4").
std::string LayerModel(const std::string& layer,
                       const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs,
                       const std::string& attributes = "");

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CUSTOM_LAYERS_RUN_LAYER_H_
