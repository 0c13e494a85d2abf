#include "dovetail/transformations/decompose/image/resize.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/image/rules.h"

namespace dovetail {

std::optional<std::vector<int>> ResizedAxesOf(const Node& node, int rank) {
  const ResizeInputs inputs = ResizeInputsOf(node, node.input_count());
  std::vector<int64_t> numbers;
  if (const auto* old = node.As<Interpolate0Attributes>()) {
    numbers = old->axes;
    std::sort(numbers.begin(), numbers.end());
  } else if (inputs.axes >= 0) {
    const auto known = KnownInts(node.input(inputs.axes));
    if (!known.has_value()) return std::nullopt;
    numbers = *known;
  } else {
    for (int i = 0; i < rank; ++i) numbers.push_back(i);
  }
  std::vector<int> axes;
  for (int64_t number : numbers) {
    axes.push_back(static_cast<int>(number < 0 ? number + rank : number));
    if (axes.back() < 0 || axes.back() >= rank) return std::nullopt;
  }
  return axes;
}

Value WithPadding(NodeBuilder& b, Value x,
                  const InterpolateAttributes& attributes) {
  const int rank = x.shape().rank();
  std::vector<int64_t> before = attributes.pads_begin;
  std::vector<int64_t> after = attributes.pads_end;
  before.resize(rank, 0);
  after.resize(rank, 0);
  const auto is_zero = [](int64_t pad) { return pad == 0; };
  if (std::all_of(before.begin(), before.end(), is_zero) &&
      std::all_of(after.begin(), after.end(), is_zero)) {
    return x;
  }
  return b.Make("Pad", {x, b.Ints(before), b.Ints(after),
                        b.Number(x.type(), 0)},
                {{"pad_mode", std::string("constant")}});
}

Value RoundedTo(NodeBuilder& b, Value x, ElementType type) {
  const int bits = BitWidth(type) - (IsSigned(type) ? 1 : 0);
  const double end = std::ldexp(1.0, bits);
  const Value whole =
      b.Make("Round", {x}, {{"mode", std::string("half_to_even")}});
  return b.Minimum(b.Maximum(whole, IsSigned(type) ? -end : 0.0), end - 1);
}

bool CanWeigh(ElementType type) {
  switch (type) {
    case ElementType::kF16:
    case ElementType::kBf16:
    case ElementType::kF32:
    case ElementType::kF64: return true;
    default: return IsInteger(type) && BitWidth(type) <= 16;
  }
}

namespace {

constexpr NodeRule kRules[] = {
    {"Interpolate", NodeRule::kAnyVersion,
     "sum of weight * Gather, both constant", &ResizeByConstants},
    {"Interpolate", NodeRule::kAnyVersion,
     "sum of weight * Gather, both computed", &ResizeByPositions},
};

}  // namespace

absl::Span<const NodeRule> ResizeDecompositions() { return kRules; }

}  // namespace dovetail
