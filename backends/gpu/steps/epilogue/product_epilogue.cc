#include "dovetail/backends/gpu/steps/epilogue/product_epilogue.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "absl/types/span.h"
#include "dovetail/backends/gpu/codegen/expressions/expressions.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/codegen/vector_text.h"
#include "dovetail/backends/gpu/steps/epilogue/common_form.h"
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
                               [](const QuantizeOp&) { return true; },
                               [](const StoreOp&) { return false; }},
                    op);
}

// Whether all channels have the same ranges.
bool HasOneRange(const QuantizeOp& quantize) {
  return UniformValue(quantize.scale).has_value() &&
         UniformValue(quantize.shift).has_value() &&
         UniformValue(quantize.step).has_value() &&
         UniformValue(quantize.offset).has_value();
}

// The common form of all stages, or of all but a quantization that is the last,
// and what stages it leaves.
struct SplitEpilogue {
  std::optional<CommonForm> form;
  absl::Span<const EpilogueStage> stages;
};
SplitEpilogue SplitCommonForm(const Epilogue& epilogue) {
  const size_t size = epilogue.size();
  const size_t before_last = size == 0 ? 0 : size - 1;
  const bool quantizes = epilogue.Find<QuantizeOp>(before_last) != nullptr;
  const size_t common = quantizes ? before_last : size;
  const absl::Span<const EpilogueStage> stages = epilogue.stages;
  if (const auto form = CommonFormOf(epilogue, common)) {
    return {form, stages.subspan(common)};
  }
  return {std::nullopt, stages};
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

// The vectors that an operation has for each channel.
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
            return IsUniform(clamp) ? std::vector<const ChannelVector*>()
                                    : std::vector{&clamp.low, &clamp.high};
          },
          [](const SlopeOp& slope) { return std::vector{&slope.slope}; },
          [](const QuantizeOp& quantize) {
            return HasOneRange(quantize)
                       ? std::vector<const ChannelVector*>()
                       : std::vector{&quantize.scale, &quantize.shift,
                                     &quantize.step, &quantize.offset};
          },
          [](const auto&) { return std::vector<const ChannelVector*>(); }},
      op);
}

// A function of a value whose other operands are numbers.
bool IsActivation(const Node& node) {
  const auto expression = ExpressionOf(node);
  if (!expression.has_value() || node.port().type != ElementType::kF32 ||
      node.input(0).type() != ElementType::kF32) {
    return false;
  }
  for (int i = 1; i < expression->operands; ++i) {
    const Tensor* const number = PlanBuilder::ConstantOf(node.input(i));
    if (number == nullptr || number->element_count() != 1 ||
        number->type() != ElementType::kF32) {
      return false;
    }
  }
  return true;
}

}  // namespace

// The statements of an epilogue while they are put together. Operands are
// numbered in the order of the stages, and so are arguments.
class ProductEpilogue::Statements {
 public:
  // Neighbors along the channels, the last ones perhaps not there, or in whole
  // blocks; or pixels of one channel.
  enum class Lanes { kChannels, kBlocks, kPixels };

  Statements(ElementType stored, int lanes, Lanes of, Launch& launch)
      : stored_(stored), lanes_(lanes), of_(of), launch_(launch) {
    if (of == Lanes::kChannels) {
      AddLaneFunctions(stored, lanes, launch.writer);
    } else if (of == Lanes::kBlocks) {
      AddFloatFunctions(stored, lanes, launch.writer);
    } else {
      AddStepFunctions(stored, lanes, launch.writer);
    }
  }

  std::string Common(const CommonForm& form) {
    launch_.writer.Int("has_residual");
    launch_.scalars.push_back(form.residual == nullptr ? 0 : 1);
    const std::string bias = Channels(), residual = Elements(),
                      low = Number(form.low), high = Number(form.high);
    return absl::Substitute(
        "  v += $0;\n"
        "  if (has_residual) v += $1;\n"
        "  v = v < $2 ? $2 : v;\n"
        "  v = v > $3 ? $3 : v;\n",
        bias, residual, low, high);
  }

  std::string operator()(const AffineOp& affine) {
    if (affine.IsBias()) return absl::StrCat("v += ", Channels());
    if (affine.IsScale()) return absl::StrCat("v *= ", Channels());
    const std::string scale = Channels();
    return absl::StrCat("v = v * ", scale, " + ", Channels());
  }
  // A NaN stays one: comparisons with it are false.
  std::string operator()(const ClampOp& clamp) {
    const bool uniform = IsUniform(clamp);
    const std::string low = uniform ? Number(clamp.low[0]) : Channels();
    const std::string high = uniform ? Number(clamp.high[0]) : Channels();
    return absl::Substitute("v = v < $0 ? $0 : v;\n  v = v > $1 ? $1 : v", low,
                            high);
  }
  std::string operator()(const SlopeOp&) {
    return absl::StrCat("v = v < 0.0f ? v * ", Channels(), " : v");
  }
  std::string operator()(const ActivationOp& activation) {
    const Node& node = *activation.node;
    const Expression expression = *ExpressionOf(node);
    for (const std::string& text : expression.Functions(lanes_)) {
      launch_.writer.Helper(text);
    }
    std::vector<std::string> operands = {"v"}, numbers;
    for (int i = 1; i < expression.operands; ++i) {
      operands.push_back(
          Number(PlanBuilder::ConstantOf(node.input(i))->data<float>()[0]));
    }
    for (const double number : expression.numbers) {
      numbers.push_back(Number(static_cast<float>(number)));
    }
    return absl::StrCat("v = ", expression.Text(operands, numbers, lanes_));
  }
  std::string operator()(const ResidualOp& residual) {
    return absl::StrCat("v ", residual.node->Is("Add") ? "+" : "*", "= ",
                        Elements());
  }
  // In the order of the reference kernel, as the last bit decides next to ties.
  std::string operator()(const QuantizeOp& quantize) {
    const bool uniform = HasOneRange(quantize);
    const auto next = [&](const ChannelVector& channels) {
      return uniform ? Number(channels[0]) : Channels();
    };
    const std::string scale = next(quantize.scale),
                      shift = next(quantize.shift),
                      step = next(quantize.step),
                      offset = next(quantize.offset),
                      steps = Number(quantize.steps),
                      zero = absl::StrCat("(", FloatVector(lanes_), ")(0.0f)");
    return absl::Substitute(
        "v = rint(fma(v, $0, $1));\n"
        "  v = v < $5 ? $5 : v;\n"
        "  v = v > $4 ? $4 : v;\n"
        "  v = fma(v, $2, $3)",
        scale, shift, step, offset, steps, zero);
  }
  std::string operator()(const StoreOp&) { return ""; }  // not taken

