// Attributes of recurrent operations. What all have is CellAttributes; the
// others are of some operations only, and at their defaults for the rest.
#ifndef DOVETAIL_CORE_OPS_RECURRENT_ATTRIBUTES_H_
#define DOVETAIL_CORE_OPS_RECURRENT_ATTRIBUTES_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/node.h"

namespace dovetail {

enum class RecurrentDirection { kForward, kReverse, kBidirectional };
absl::Span<const EnumName> EnumNames(RecurrentDirection);

// The order of the gates in the weights of an LSTM before version 4: f forget,
// i input, c cell, o output.
enum class LstmWeightsFormat { kFico, kIcof, kIfco, kIfoc, kIofc };
absl::Span<const EnumName> EnumNames(LstmWeightsFormat);
// Which block of the weights each gate has: 0 … 3.
struct LstmGates {
  int f, i, c, o;
};
LstmGates GatesOf(LstmWeightsFormat format);

struct CellAttributes {
  explicit CellAttributes(std::vector<std::string> functions)
      : activations(std::move(functions)) {}

  int64_t hidden_size = 0;
  std::vector<std::string> activations;
  std::vector<double> activations_alpha, activations_beta;
  double clip = 0;  // 0 or infinity: none

  // Of sequences.
  RecurrentDirection direction = RecurrentDirection::kForward;
  // Of GRUs: whether the reset gate comes after the product with R.
  bool linear_before_reset = false;
  // Of LSTMs before version 4.
  bool input_forget = false;
  LstmWeightsFormat weights_format = LstmWeightsFormat::kFico;

 protected:
  void VisitCell(AttributeVisitor& visitor) {
    visitor.Visit("hidden_size", hidden_size);
    visitor.Visit("activations", activations);
    visitor.Visit("activations_alpha", activations_alpha);
    visitor.Visit("activations_beta", activations_beta);
    visitor.Visit("clip", clip);
  }
  void VisitDirection(AttributeVisitor& visitor) {
    visitor.Visit("direction", direction);
  }
  void VisitReset(AttributeVisitor& visitor) {
    visitor.Visit("linear_before_reset", linear_before_reset);
  }
  void VisitLstm0(AttributeVisitor& visitor) {
    visitor.Visit("input_forget", input_forget);
    visitor.Visit("weights_format", weights_format);
  }
};

struct RnnCellAttributes : public AttributesOf<RnnCellAttributes>,
                           public CellAttributes {
  RnnCellAttributes() : CellAttributes({"tanh"}) {}
  void Visit(AttributeVisitor& visitor) override { VisitCell(visitor); }
};

struct RnnSequenceAttributes : public AttributesOf<RnnSequenceAttributes>,
                               public CellAttributes {
  RnnSequenceAttributes() : CellAttributes({"tanh"}) {}
  void Visit(AttributeVisitor& visitor) override {
    VisitCell(visitor);
    VisitDirection(visitor);
  }
};

struct GruCellAttributes : public AttributesOf<GruCellAttributes>,
                           public CellAttributes {
  GruCellAttributes() : CellAttributes({"sigmoid", "tanh"}) {}
  void Visit(AttributeVisitor& visitor) override {
    VisitCell(visitor);
    VisitReset(visitor);
  }
};

struct GruSequenceAttributes : public AttributesOf<GruSequenceAttributes>,
                               public CellAttributes {
  GruSequenceAttributes() : CellAttributes({"sigmoid", "tanh"}) {}
  void Visit(AttributeVisitor& visitor) override {
    VisitCell(visitor);
    VisitDirection(visitor);
    VisitReset(visitor);
  }
};

struct LstmCellAttributes : public AttributesOf<LstmCellAttributes>,
                            public CellAttributes {
  LstmCellAttributes() : CellAttributes({"sigmoid", "tanh", "tanh"}) {}
  void Visit(AttributeVisitor& visitor) override { VisitCell(visitor); }
};

struct LstmSequenceAttributes : public AttributesOf<LstmSequenceAttributes>,
                                public CellAttributes {
  LstmSequenceAttributes() : CellAttributes({"sigmoid", "tanh", "tanh"}) {}
  void Visit(AttributeVisitor& visitor) override {
    VisitCell(visitor);
    VisitDirection(visitor);
  }
};

// Of LSTMCell-0.
struct LstmCell0Attributes : public AttributesOf<LstmCell0Attributes>,
                             public CellAttributes {
  LstmCell0Attributes() : CellAttributes({"sigmoid", "tanh", "tanh"}) {}
  void Visit(AttributeVisitor& visitor) override {
    VisitCell(visitor);
    VisitLstm0(visitor);
  }
};

// Of LSTMSequence-0.
struct LstmSequence0Attributes : public AttributesOf<LstmSequence0Attributes>,
                                 public CellAttributes {
  LstmSequence0Attributes() : CellAttributes({"sigmoid", "tanh", "tanh"}) {}
  void Visit(AttributeVisitor& visitor) override {
    VisitCell(visitor);
    VisitDirection(visitor);
    VisitLstm0(visitor);
  }
};

// What a recurrent node's attributes have in common; null for other nodes.
const CellAttributes* CellAttributesOf(const Node& node);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_RECURRENT_ATTRIBUTES_H_
