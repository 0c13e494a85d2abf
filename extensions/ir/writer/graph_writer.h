// Writes the layers and edges of a model.
#ifndef DOVETAIL_EXTENSIONS_IR_WRITER_GRAPH_WRITER_H_
#define DOVETAIL_EXTENSIONS_IR_WRITER_GRAPH_WRITER_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/extensions/ir/writer/bodies_writer.h"
#include "dovetail/extensions/ir/writer/constants_writer.h"
#include "pugixml.hpp"

namespace dovetail::ir {

class GraphWriter {
 public:
  // `constants` has to outlive the writer. rt_info of layers and ports is only
  // part of IR version 11.
  GraphWriter(int ir_version, ConstantsWriter* constants)
      : with_rt_info_(ir_version > 10), constants_(*constants) {}

  // Appends <layers> and <edges> to `element`. Layers are numbered in a
  // topological order. Answers the number of each node's layer. Errors name the
  // layer.
  absl::StatusOr<LayerIds> Write(const Model& model, pugi::xml_node element);

 private:
  absl::Status WriteLayer(Node& node, pugi::xml_node layer);
  absl::Status WriteBodies(const Node& node, pugi::xml_node layer);
  absl::StatusOr<LayerIds> WriteBody(const Body& body, const char* tag,
                                     pugi::xml_node layer);
  void WriteInputs(const Node& node, pugi::xml_node layer) const;
  void WriteOutputs(const Node& node, pugi::xml_node layer) const;

  bool with_rt_info_;
  ConstantsWriter& constants_;
  int body_depth_ = 0;
};

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_WRITER_GRAPH_WRITER_H_
