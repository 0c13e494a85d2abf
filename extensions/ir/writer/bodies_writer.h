// Writes how bodies are bound to their layer.
#ifndef DOVETAIL_EXTENSIONS_IR_WRITER_BODIES_WRITER_H_
#define DOVETAIL_EXTENSIONS_IR_WRITER_BODIES_WRITER_H_

#include <unordered_map>

#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/node.h"
#include "pugixml.hpp"

namespace dovetail::ir {

// Ids of the layers that the nodes of a body became.
using LayerIds = std::unordered_map<const Node*, int>;

// Fills `port_map` and, unless it is null, `back_edges` for a body of a layer
// with that many inputs, whose port ids are 0 to n - 1; outputs follow.
void WritePortMap(const Body& body, const LayerIds& ids, int input_count,
                  pugi::xml_node port_map);
void WriteBackEdges(const Body& body, const LayerIds& ids,
                    pugi::xml_node back_edges);

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_WRITER_BODIES_WRITER_H_
