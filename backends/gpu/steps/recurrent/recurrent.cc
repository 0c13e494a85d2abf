#include "dovetail/backends/gpu/steps/recurrent/recurrent.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/codegen/vector_text.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/recurrent/recurrent_kernels.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/recurrent/attributes.h"
#include "dovetail/core/ops/recurrent/recurrent.h"

namespace dovetail::gpu {
namespace {

constexpr int64_t kDataRows = 6;

// What the functions of RecurrentText's texts call.
constexpr char kFunctions[] = R"(
inline $0 clipped($0 x, float clip) {
  const $0 bound = ($0)(clip);
  x = x < -bound ? -bound : x;
  return x > bound ? bound : x;
}
inline $0 negative_is_0($0 x) {
  const $0 zero = ($0)(0.0f);
  return x < zero ? zero : x;
}
)";

const Tensor* ConstantF32(const Node& node, int input) {
  const Tensor* tensor = PlanBuilder::PackableConstantOf(node.input(input));
  return tensor != nullptr && tensor->type() == ElementType::kF32 &&
                 tensor->is_contiguous()
             ? tensor
             : nullptr;
}

bool HasLengthType(const Node& node, int input) {
  const ElementType type = node.input(input).type();
  return type == ElementType::kI32 || type == ElementType::kI64;
}

bool CanEmit(const Node& node, const CellAttributes& attributes,
             const RecurrentLayout& layout) {
  return !attributes.input_forget && layout.peepholes < 0 &&
         attributes.weights_format == LstmWeightsFormat::kFico &&
         node.input(layout.data).type() == ElementType::kF32 &&
         (layout.lengths < 0 || HasLengthType(node, layout.lengths)) &&
         ConstantF32(node, layout.weights) != nullptr &&
         ConstantF32(node, layout.recurrence) != nullptr &&
         (layout.bias < 0 || ConstantF32(node, layout.bias) != nullptr);
}

CellKind KindOf(const CellAttributes& attributes,
                const RecurrentLayout& layout) {
  if (layout.is_lstm) return CellKind::kLstm;
  if (layout.gates == 1) return CellKind::kRnn;
  return attributes.linear_before_reset ? CellKind::kGruLinear : CellKind::kGru;
}

class RecurrentEmitter {
 public:
  RecurrentEmitter(const Node& node, const CellAttributes& attributes,
                   const RecurrentLayout& layout, PlanBuilder& builder)
      : node_(node),
        attributes_(attributes),
        layout_(layout),
        builder_(builder),
        size_(attributes.hidden_size) {
    const Shape data = PlanBuilder::ShapeOf(node.input(layout.data));
    batch_ = data[0];
    time_ = layout.is_sequence ? data[1] : 1;
    depth_ = data.back();
    if (attributes.direction == RecurrentDirection::kBidirectional) {
      directions_ = 2;
    }
    text_.lanes = builder.lanes().lanes;
    text_.kind = KindOf(attributes, layout);
    text_.gates = layout.gates;
    text_.rows = static_cast<int>(std::min(kDataRows, batch_ * time_));
    text_.has_clip = attributes.clip != 0 && std::isfinite(attributes.clip);
    text_.has_lengths = layout.lengths >= 0;
    text_.has_steps = layout.is_sequence;
    blocks_ = CeilDivide(size_, int64_t{text_.lanes});
  }

  absl::Status Emit() {
    const int functions = layout_.is_lstm ? 3 : layout_.gates == 3 ? 2 : 1;
    DOVETAIL_ASSIGN_OR_RETURN(text_.activations,
                              CellActivations(attributes_, functions));
    DOVETAIL_ASSIGN_OR_RETURN(const Operand sums, EmitDataProducts());
    return EmitSteps(sums);
  }

 private:
  int64_t items() const { return directions_ * blocks_; }

  void AddResult(const char* name, int output, Launch& launch) const {
    AddOutput(launch, name, "float",
              builder_.WritePlain(PlanBuilder::OutputOf(node_, output)));
  }

  // [direction, block, depth, gate, lane] of [direction, from_gates * size,
  // depth], beginning with gate number `first`.
  absl::StatusOr<Operand> Pack(int input, int64_t depth, int from_gates,
                               int first, int gates) const {
    const int64_t lanes = text_.lanes, size = size_, blocks = blocks_;
    const auto pack = [=](absl::Span<const Tensor> constants, void* packed,
                          int item) {
      const float* const from = constants[0].data<float>();
      float* to = static_cast<float*>(packed) + item * depth * gates * lanes;
      const int64_t direction = item / blocks, unit = item % blocks * lanes;
      for (int64_t k = 0; k < depth; ++k) {
        for (int64_t gate = 0; gate < gates; ++gate) {
          for (int64_t lane = 0; lane < lanes; ++lane) {
            const int64_t row =
                (direction * from_gates + first + gate) * size + unit + lane;
            *to++ = unit + lane < size ? from[row * depth + k] : 0.0f;
          }
        }
      }
      return absl::OkStatus();
    };
    return builder_.GetOrPack(
        {absl::StrCat("opencl recurrent:", directions_, ",", size_, ",", depth,
                      ",", from_gates, ",", first, ",", gates),
         *ConstantF32(node_, input)},
        items() * depth * gates * lanes * int64_t{sizeof(float)}, pack,
        static_cast<int>(items()));
  }

  // As Pack does, of a depth of one; zeros where there is no bias.
  absl::StatusOr<Operand> PackBias(int first, int gates) const {
    if (layout_.bias >= 0) {
      return Pack(layout_.bias, 1, layout_.bias_blocks, first, gates);
    }
    DOVETAIL_ASSIGN_OR_RETURN(
        const Tensor zeros,
        Tensor::Allocate(ElementType::kF32, {items() * gates * text_.lanes}));
    return builder_.AddConstant(zeros);
  }

