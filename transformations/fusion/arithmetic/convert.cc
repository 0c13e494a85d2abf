#include "dovetail/transformations/fusion/arithmetic/rules.h"
#include "dovetail/transformations/fusion/common/matching.h"

namespace dovetail {
namespace {

struct Widening {
  ElementType from, to;
};

// Conversions that keep every value.
constexpr Widening kExact[] = {
    {ElementType::kF16, ElementType::kF32},
    {ElementType::kF16, ElementType::kF64},
    {ElementType::kBf16, ElementType::kF32},
    {ElementType::kBf16, ElementType::kF64},
    {ElementType::kF32, ElementType::kF64},
    {ElementType::kI8, ElementType::kI16},
    {ElementType::kI8, ElementType::kI32},
    {ElementType::kI8, ElementType::kI64},
    {ElementType::kI8, ElementType::kF16},
    {ElementType::kI8, ElementType::kF32},
    {ElementType::kU8, ElementType::kI16},
    {ElementType::kU8, ElementType::kI32},
    {ElementType::kU8, ElementType::kI64},
    {ElementType::kU8, ElementType::kF16},
    {ElementType::kU8, ElementType::kF32},
    {ElementType::kI16, ElementType::kI32},
    {ElementType::kI16, ElementType::kI64},
    {ElementType::kI16, ElementType::kF32},
    {ElementType::kU16, ElementType::kI32},
    {ElementType::kU16, ElementType::kI64},
    {ElementType::kU16, ElementType::kF32},
    {ElementType::kI32, ElementType::kI64},
    {ElementType::kI32, ElementType::kF64},
};

bool IsExact(ElementType from, ElementType to) {
  for (const Widening& widening : kExact) {
    if (widening.from == from && widening.to == to) return true;
  }
  return false;
}

// What a wider type has been between two others, nothing has changed.
Replacement FuseConverts(NodeBuilder& b, const Node& node) {
  const Node* first = NodeOf(node.input(0), "Convert");
  if (first == nullptr) return {};
  const Value x = first->input(0);
  const ElementType type = node.port().type;
  if (!IsExact(x.type(), first->port().type) || type == ElementType::kDynamic) {
    return {};
  }
  return {b.Convert(x, type)};
}

// The type is all that counts of what a value is to be like.
Replacement AsConvert(NodeBuilder& b, const Node& node) {
  const ElementType type = node.input(1).type();
  if (type == ElementType::kDynamic || type == ElementType::kString) return {};
  return {b.Convert(node.input(0), type)};
}

constexpr NodeRule kRules[] = {
    {"ConvertLike", 1, "a conversion to a known type", &AsConvert},
    {"Convert", 0, "a conversion to a wider type and on", &FuseConverts},
};

}  // namespace

absl::Span<const NodeRule> ConvertFusions() { return kRules; }

}  // namespace dovetail
