#include "dovetail/backends/vpu/compiler/location.h"

#include "absl/strings/str_cat.h"

namespace dovetail::vpu {
namespace {

bool IsShave(LayerKind kind) {
  return kind == LayerKind::kBinary || kind == LayerKind::kUnary ||
         kind == LayerKind::kProducts;
}

// The last layer that reads each output.
std::vector<int> LastReaders(const Network& network) {
  std::vector<int> last(network.size(), -1);
  for (size_t i = 0; i < network.size(); ++i) {
    for (int input : network[i].inputs) last[input] = static_cast<int>(i);
  }
  return last;
}

}  // namespace

int64_t OutputBytes(const Layer& layer) {
  return layer.repeats * RowBytes(layer.shape.out_width) *
         layer.shape.out_height * layer.shape.out_channels;
}

std::vector<std::string> DdrReasons(const Machine& machine,
                                    const Network& network) {
  const std::vector<int> last = LastReaders(network);
  std::vector<std::string> reasons(network.size());
  for (size_t i = 0; i < network.size(); ++i) {
    const Layer& layer = network[i];
    const int64_t bytes = OutputBytes(layer);
    if (layer.kind == LayerKind::kInput) {
      reasons[i] = "input of the network";
    } else if (bytes > machine.tiling_limit_bytes) {
      reasons[i] = absl::StrCat(bytes, " bytes, more than ",
                                machine.tiling_limit_bytes, " of CMX");
    } else if (IsShave(layer.kind) && 3 * bytes > machine.cmx_bytes() &&
               last[i] > static_cast<int>(i) + 2) {
      // The layers in between need their own inputs and outputs.
      reasons[i] =
          absl::StrCat(bytes, " bytes, live until ", network[last[i]].name,
                       ": three of them do not fit CMX");
    }
  }
  return reasons;
}

}  // namespace dovetail::vpu
