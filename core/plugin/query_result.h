// The layers that a device would run, and the reason of every no.
#ifndef DOVETAIL_CORE_PLUGIN_QUERY_RESULT_H_
#define DOVETAIL_CORE_PLUGIN_QUERY_RESULT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace dovetail {

struct QueryResult {
  struct Layer {
    std::string name;     // friendly name in the original model
    std::string type;     // "Convolution-1"
    std::string device;   // where it can run; empty: nowhere
    std::string how;      // "native", "decomposed", "reference"; see Support
    // Of a device that cuts the model: the part that the layer is in, counted
    // in the order in which they run; -1: no part, or no such device.
    int part = -1;
    absl::Status reason;  // why not, when it cannot
  };
  // In topological order of the original. Names need not be unique; the order
  // is that of Model::TopologicalOrder.
  std::vector<Layer> layers;
  // What the device has to say beside, of the configuration: a sentence each.
  std::vector<std::string> notes;

  bool all_supported() const;
  // The first layer of that name; null when there is none.
  const Layer* Find(absl::string_view name) const;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_QUERY_RESULT_H_
