// Shapes computed where they are needed, so that they do not cross.
#ifndef DOVETAIL_BACKENDS_HETERO_PARTS_SHAPE_COPIES_H_
#define DOVETAIL_BACKENDS_HETERO_PARTS_SHAPE_COPIES_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/hetero/parts/partition.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::hetero {

// Whether a device would run a node.
using RunsOn = std::function<bool(const Node&, const std::string& device)>;

// The parts with copies of the shape nodes (shape_nodes.h) that they read from
// others, where the device runs these and the tensors whose shapes they begin
// with are in the part anyway: the device then knows as much of its shapes as
// if there were no cut. Nodes that only copies' readers needed are gone from
// their own part, as are those whose integers inference knows, which are
// constants where other parts read them (cut.h), and so are parts that had
// nothing else.
absl::StatusOr<std::vector<Part>> WithShapeCopies(const Model& model,
                                                  std::vector<Part> parts,
                                                  const RunsOn& runs);

}  // namespace dovetail::hetero

#endif  // DOVETAIL_BACKENDS_HETERO_PARTS_SHAPE_COPIES_H_
