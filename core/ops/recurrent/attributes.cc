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

LstmGates GatesOf(LstmWeightsFormat format) {
  switch (format) {
    case LstmWeightsFormat::kFico: return {0, 1, 2, 3};
    case LstmWeightsFormat::kIcof: return {3, 0, 1, 2};
    case LstmWeightsFormat::kIfco: return {1, 0, 2, 3};
    case LstmWeightsFormat::kIfoc: return {1, 0, 3, 2};
    case LstmWeightsFormat::kIofc: return {2, 0, 3, 1};
  }
  return {0, 1, 2, 3};
}

const CellAttributes* CellAttributesOf(const Node& node) {
  return FirstOf<RnnCellAttributes, RnnSequenceAttributes, GruCellAttributes,
                 GruSequenceAttributes, LstmCellAttributes,
                 LstmSequenceAttributes, LstmCell0Attributes,
                 LstmSequence0Attributes>(node);
}

}  // namespace dovetail
