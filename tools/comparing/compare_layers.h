// Comparison of a model on one device with itself on another, layer by layer.
#ifndef DOVETAIL_TOOLS_COMPARING_COMPARE_LAYERS_H_
#define DOVETAIL_TOOLS_COMPARING_COMPARE_LAYERS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/comparing/difference.h"

namespace dovetail::comparing {

// Where and how a model runs.
struct Side {
  std::string device;
  PropertyMap properties;
};

struct ComparedLayer {
  std::string name, type;
  int output = 0;
  Difference own;      // of the layer alone, with the first side's inputs
  Difference through;  // with all that came before it on its own side
  bool is_off = false;
};

struct Comparison {
  std::vector<ComparedLayer> layers;  // in topological order
  // Of the model as it is, whose layers the devices compute together.
  std::vector<std::string> output_names;
  std::vector<Difference> outputs;
  double tolerance = 0;
  // The first layer that is off by itself; -1: none is.
  int first_off = -1;
  // Whether an output of the model as it is, is off.
  bool outputs_off = false;
};

// Runs the model on both sides: as it is; with the outputs of all layers as
// results; and on `got` cut apart, each layer with what `want` has computed. A
// layer is off when the relative difference of its own is above `tolerance`;
// an output, when its difference is.
absl::StatusOr<Comparison> CompareLayers(const Core& core, const Model& model,
                                         absl::Span<const Tensor> inputs,
                                         const Side& want, const Side& got,
                                         double tolerance);

// ---- What comparisons are made of ----

// The results of `model` on both sides, as they are.
void AddOutputs(const Model& model, absl::Span<const Tensor> want,
                absl::Span<const Tensor> got, Comparison& comparison);
// One layer's output behind the others; see ComparedLayer.
void AddLayer(const Value& output, const Tensor& want, const Tensor& own,
              const Tensor& through, Comparison& comparison);

// Of one inference of the model on a device: these outputs of its layers.
absl::StatusOr<std::vector<Tensor>> InferLayers(
    const Core& core, const Model& model, absl::Span<const Value> outputs,
    const Side& side, absl::Span<const Tensor> inputs);
// The outputs of one inference of the model on a device.
absl::StatusOr<std::vector<Tensor>> InferOn(const Core& core,
                                            const Model& model,
                                            const Side& side,
                                            absl::Span<const Tensor> inputs);
// The same of a model that is compiled already.
absl::StatusOr<std::vector<Tensor>> InferOnce(const CompiledModel& compiled,
                                              absl::Span<const Tensor> inputs);

}  // namespace dovetail::comparing

#endif  // DOVETAIL_TOOLS_COMPARING_COMPARE_LAYERS_H_
