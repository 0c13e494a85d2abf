// Pictures of models in the language of Graphviz.
#ifndef DOVETAIL_CORE_GRAPH_DOT_H_
#define DOVETAIL_CORE_GRAPH_DOT_H_

#include <functional>
#include <string>
#include <vector>

#include "dovetail/core/graph/model.h"

namespace dovetail {

// Which nodes are drawn together, in a frame with a label.
struct DotParts {
  std::function<int(const Node&)> part_of;  // its number; -1: none
  std::vector<std::string> labels;          // by number
};

// A box a node, an arrow a tensor with its shape; one that goes from part to
// part is bold and says how many bytes that are. Constants are left out.
std::string ModelDot(const Model& model, const DotParts& parts = {});

// "1.20 MB", "120 bytes"; "bytes unknown" for a shape that is not static.
std::string BytesText(Value value);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_DOT_H_
