#include "dovetail/backends/cpu/steps/convolution/picture.h"

#include <cstdint>
#include <utility>

#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"

namespace dovetail::cpu {
namespace {

// The numbers of a constant for each of `channels`, which lie along `axis` of
// tensors of rank 4; nothing where it has others.
std::optional<std::vector<float>> NumbersOf(Value value, int64_t channels,
                                            int axis) {
  const Tensor* tensor = PlanBuilder::ConstantOf(value);
  if (tensor == nullptr) return std::nullopt;
  const int64_t count = tensor->element_count();
  if (count != 1) {
    const Shape& shape = tensor->shape();
    if (shape.rank() != 4 || shape[axis] != channels || count != channels) {
      return std::nullopt;
    }
  }
  std::vector<float> numbers;
  for (int64_t c = 0; c < channels; ++c) {
    const double number = tensor->ElementAsDouble(count == 1 ? 0 : c);
    numbers.push_back(static_cast<float>(number));
  }
  return numbers;
}

// Follows the nodes behind a Convert, each of which nobody else reads.
class Walk {
 public:
  explicit Walk(const Node& convert) : shape_(ShapeOf(convert)) {
    picture_.bytes = convert.input(0);
    picture_.makers = {&convert};
    picture_.added.assign(shape_[3], 0.0f);
    picture_.factors.assign(shape_[3], 1.0f);
  }

  std::optional<Picture> Run() {
    for (const Node* at = picture_.makers[0];
         picture_.convolution == nullptr;) {
      const std::vector<Use>& uses = at->port().uses;
      if (uses.size() != 1 || !Take(*uses[0].node, uses[0].input)) {
        return std::nullopt;
      }
      at = uses[0].node;
    }
    return std::move(picture_);
  }

 private:
  static Shape ShapeOf(const Node& node) {
    return PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  }

  // A node that reads what there is as its input `input`.
  bool Take(const Node& node, int input) {
    if (node.Is("Convolution")) {
      picture_.convolution = &node;
      return is_planar_ && input == 0;
    }
    if (node.Is("Transpose")) {
      if (is_planar_ || input != 0) return false;
      is_planar_ = true;
      shape_ = ShapeOf(node);
      if (ConstantList(node, 1) != std::vector<int64_t>{0, 3, 1, 2}) {
        return false;
      }
    } else if (!TakeArithmetic(node, input)) {
      return false;
    }
    picture_.makers.push_back(&node);
    return true;
  }

  bool TakeArithmetic(const Node& node, int input) {
    const bool subtracts = node.Is("Subtract"),
               multiplies = node.Is("Multiply");
    if (!subtracts && !multiplies && !node.Is("Add")) return false;
    if ((subtracts && input != 0) || ShapeOf(node) != shape_) return false;
    const auto channels = static_cast<int64_t>(picture_.added.size());
    const auto numbers =
        NumbersOf(node.input(1 - input), channels, is_planar_ ? 1 : 3);
    // One of each, in this order, so that no number is rounded otherwise.
    if (!numbers || is_multiplied_ || (is_added_ && !multiplies)) return false;
    (multiplies ? is_multiplied_ : is_added_) = true;
    (multiplies ? picture_.factors : picture_.added) = *numbers;
    for (float& number : picture_.added) {
      if (subtracts) number = -number;
    }
    return true;
  }

  Picture picture_;
  Shape shape_;
  bool is_planar_ = false, is_added_ = false, is_multiplied_ = false;
};

}  // namespace

std::optional<Picture> PictureFrom(const Node& convert) {
  const Value bytes = convert.input(0);
  if (bytes.type() != ElementType::kU8 || PlanBuilder::IsConstant(bytes) ||
      convert.port().type != ElementType::kF32 ||
      PlanBuilder::ShapeOf(bytes).rank() != 4) {
    return std::nullopt;
  }
  return Walk(convert).Run();
}

}  // namespace dovetail::cpu
