// Comparison of a compiled model, such as an exported file, with the model that
// it is said to be of, layer by layer.
#ifndef DOVETAIL_TOOLS_COMPARING_COMPARE_EXPORT_H_
#define DOVETAIL_TOOLS_COMPARING_COMPARE_EXPORT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/comparing/compare_layers.h"

namespace dovetail::comparing {

// An output of the model's, and the one of the graph that a device runs which
// has the same values.
struct SameOutput {
  Value of_model, of_graph;
};

// What the names of the graph's nodes say: each stands for layers of the model,
// and its output is that of the last of them. Layers that a device has no
// output for, as it computes them together, are left out. In the order of the
// graph.
std::vector<SameOutput> SameOutputs(const Model& model, const Model& graph);

// Compares the outputs of `got` as it is. Where the device shows the graph that
// it runs, with the constants in it, that is compared with the model, too: with
// the outputs of all layers that both have as results, and cut apart at these,
// on `device`, got's, with its properties. `want` runs the model.
// kInvalidArgument when the two have other numbers of inputs or outputs.
absl::StatusOr<Comparison> CompareExport(const Core& core, const Model& model,
                                         absl::Span<const Tensor> inputs,
                                         const Side& want,
                                         const CompiledModel& got,
                                         const std::string& device,
                                         double tolerance);

}  // namespace dovetail::comparing

#endif  // DOVETAIL_TOOLS_COMPARING_COMPARE_EXPORT_H_
