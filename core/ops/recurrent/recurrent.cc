#include "dovetail/core/ops/recurrent/recurrent.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/recurrent/activation.h"
#include "dovetail/core/ops/recurrent/attributes.h"

namespace dovetail {
namespace {

// Collects what is known of the node's dimensions while its inputs are checked.
class Checker {
 public:
  explicit Checker(InferContext& context)
      : context_(context),
        attributes_(*CellAttributesOf(context.node())),
        layout_(LayoutOf(context.node(), context.input_count())) {}

  absl::Status Run() {
    DOVETAIL_RETURN_IF_ERROR(CheckAttributes());
    DOVETAIL_RETURN_IF_ERROR(CheckTypes());
    DOVETAIL_RETURN_IF_ERROR(CheckShapes());
    SetOutputs();
    return absl::OkStatus();
  }

 private:
  // One axis of an input and what it has to be.
  struct Axis {
    absl::string_view meaning;
    Dimension* dimension;
  };

  absl::Status CheckAttributes() {
    if (attributes_.hidden_size < 1 ||
        attributes_.hidden_size > Dimension::kInfinity / 4) {
      return context_.Error("attribute hidden_size is ",
                            attributes_.hidden_size, ", want at least 1");
    }
    if (!(attributes_.clip >= 0)) {
      return context_.Error("attribute clip is ", attributes_.clip,
                            ", want 0 for none or a bound above 0");
    }
    const int functions = layout_.is_lstm ? 3 : layout_.gates == 3 ? 2 : 1;
    if (auto found = CellActivations(attributes_, functions); !found.ok()) {
      return context_.Error(found.status().message());
    }
    size_ = attributes_.hidden_size;
    directions_ =
        attributes_.direction == RecurrentDirection::kBidirectional ? 2 : 1;
    rows_ = size_ * Dimension(layout_.gates);
    bias_ = size_ * Dimension(layout_.bias_blocks);
    peepholes_ = size_ * Dimension(3);
    return absl::OkStatus();
  }

  absl::Status CheckTypes() {
    std::vector<int> floats;
    for (int i = 0; i < context_.input_count(); ++i) {
      if (i != layout_.lengths) floats.push_back(i);
    }
    DOVETAIL_ASSIGN_OR_RETURN(type_, RequireSameType(context_, floats));
    if (layout_.lengths < 0) return absl::OkStatus();
    // Old models have lengths in the type of the data.
    return RequireNumeric(context_, layout_.lengths);
  }

  absl::Status CheckShapes() {
    const Axis b = {"the batch", &batch_}, t = {"the time", &time_},
               i = {"the input size", &input_}, s = {"hidden_size", &size_},
               d = {"the number of directions", &directions_},
               rows = {"gates * hidden_size", &rows_},
               bias = {"the bias's size", &bias_},
               peepholes = {"3 * hidden_size", &peepholes_};
    if (!layout_.is_sequence) {
      DOVETAIL_RETURN_IF_ERROR(Check(layout_.data, {b, i}));
      DOVETAIL_RETURN_IF_ERROR(Check(layout_.hidden, {b, s}));
      DOVETAIL_RETURN_IF_ERROR(Check(layout_.cell, {b, s}));
      DOVETAIL_RETURN_IF_ERROR(Check(layout_.weights, {rows, i}));
      DOVETAIL_RETURN_IF_ERROR(Check(layout_.recurrence, {rows, s}));
      DOVETAIL_RETURN_IF_ERROR(Check(layout_.bias, {bias}));
      return Check(layout_.peepholes, {peepholes});
    }
    DOVETAIL_RETURN_IF_ERROR(Check(layout_.data, {b, t, i}));
    DOVETAIL_RETURN_IF_ERROR(Check(layout_.hidden, {b, d, s}));
    DOVETAIL_RETURN_IF_ERROR(Check(layout_.cell, {b, d, s}));
    DOVETAIL_RETURN_IF_ERROR(Check(layout_.lengths, {b}));
    DOVETAIL_RETURN_IF_ERROR(Check(layout_.weights, {d, rows, i}));
    DOVETAIL_RETURN_IF_ERROR(Check(layout_.recurrence, {d, rows, s}));
    DOVETAIL_RETURN_IF_ERROR(Check(layout_.bias, {d, bias}));
    return Check(layout_.peepholes, {d, peepholes});
  }

  // An input that is not there (-1) passes.
  absl::Status Check(int input, const std::vector<Axis>& axes) {
    if (input < 0) return absl::OkStatus();
    const PartialShape& shape = context_.shape(input);
    DOVETAIL_RETURN_IF_ERROR(
        RequireRank(context_, input, static_cast<int>(axes.size())));
    if (!shape.rank_known()) return absl::OkStatus();
    for (int axis = 0; axis < shape.rank(); ++axis) {
      Dimension& known = *axes[axis].dimension;
      const std::optional<Dimension> both = Intersect(known, shape[axis]);
      if (!both.has_value()) {
        return context_.Error("input ", input, " has shape ",
                              shape.ToString(), ", want ", known.ToString(),
                              " in axis ", axis, ", which is ",
                              axes[axis].meaning);
      }
      known = *both;
    }
    return absl::OkStatus();
  }

  void SetOutputs() {
    int next = 0;
    PartialShape state = {batch_, size_};
    if (layout_.is_sequence) {
      context_.SetOutput(next++, type_,
                         PartialShape{batch_, directions_, time_, size_});
      state = PartialShape{batch_, directions_, size_};
    }
    context_.SetOutput(next++, type_, state);
    if (layout_.is_lstm) context_.SetOutput(next, type_, state);
  }

  InferContext& context_;
  const CellAttributes& attributes_;
  const RecurrentLayout layout_;
  ElementType type_ = ElementType::kDynamic;
  Dimension batch_, time_, input_, size_, directions_;
  Dimension rows_, bias_, peepholes_;
};

}  // namespace

RecurrentLayout LayoutOf(const Node& node, int input_count) {
  const absl::string_view type = node.op().type;
  RecurrentLayout layout;
  layout.is_sequence = absl::EndsWith(type, "Sequence");
  layout.is_lstm = absl::StartsWith(type, "LSTM");
  const bool is_gru = absl::StartsWith(type, "GRU");
  layout.gates = layout.is_lstm ? 4 : is_gru ? 3 : 1;
  layout.bias_blocks =
      layout.gates +
      (is_gru && CellAttributesOf(node)->linear_before_reset ? 1 : 0);
  int next = 2;
  if (layout.is_lstm) layout.cell = next++;
  if (layout.is_sequence) layout.lengths = next++;
  layout.weights = next++;
  layout.recurrence = next++;
  if (next < input_count) layout.bias = next++;
  if (next < input_count) layout.peepholes = next;
  return layout;
}

absl::Status InferRecurrent(InferContext& context) {
  return Checker(context).Run();
}

}  // namespace dovetail
