#include "dovetail/backends/vpu/testing/small_networks.h"

#include <utility>

#include "gtest/gtest.h"

namespace dovetail::vpu {

Layer LayerOf(LayerKind kind, std::string name, const ConvShape& shape,
              std::vector<int> inputs) {
  Layer layer;
  layer.kind = kind;
  layer.name = layer.type = std::move(name);
  layer.shape = shape;
  layer.elements = shape.out_channels * shape.out_width * shape.out_height;
  layer.inputs = std::move(inputs);
  return layer;
}

ConvShape Square(int64_t in, int64_t out, int64_t extent, int64_t kernel) {
  return {in, out, extent, extent, extent, extent, kernel, kernel, 1};
}

Network BeginNetwork(int64_t channels, int64_t extent) {
  return {LayerOf(LayerKind::kInput, "input", Square(3, 3, extent), {}),
          LayerOf(LayerKind::kConvolution, "first", Square(3, channels, extent),
                  {0})};
}

std::vector<std::string> OrderOf(const StageGraph& graph) {
  std::vector<std::string> names;
  for (const int index : graph.order) names.push_back(graph.work[index].name);
  return names;
}

const Work& FindWork(const StageGraph& graph, absl::string_view name) {
  for (const Work& work : graph.work) {
    if (work.name == name) return work;
  }
  ADD_FAILURE() << "no work " << name;
  return graph.work.front();
}

}  // namespace dovetail::vpu