  absl::StatusOr<Operand> EmitDataProducts() {
    const int gates = layout_.gates;
    DOVETAIL_ASSIGN_OR_RETURN(const Operand x,
                              builder_.ReadPlain(node_.input(layout_.data)));
    DOVETAIL_ASSIGN_OR_RETURN(const Operand weights,
                              Pack(layout_.weights, depth_, gates, 0, gates));
    DOVETAIL_ASSIGN_OR_RETURN(const Operand bias, PackBias(0, gates));
    const int64_t rows = batch_ * time_;
    Operand sums = builder_.Scratch(rows * items() * gates * text_.lanes *
                                    int64_t{sizeof(float)});
    sums.format.type = ElementType::kF32;
    Launch launch;
    launch.kernel = "recurrent_data_f32";
    AddInput(launch, "x", "float", x);
    AddInput(launch, "w", "float", weights);
    AddInput(launch, "b", "float", bias);
    AddOutput(launch, "sums", "float", sums);
    AddInt(launch, "rows", rows);
    AddInt(launch, "depth", depth_);
    AddInt(launch, "items", items());
    AddLaneFunctions(ElementType::kF32, text_.lanes, launch.writer);
    launch.writer.Body(DataProductsBody(text_));
    SetRange(CeilDivide(rows, int64_t{text_.rows}), items(), launch);
    builder_.AddLaunch(node_, std::move(launch));
    return sums;
  }

  absl::Status EmitSteps(const Operand& sums) {
    Launch launch;
    launch.kernel = layout_.is_lstm      ? "lstm_steps_f32"
                    : layout_.gates == 3 ? "gru_steps_f32"
                                         : "rnn_steps_f32";
    DOVETAIL_RETURN_IF_ERROR(AddStepInputs(sums, launch));
    int output = 0;
    if (text_.has_steps) AddResult("y", output++, launch);
    AddResult("h", output++, launch);
    if (layout_.is_lstm) AddResult("c", output, launch);
    launch.scratch = builder_.Scratch(batch_ * items() * text_.lanes *
                                      kStateVectors * int64_t{sizeof(float)});
    launch.scratch.format.type = ElementType::kF32;
    launch.writer.Scratch("state", "float");
    AddInt(launch, "time", time_);
    AddInt(launch, "size", size_);
    AddInt(launch, "blocks", blocks_);
    AddInt(launch, "directions", directions_);
    AddInt(launch, "reverse",
           attributes_.direction == RecurrentDirection::kReverse);
    AddScalar(launch, "clip",
              text_.has_clip ? static_cast<float>(attributes_.clip) : 0.0f);
    AddLaneFunctions(ElementType::kF32, text_.lanes, launch.writer);
    launch.writer.Helper(
        absl::Substitute(kFunctions, FloatVector(text_.lanes)));
    launch.writer.Body(StepsBody(text_));
    SetRange(batch_, directions_, launch);
    builder_.AddLaunch(node_, std::move(launch));
    return absl::OkStatus();
  }

  absl::Status AddStepInputs(const Operand& sums, Launch& launch) const {
    const int gates = layout_.gates;
    AddInput(launch, "sums", "float", sums);
    DOVETAIL_ASSIGN_OR_RETURN(const Operand weights,
                              Pack(layout_.recurrence, size_, gates, 0, gates));
    AddInput(launch, "r", "float", weights);
    DOVETAIL_ASSIGN_OR_RETURN(const Operand hidden,
                              builder_.ReadPlain(node_.input(layout_.hidden)));
    AddInput(launch, "h0", "float", hidden);
    if (layout_.is_lstm) {
      DOVETAIL_ASSIGN_OR_RETURN(const Operand cell,
                                builder_.ReadPlain(node_.input(layout_.cell)));
      AddInput(launch, "c0", "float", cell);
    }
    if (text_.kind == CellKind::kGruLinear) {
      DOVETAIL_ASSIGN_OR_RETURN(const Operand bias, PackBias(3, 1));
      AddInput(launch, "b2", "float", bias);
    }
    if (text_.has_lengths) {
      const Value lengths = node_.input(layout_.lengths);
      DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                                builder_.ReadPlain(lengths));
      AddInput(launch, "lengths", ClType(lengths.type()), operand);
    }
    return absl::OkStatus();
  }

  void SetRange(int64_t x, int64_t y, Launch& launch) const {
    launch.range.dims = 2;
    launch.range.global[0] = x;
    launch.range.global[1] = y;
    if (text_.lanes != 16) return;
    launch.writer.Group(1);
    std::fill_n(launch.range.local, 2, 1);
  }

  const Node& node_;
  const CellAttributes& attributes_;
  const RecurrentLayout layout_;
  PlanBuilder& builder_;
  const int64_t size_;
  int64_t batch_ = 1, time_ = 1, depth_ = 1, directions_ = 1, blocks_ = 1;
  RecurrentText text_;
};

}  // namespace

absl::StatusOr<bool> EmitRecurrent(const Node& node, PlanBuilder& builder) {
  const CellAttributes* attributes = CellAttributesOf(node);
  if (attributes == nullptr) return false;
  const RecurrentLayout layout = LayoutOf(node, node.input_count());
  if (!CanEmit(node, *attributes, layout)) return false;
  RecurrentEmitter emitter(node, *attributes, layout, builder);
  DOVETAIL_RETURN_IF_ERROR(emitter.Emit());
  return true;
}

}  // namespace dovetail::gpu
