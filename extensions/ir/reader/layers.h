// The <layer> elements of a graph and their ports.
#ifndef DOVETAIL_EXTENSIONS_IR_READER_LAYERS_H_
#define DOVETAIL_EXTENSIONS_IR_READER_LAYERS_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/types/element_type.h"
#include "dovetail/extensions/ir/reader/options.h"
#include "pugixml.hpp"

namespace dovetail::ir {

// A <port>. What it declares counts only where nothing can be inferred.
struct LayerPort {
  pugi::xml_node xml;
  ElementType type = ElementType::kDynamic;
  PartialShape shape;
};

// The ports of one side of a layer, and which id is which of them.
class PortList {
 public:
  void Add(int64_t id, LayerPort port);
  // Sorts the ids; kInvalidArgument names one that two ports have.
  absl::Status Finish();

  int size() const { return static_cast<int>(ports_.size()); }
  const LayerPort& operator[](int i) const { return ports_[i]; }
  // Position of the port of that id; -1 when there is none.
  int IndexOf(int64_t id) const;
  // "0, 1, 2", or "none".
  std::string Ids() const;

 private:
  std::vector<LayerPort> ports_;
  std::vector<std::pair<int64_t, int>> ids_;  // id and position, sorted
};

// Where an input comes from.
struct Source {
  int layer = -1;  // position in the list of layers; -1: not connected
  int output = 0;
};

// A <layer> as it is written. Views live as long as the document.
struct Layer {
  pugi::xml_node xml;
  int64_t id = 0;
  absl::string_view name, type, version;
  PortList inputs, outputs;
  // By input; as many as edges end here. Set by ConnectLayers.
  std::vector<Source> sources;

  bool Is(absl::string_view ir_type) const;  // any case
  // "layer 'conv1' (Convolution of opset1, id 5)"
  std::string Describe() const;
  // kInvalidArgument that begins with Describe().
  absl::Status Error(absl::string_view message) const;
};

using LayerIndex = std::unordered_map<int64_t, int>;  // id to position

struct LayerList {
  std::vector<Layer> layers;  // in the order of the file
  LayerIndex by_id;
};

// Reads all layers below `graph` (<net>, <body>, …). `budget` is how
// many layers may still be read and becomes less.
absl::StatusOr<LayerList> ReadLayers(pugi::xml_node graph,
                                     const ReadLimits& limits, int64_t* budget);

// The shape that the <dim> children of a port declare.
absl::StatusOr<PartialShape> ReadDims(pugi::xml_node port,
                                      const ReadLimits& limits);

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_READER_LAYERS_H_
