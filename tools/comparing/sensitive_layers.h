// Layers that have to stay in f32 for a model's outputs to be right where a
// device computes the others in fewer bits.
#ifndef DOVETAIL_TOOLS_COMPARING_SENSITIVE_LAYERS_H_
#define DOVETAIL_TOOLS_COMPARING_SENSITIVE_LAYERS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/comparing/compare_layers.h"

namespace dovetail::comparing {

// Of `count` things a set that `holds`, of which no single one, and no half, or
// quarter … of those in a row, can be left out. Asks some count * log(count)
// times at most; all of them have to hold.
absl::StatusOr<std::vector<int>> LeastThatHolds(
    int count,
    const std::function<absl::StatusOr<bool>(const std::vector<int>& kept)>&
        holds);

struct Sensitivity {
  std::vector<std::string> layers;  // that have to stay in f32
  // The largest relative difference of an output from that in f32 (Difference):
  // of the model as it is, with those layers in f32, and with all of them.
  double without = 0, with = 0, with_all = 0;
  int candidates = 0;  // convolutions and matrix products of the model
  // Whether it is within the bound at all.
  bool is_possible = true;
};

// Runs the model on `got` with these inputs and compares its outputs with
// `expected`, which are those in f32: marks layers
// (transformations/common/precise.h) until no output is off by more than
// `bound`. Layers in bodies are not looked at.
absl::StatusOr<Sensitivity> FindSensitiveLayers(
    const Core& core, const Model& model, absl::Span<const Tensor> inputs,
    absl::Span<const Tensor> expected, const Side& got, double bound);

// Marks the layers of these names.
void MarkLayers(Model& model, const std::vector<std::string>& names);

}  // namespace dovetail::comparing

#endif  // DOVETAIL_TOOLS_COMPARING_SENSITIVE_LAYERS_H_
