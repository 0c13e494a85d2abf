// Concatenations, splits and shuffles of channels between convolutions, which
// cut the blocks of channels that these read and write.
#ifndef DOVETAIL_BACKENDS_CPU_COMPILER_CHANNEL_MOVES_H_
#define DOVETAIL_BACKENDS_CPU_COMPILER_CHANNEL_MOVES_H_

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// A channel of a value.
struct MovedChannel {
  Value value;
  int64_t channel = 0;
};

using MovedChannels = std::vector<MovedChannel>;

// Concat, Split, VariadicSplit, Slice, StridedSlice and ShuffleChannels of axis
// 1, in groups of nodes that read each other. Each by itself would need its
// input row-major, or channels last, and its readers blocks again. What the
// nodes of a group make together is known, so that only values that others read
// are made, each at once from what none of them makes.
class ChannelMoves {
 public:
  // None.
  ChannelMoves() = default;
  // The groups that cut blocks of `block` channels of what convolutions make.
  // All shapes are static. `order` is topological; nodes outlive the object.
  ChannelMoves(absl::Span<Node* const> order, int64_t block);

  bool Has(const Node& node) const { return nodes_.count(&node) > 0; }
  // Whether anything but such nodes reads the value.
  bool IsReadByOthers(Value value) const;
  // What the channels of an output of such a node are: channels of values that
  // none of them makes.
  const MovedChannels& ChannelsOf(Value value) const {
    return channels_.at({value.node, value.index});
  }

 private:
  void AddChannels(const Node& node);

  std::set<const Node*> nodes_;
  std::map<std::pair<const Node*, int>, MovedChannels> channels_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPILER_CHANNEL_MOVES_H_