 private:
  // Vectors of channels have padding behind them (AddChannels).
  std::string Channels() {
    const std::string operand = absl::StrCat("e", operand_++);
    return of_ == Lanes::kPixels
               ? absl::StrCat("(", FloatVector(lanes_), ")(", operand,
                              "[channel])")
               : LoadFloats(ElementType::kF32,
                            absl::StrCat(operand, " + channel"), lanes_,
                            /*aligned=*/true);
  }
  std::string Elements() {
    const std::string pointer = absl::StrCat("e", operand_++, " + at");
    if (of_ == Lanes::kBlocks) {
      return LoadFloats(stored_, pointer, lanes_, /*aligned=*/true);
    }
    const bool of_channels = of_ == Lanes::kChannels;
    return absl::StrCat(of_channels ? "load_lanes" : "load_step", lanes_,
                        StorageSuffix(stored_), "(", pointer, ", ",
                        of_channels ? "left)" : "y_x)");
  }
  std::string Number(float number) {
    const std::string name = absl::StrCat("number", number_++);
    launch_.writer.Float(name);
    launch_.scalars.push_back(number);
    return absl::StrCat("((", FloatVector(lanes_), ")(", name, "))");
  }

  const ElementType stored_;
  const int lanes_;
  const Lanes of_;
  Launch& launch_;
  int operand_ = 0, number_ = 0;
};

ProductEpilogue ProductEpilogue::Find(Value anchor, int channel_axis,
                                      const PlanBuilder& builder) {
  EpilogueSupport support;
  support.channel_axis = channel_axis;
  support.takes_activation = &IsActivation;
  support.stores_integers = false;
  const Epilogue epilogue = FindEpilogue(
      anchor, support, [&](Value value) { return builder.IsReady(value); });
  const auto is_custom = [&](const Node* node) {
    return builder.CustomKernelOf(*node) != nullptr;
  };
  size_t count = 0;
  while (count < epilogue.size() && IsTaken(epilogue.stages[count].op) &&
         absl::c_none_of(epilogue.stages[count].nodes, is_custom)) {
    ++count;
  }
  ProductEpilogue found;
  found.epilogue_ = epilogue.First(count);
  found.stored_ = builder.StorageOf(ElementType::kF32);
  return found;
}

absl::Status ProductEpilogue::AddOperands(Layout layout, PlanBuilder& builder,
                                          Launch& launch) const {
  const Format format = {stored_, layout};
  int number = 0;
  const auto add = [&](const Operand& operand,
                       ElementType type = ElementType::kF32) {
    launch.writer.Input(absl::StrCat("e", number++), ClType(type));
    launch.inputs.push_back(operand);
  };
  const auto [form, stages] = SplitCommonForm(epilogue_);
  if (form.has_value()) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand bias,
                              AddChannels(*form->bias, builder));
    add(bias);
    // Without a residual something that nobody reads.
    Operand residual = bias;
    if (form->residual != nullptr) {
      DOVETAIL_ASSIGN_OR_RETURN(residual,
                                builder.Read(form->residual->value, format));
    }
    add(residual, stored_);
  }
  for (const EpilogueStage& stage : stages) {
    for (const ChannelVector* vector : ChannelVectors(stage.op)) {
      DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                                AddChannels(*vector, builder));
      add(operand);
    }
    if (const auto* residual = std::get_if<ResidualOp>(&stage.op)) {
      DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                                builder.Read(residual->value, format));
      add(operand, stored_);
    }
  }
  return absl::OkStatus();
}

std::string ProductEpilogue::AddText(int lanes, Launch& launch) const {
  return TextOf(
      Statements(stored_, lanes, Statements::Lanes::kChannels, launch));
}

std::string ProductEpilogue::AddTextOfBlocks(int lanes, Launch& launch) const {
  return TextOf(Statements(stored_, lanes, Statements::Lanes::kBlocks, launch));
}

std::string ProductEpilogue::AddPixelText(int lanes, Launch& launch) const {
  return TextOf(Statements(stored_, lanes, Statements::Lanes::kPixels, launch));
}

std::string ProductEpilogue::TextOf(Statements statements) const {
  const auto [form, stages] = SplitCommonForm(epilogue_);
  std::string text;
  if (form.has_value()) text = statements.Common(*form);
  for (const EpilogueStage& stage : stages) {
    absl::StrAppend(&text, "  ", std::visit(statements, stage.op), ";\n");
  }
  return text;
}

}  // namespace dovetail::gpu
