// Networks of few layers, and what passes make of them.
#ifndef DOVETAIL_BACKENDS_VPU_TESTING_SMALL_NETWORKS_H_
#define DOVETAIL_BACKENDS_VPU_TESTING_SMALL_NETWORKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/compiler/network.h"
#include "dovetail/backends/vpu/schedule/graph/stage_graph.h"

namespace dovetail::vpu {

Layer LayerOf(LayerKind kind, std::string name, const ConvShape& shape,
              std::vector<int> inputs);

// A window that keeps the extents.
ConvShape Square(int64_t in, int64_t out, int64_t extent, int64_t kernel = 1);

// The first convolution of a network, called "first", with its input.
Network BeginNetwork(int64_t channels, int64_t extent);

// Names of work as it runs, without what is injected.
std::vector<std::string> OrderOf(const StageGraph& graph);

// The work of that name; the test fails where there is none.
const Work& FindWork(const StageGraph& graph, absl::string_view name);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_TESTING_SMALL_NETWORKS_H_
