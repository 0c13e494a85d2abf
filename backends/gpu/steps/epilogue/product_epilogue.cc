#include "dovetail/backends/gpu/steps/epilogue/product_epilogue.h"

#include <algorithm>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/float_expressions.h"
#include "dovetail/backends/gpu/codegen/vector_text.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

// The widest block of channels that a work item has.
constexpr int64_t kChannelPadding = 64;

template <typename... Fns>
struct Overloaded : Fns... {
  using Fns::operator()...;
};

bool IsTaken(const EpilogueOp& op) {
  return std::visit(Overloaded{[](const AffineOp&) { return true; },
                               [](const ClampOp&) { return true; },
                               [](const SlopeOp&) { return true; },
                               [](const ActivationOp&) { return true; },
                               [](const ResidualOp& residual) {
                                 return residual.node->Is("Add") ||
                                        residual.node->Is("Multiply");
                               },
                               [](const QuantizeOp&) { return false; },
                               [](const StoreOp&) { return false; }},
                    op);
}

absl::StatusOr<Operand> AddChannels(const ChannelVector& channels,
                                    PlanBuilder& builder) {
  const int64_t count = static_cast<int64_t>(channels.size());
  const int64_t padded = CeilDivide(count, kChannelPadding) * kChannelPadding;
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor,
                            Tensor::Allocate(ElementType::kF32, {padded}));
  float* const data = tensor.mutable_data<float>();
  std::fill_n(std::copy(channels.begin(), channels.end(), data), padded - count,
              0.0f);
  return builder.AddConstant(tensor);
}

// The vectors that an operation has for each channel, those that are no one
// number for all of them.
std::vector<const ChannelVector*> ChannelVectors(const EpilogueOp& op) {
  return std::visit(
      Overloaded{
          [](const AffineOp& affine) {
            // An addition of 0 is a bias, and a scale too.
            if (affine.IsBias()) return std::vector{&affine.shift};
            if (affine.IsScale()) return std::vector{&affine.scale};
            return std::vector{&affine.scale, &affine.shift};
          },
          [](const ClampOp& clamp) {
            return std::vector{&clamp.low, &clamp.high};
          },
          [](const SlopeOp& slope) { return std::vector{&slope.slope}; },
          [](const auto&) { return std::vector<const ChannelVector*>(); }},
      op);
}

// The statement of an operation whose operands begin at number `first`.
template <typename Read>
std::string Statement(const EpilogueOp& op, int first, int lanes,
                      const Read& read) {
  const auto channels = [&](int i) { return read(first + i, true); };
  const std::string zero = absl::StrCat("(", FloatVector(lanes), ")(0.0f)");
  return std::visit(
      Overloaded{
          [&](const AffineOp& affine) {
            if (affine.IsBias()) return absl::StrCat("v += ", channels(0));
            if (affine.IsScale()) return absl::StrCat("v *= ", channels(0));
            return absl::StrCat("v = v * ", channels(0), " + ", channels(1));
          },
          // A NaN stays one: comparisons with it are false.
          [&](const ClampOp&) {
            return absl::Substitute(
                "v = v < $0 ? $0 : v;\n  v = v > $1 ? $1 : v", channels(0),
                channels(1));
          },
          [&](const SlopeOp&) {
            return absl::StrCat("v = v < ", zero, " ? v * ", channels(0),
                                " : v");
          },
          [&](const ActivationOp& activation) {
            return absl::StrCat("v = ",
                                ExpressionOf(*activation.node, {"v"}, lanes));
          },
          [&](const ResidualOp& residual) {
            return absl::StrCat("v ", residual.node->Is("Add") ? "+" : "*",
                                "= ", read(first, false));
          },
          [](const auto&) { return std::string(); }},
      op);
}

}  // namespace

ProductEpilogue ProductEpilogue::Find(Value anchor, int channel_axis,
                                      const PlanBuilder& builder) {
  EpilogueSupport support;
  support.channel_axis = channel_axis;
  support.takes_activation = [](const Node& node) {
    return HasExpression(node) && OperandsOf(node) == 1;
  };
  support.stores_integers = false;
  const Epilogue epilogue = FindEpilogue(
      anchor, support, [&](Value value) { return builder.IsReady(value); });
  size_t count = 0;
  while (count < epilogue.size() && IsTaken(epilogue.stages[count].op)) {
    ++count;
  }
  ProductEpilogue found;
  found.epilogue_ = epilogue.First(count);
  return found;
}

absl::Status ProductEpilogue::AddOperands(const Format& format,
                                          PlanBuilder& builder,
                                          Launch& launch) const {
  int number = 0;
  const auto add = [&](const Operand& operand) {
    launch.writer.Input(absl::StrCat("e", number++), "float");
    launch.inputs.push_back(operand);
  };
  for (const EpilogueStage& stage : epilogue_.stages) {
    for (const ChannelVector* vector : ChannelVectors(stage.op)) {
      DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                                AddChannels(*vector, builder));
      add(operand);
    }
    if (const auto* residual = std::get_if<ResidualOp>(&stage.op)) {
      DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                                builder.Read(residual->value, format));
      add(operand);
    }
  }
  return absl::OkStatus();
}

std::string ProductEpilogue::TextWith(int lanes, const ReadFn& read) const {
  std::string text;
  int first = 0;
  for (const EpilogueStage& stage : epilogue_.stages) {
    absl::StrAppend(&text, "  ", Statement(stage.op, first, lanes, read),
                    ";\n");
    first += static_cast<int>(ChannelVectors(stage.op).size());
    if (std::holds_alternative<ResidualOp>(stage.op)) ++first;
  }
  return text;
}

std::string ProductEpilogue::Text(int lanes) const {
  return TextWith(lanes, [&](int number, bool of_channels) {
    const std::string load =
        absl::StrCat("load_lanes", lanes, "(e", number, " + ");
    return of_channels ? absl::StrCat(load, "channel, ", lanes, ")")
                       : absl::StrCat(load, "at, left)");
  });
}

std::string ProductEpilogue::PixelText(int lanes) const {
  return TextWith(lanes, [&](int number, bool of_channels) {
    return of_channels
               ? absl::StrCat("(", FloatVector(lanes), ")(e", number,
                              "[channel])")
               : absl::StrCat("load_step", lanes, "(e", number, " + at, y_x)");
  });
}

}  // namespace dovetail::gpu
