// The layers that an engine applies to its sums on the way out.
#ifndef DOVETAIL_BACKENDS_VPU_SIMULATOR_POST_OPERATIONS_H_
#define DOVETAIL_BACKENDS_VPU_SIMULATOR_POST_OPERATIONS_H_

#include <cstdint>
#include <vector>

#include "dovetail/backends/common/kernels/dense/half_rows.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::vpu {

// A chain of layers behind sums of `channels` channels, gathered one by one.
class PostOperations {
 public:
  // Channels are axis `axis` of the sums' shape.
  PostOperations(int64_t channels, int axis)
      : axis_(axis), epilogues_(channels) {}

  // Takes in the layer that reads `sums`, the last one's output: additions,
  // subtractions and products of a constant that is one number or one for each
  // channel, then an activation. False: not this one, and none behind it.
  bool Take(const Node& node, Value sums);

  struct Chain {
    std::vector<const Node*> nodes;
    Value output;  // of the last one, or the sums
  };
  // Takes in all that read `sums` one behind the other and nothing else does,
  // of its type and shape.
  Chain TakeChain(Value sums);

  const std::vector<host::HalfEpilogue>& epilogues() const {
    return epilogues_;
  }

 private:
  // One for each channel; empty where the constant is of another form.
  std::vector<float> Numbers(Value constant, Value sums) const;
  bool TakeArithmetic(const Node& node, Value sums);
  bool TakeActivation(const Node& node, Value sums);

  const int axis_;
  bool has_activation_ = false;
  std::vector<host::HalfEpilogue> epilogues_;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SIMULATOR_POST_OPERATIONS_H_
