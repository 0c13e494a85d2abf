// The edges of a graph, and the order in which its layers can be built.
#ifndef DOVETAIL_EXTENSIONS_IR_READER_EDGES_H_
#define DOVETAIL_EXTENSIONS_IR_READER_EDGES_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/extensions/ir/reader/layers.h"
#include "pugixml.hpp"

namespace dovetail::ir {

// Sets the sources of all layers from the children of <edges>. An edge between
// two layers that are both not there is passed over. Errors: an edge between a
// layer and one that is not there, an edge from or to a port that is not there,
// two edges into one input, an input that is left open before one that is not.
absl::Status ConnectLayers(pugi::xml_node edges, LayerList* list);

// Positions of the layers that are to be built, each after those that it reads.
// As near to the order of the file as can be, Parameters among each other and
// Results among each other exactly in it, since it numbers inputs and outputs.
// Layers that no Result and no Assign needs are left out; Parameters are not.
// kInvalidArgument shows the layers of a cycle.
absl::StatusOr<std::vector<int>> BuildOrder(const std::vector<Layer>& layers);

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_READER_EDGES_H_
