// Builds a model from the layers and edges of an IR.
#ifndef DOVETAIL_EXTENSIONS_IR_READER_GRAPH_READER_H_
#define DOVETAIL_EXTENSIONS_IR_READER_GRAPH_READER_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/extensions/ir/reader/bodies.h"
#include "dovetail/extensions/ir/reader/constants.h"
#include "dovetail/extensions/ir/reader/layers.h"
#include "dovetail/extensions/ir/reader/options.h"
#include "pugixml.hpp"

namespace dovetail::ir {

class GraphReader {
 public:
  // `ir_version` is 10 or 11. Options and weights have to outlive the reader.
  GraphReader(const ReadOptions& options, int ir_version, Weights* weights)
      : options_(options),
        ir_version_(ir_version),
        weights_(*weights),
        layer_budget_(options.limits.max_layers) {}

  // The graph whose <layers> and <edges> are below `element`. Errors name the
  // layer and the attribute; kUnimplemented only for an operation of an opset
  // that neither is built in nor comes from an extension.
  absl::StatusOr<Graph> Read(pugi::xml_node element);

 private:
  absl::StatusOr<Node*> AddNode(const Layer& layer,
                                absl::Span<Node* const> built, Model* model);
  absl::StatusOr<std::unique_ptr<Attributes>> ReadAttributes(const Layer& layer,
                                                             const OpInfo& op);
  absl::Status ReadBodies(const Layer& layer, Node* node);
  absl::StatusOr<std::unique_ptr<Body>> ReadBody(const Layer& layer,
                                                 const char* body,
                                                 const char* port_map);
  absl::Status InferOutputs(const Layer& layer, Node* node) const;
  absl::Status ReadNames(const Layer& layer, Node* node) const;

  const ReadOptions& options_;
  int ir_version_;
  Weights& weights_;
  int64_t layer_budget_;
  int body_depth_ = 0;
};

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_READER_GRAPH_READER_H_
