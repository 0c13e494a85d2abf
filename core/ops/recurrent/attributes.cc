#include "dovetail/core/ops/recurrent/attributes.h"

namespace dovetail {
namespace {

// The first of the structs that the node's attributes are.
template <typename... Structs>
const CellAttributes* FirstOf(const Node& node) {
  const CellAttributes* found = nullptr;
  static_cast<void>((((found = node.As<Structs>()) != nullptr) || ...));
  return found;
}

}  // namespace

absl::Span<const EnumName> EnumNames(RecurrentDirection) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(RecurrentDirection::kForward), "forward"},
      {static_cast<int>(RecurrentDirection::kReverse), "reverse"},
      {static_cast<int>(RecurrentDirection::kBidirectional), "bidirectional"},
  };
  return kNames;
}

absl::Span<const EnumName> EnumNames(LstmWeightsFormat) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(LstmWeightsFormat::kFico), "fico"},
      {static_cast<int>(LstmWeightsFormat::kIcof), "icof"},
      {static_cast<int>(LstmWeightsFormat::kIfco), "ifco"},
      {static_cast<int>(LstmWeightsFormat::kIfoc), "ifoc"},
      {static_cast<int>(LstmWeightsFormat::kIofc), "iofc"},
  };
  return kNames;
}

const CellAttributes* CellAttributesOf(const Node& node) {
  return FirstOf<RnnCellAttributes, RnnSequenceAttributes, GruCellAttributes,
                 GruSequenceAttributes, LstmCellAttributes,
                 LstmSequenceAttributes, LstmCell0Attributes,
                 LstmSequence0Attributes>(node);
}

}  // namespace dovetail
