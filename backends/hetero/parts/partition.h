// The cut of a model into parts, each for one device.
#ifndef DOVETAIL_BACKENDS_HETERO_PARTS_PARTITION_H_
#define DOVETAIL_BACKENDS_HETERO_PARTS_PARTITION_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::hetero {

// The device of each node that computes something: of all but parameters,
// constants and results.
using Assignment = std::unordered_map<const Node*, std::string>;

struct Part {
  std::string device;
  // In topological order; a node that several have is computed in each.
  std::vector<const Node*> nodes;
};

// Parts in an order in which they can run: each reads what parameters,
// constants and parts before it give. Connected nodes of a device are in as few
// parts as an order of parts allows: nodes of one part never wait for another
// part that waits for them. A variable's ReadValue and Assign, which are of one
// device, are in one part; kInvalidArgument names the two, and the node between
// them, that keeps them apart.
absl::StatusOr<std::vector<Part>> PartitionModel(const Model& model,
                                                 const Assignment& devices);

}  // namespace dovetail::hetero

#endif  // DOVETAIL_BACKENDS_HETERO_PARTS_PARTITION_H_
