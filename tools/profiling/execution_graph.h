// The graph that a device runs, and its tensors' live ranges, as data of a
// page.
#ifndef DOVETAIL_TOOLS_PROFILING_EXECUTION_GRAPH_H_
#define DOVETAIL_TOOLS_PROFILING_EXECUTION_GRAPH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/core/graph/model.h"

namespace dovetail::profiling {

// A node of a model that DescribeExecution gave; constants are left out.
struct ExecutedNode {
  const Node* node = nullptr;
  std::string kernel, precision, layouts;
  std::string into;         // the node that computes it as well
  std::vector<int> inputs;  // indices of nodes
};

// In the order in which they run.
std::vector<ExecutedNode> ExecutedNodes(const Model& described);

// A tensor between steps of a device, by the graph: nothing is said of where it
// lies, nor of memory that kernels need besides.
struct LiveTensor {
  std::string name, type;  // of the node that writes it
  int64_t bytes = 0;
  int first = 0, last = 0;  // steps, both included; inputs live from step 0
};

// Nodes that are computed together are one step, with the tensors that others
// read; views have no memory of their own and prolong what they show. Tensors
// of shapes that are not known count as none.
std::vector<LiveTensor> LiveTensors(const std::vector<ExecutedNode>& nodes);

}  // namespace dovetail::profiling

#endif  // DOVETAIL_TOOLS_PROFILING_EXECUTION_GRAPH_H_
