// What follows a convolution or a matrix product, element by element, computed
// by the same primitive on its accumulators: post-operations.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_POST_OPS_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_POST_OPS_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/onednn/post_op.h"
#include "dovetail/backends/cpu/onednn/post_op_arguments.h"
#include "dovetail/backends/cpu/onednn/primitive_step.h"
#include "dovetail/backends/cpu/onednn/quantize_ops.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

// The nodes after an anchor, in order, as far as a primitive can compute them.
// Use:
//
//   PostOpChain chain(builder, PlanBuilder::OutputOf(node), options);
//   for (;; chain.Truncate(chain.length() - 1)) {
//     dnnl::primitive_attr attr = ScratchpadAttr();
//     chain.AddTo(attr);
//     … a descriptor with attr, and a bias if chain.bias() …
//     if (it is good or chain.length() == 0) break;
//   }
//   … read the anchor's inputs …
//   auto arguments = chain.Arguments(desc, builder);
//   chain.Fuse(builder);
//   … builder.Write(chain.result(), {chain.type(), layout}), AddPrimitive …
class PostOpChain {
 public:
  struct Options {
    // The axis along which constants may vary; negative: counted from the end.
    int channel_axis = 1;
    // Whether a first Multiply by constants is wanted as scales() (of the sums
    // of an integer primitive), and the next Add as bias().
    bool takes_scales = false;
    bool takes_bias = true;
    // Whether the first addition of a tensor that nobody needs afterwards may
    // be made by accumulating on it: see residual().
    bool takes_residual = false;
    // Whether tensors that are dequantised from bytes may be given as these.
    bool takes_bytes = false;
    // The result's shape as the primitive sees it, where that is another than
    // the model's: of row-major tensors that are reshaped.
    std::optional<Shape> shape;
  };

  // `start` is what the anchor computes, f32 for the model. Takes as many
  // followers as there are: each the only reader of the value before, with
  // other operands that are ready.
  PostOpChain(const PlanBuilder& builder, Value start, const Options& options);

  // How many nodes it takes.
  int length() const { return static_cast<int>(followers_.size()); }
  void Truncate(int length) { followers_.resize(length); }

  // What the last of them computes, and how it is to be stored: f32 (or any
  // other floating-point type), u8 or i8.
  Value result() const;
  ElementType type() const;
  bool is_integer() const { return type() != ElementType::kF32; }

  // One number for each channel; null: none.
  const std::vector<float>* scales() const;
  const std::vector<float>* bias() const;
  int64_t channels() const { return channels_; }
  // A tensor of the result's shape that has to be where the primitive writes,
  // in the same format: AddAccumulating sees to that. Empty: none.
  Value residual() const;

  // What comes after scales and bias, in order.
  std::vector<PostOp> ops() const;

  // As AddPostOps, which throws like all of oneDNN.
  void AddTo(dnnl::primitive_attr& attr) const {
    AddPostOps(ops(), target_, attr);
  }
  // As PostOpArguments.
  absl::StatusOr<std::vector<PrimitiveOperand>> Arguments(
      const dnnl::primitive_desc_base& desc, PlanBuilder& builder) const {
    return PostOpArguments(ops(), target_, desc, builder);
  }
  // Calls PlanBuilder::Fuse for all nodes.
  void Fuse(PlanBuilder& builder) const;

 private:
  enum class Role : uint8_t { kScales, kBias, kPostOps };
  struct Follower {
    const Node* node = nullptr;
    Role role = Role::kPostOps;
    std::vector<float> numbers;  // scales or bias
    std::vector<PostOp> ops;     // of all others
    ElementType type = ElementType::kF32;
    // Of FakeQuantize, with ops.
    std::optional<QuantizeOps> quantize;
    // Other nodes that nobody else needs.
    std::vector<const Node*> also;
  };

  std::optional<Follower> Next(const PlanBuilder& builder) const;
  bool TakeConvert(const Node& node, int input, Follower& follower) const;
  bool TakeLinear(const Node& node, int input, Follower& follower) const;
  bool TakeEltwise(const Node& node, int input, Follower& follower) const;
  bool TakeBinary(const PlanBuilder& builder, const Node& node, int input,
                  Follower& follower) const;
  bool TakeBytes(const PlanBuilder& builder, Value other, PostOp op,
                 Follower& follower) const;
  bool TakeFakeQuantize(const Node& node, int input, Follower& follower) const;
  std::optional<std::vector<float>> ChannelNumbers(Value value) const;
  const Follower* Find(Role role) const;

  Value start_;
  Options options_;
  Shape shape_;  // of the model
  int axis_ = 0;
  PostOpTarget target_;
  int64_t channels_ = 1;
  std::vector<Follower> followers_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_POST_OPS_H_
