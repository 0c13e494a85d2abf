// Port maps of If, Loop and TensorIterator, which bind a body to its layer.
#ifndef DOVETAIL_EXTENSIONS_IR_READER_BODIES_H_
#define DOVETAIL_EXTENSIONS_IR_READER_BODIES_H_

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/extensions/ir/reader/layers.h"
#include "pugixml.hpp"

namespace dovetail::ir {

// A graph and which of its inputs and outputs the layers of the file became.
struct Graph {
  std::unique_ptr<Model> model;
  std::unordered_map<int64_t, int> parameters;  // by layer id
  std::unordered_map<int64_t, int> results;
};

// Reads <port_map> and <back_edges> (or <then_port_map>, <else_port_map>) of
// `layer` for the body `graph`. An external_port_id is looked for among the
// ids of the layer's ports; when it is none of them, inputs take it as index
// and outputs are numbered in its order, as OpenVINO does. Negative ids are
// not connected. Errors name the layer.
absl::StatusOr<std::unique_ptr<Body>> TieBody(const Layer& layer,
                                              pugi::xml_node port_map,
                                              pugi::xml_node back_edges,
                                              Graph graph);

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_READER_BODIES_H_
