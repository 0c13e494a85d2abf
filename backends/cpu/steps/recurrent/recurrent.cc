#include "dovetail/backends/cpu/steps/recurrent/recurrent.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/backends/cpu/steps/recurrent/recurrent_step.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/recurrent/activation.h"
#include "dovetail/core/ops/recurrent/attributes.h"
#include "dovetail/core/ops/recurrent/recurrent.h"

namespace dovetail::cpu {
namespace {

bool HasUsualFunctions(const CellAttributes& attributes,
                       const RecurrentLayout& layout) {
  const int count = layout.is_lstm ? 3 : layout.gates == 3 ? 2 : 1;
  const auto functions = CellActivations(attributes, count);
  if (!functions.ok()) return false;
  for (int i = 0; i < count; ++i) {
    const bool is_gate = i == 0 && count > 1;
    const CellFunction want =
        is_gate ? CellFunction::kSigmoid : CellFunction::kTanh;
    if ((*functions)[i].function != want) return false;
  }
  return true;
}

bool IsConstantF32(const Node& node, int input) {
  const Tensor* tensor = PlanBuilder::PackableConstantOf(node.input(input));
  return tensor != nullptr && tensor->type() == ElementType::kF32;
}

bool IsOurs(const Node& node, const CellAttributes& attributes,
            const RecurrentLayout& layout) {
  if (attributes.clip != 0 && std::isfinite(attributes.clip)) return false;
  if (attributes.input_forget || layout.peepholes >= 0 ||
      attributes.weights_format != LstmWeightsFormat::kFico) {
    return false;
  }
  if (node.input(layout.data).type() != ElementType::kF32) return false;
  if (layout.lengths >= 0) {
    const ElementType type = node.input(layout.lengths).type();
    if (type != ElementType::kI32 && type != ElementType::kI64) return false;
  }
  return IsConstantF32(node, layout.weights) &&
         IsConstantF32(node, layout.recurrence) &&
         (layout.bias < 0 || IsConstantF32(node, layout.bias)) &&
         HasUsualFunctions(attributes, layout);
}

RecurrentSizes SizesOf(const Node& node, const CellAttributes& attributes,
                       const RecurrentLayout& layout) {
  RecurrentSizes sizes;
  sizes.kind = layout.is_lstm                 ? CellKind::kLstm
               : layout.gates == 1            ? CellKind::kRnn
               : attributes.linear_before_reset ? CellKind::kGruLinear
                                                : CellKind::kGru;
  sizes.gates = layout.gates;
  sizes.bias_blocks = layout.bias_blocks;
  const Shape data = PlanBuilder::ShapeOf(node.input(layout.data));
  sizes.batch = data[0];
  sizes.is_sequence = layout.is_sequence;
  if (layout.is_sequence) sizes.time = data[1];
  sizes.input = data.back();
  sizes.size = attributes.hidden_size;
  if (attributes.direction == RecurrentDirection::kBidirectional) {
    sizes.directions = 2;
  }
  sizes.is_reverse = attributes.direction == RecurrentDirection::kReverse;
  if (layout.lengths >= 0) {
    sizes.has_lengths = true;
    sizes.lengths_are_i64 =
        node.input(layout.lengths).type() == ElementType::kI64;
  }
  sizes.layer = node.Describe();
  return sizes;
}

// What `fill` writes to `elements` floats, of the key's constant if there is one.
template <typename Fill>
absl::StatusOr<Operand> Packed(PlanBuilder& builder, const PackingKey& key,
                               int64_t elements, Fill fill) {
  const auto pack = [fill](absl::Span<const Tensor> constants, void* packed,
                           int) {
    fill(constants.empty() ? nullptr : constants[0].data<float>(),
         static_cast<float*>(packed));
    return absl::OkStatus();
  };
  return builder.GetOrPack(key, elements * static_cast<int64_t>(sizeof(float)),
                           pack);
}

PackingKey KeyOf(const char* what, const Tensor& tensor,
                 const RecurrentSizes& sizes) {
  return {absl::StrCat("recurrent:", what, ":", sizes.directions, ",",
                       sizes.gates, ",", sizes.bias_blocks, ",", sizes.size),
          tensor};
}

// Weights [directions, gates * size, depth].
absl::StatusOr<Operand> PackWeights(PlanBuilder& builder, const Tensor& tensor,
                                    const RecurrentSizes& sizes,
                                    int64_t depth) {
  return Packed(
      builder, KeyOf("weights", tensor, sizes),
      sizes.directions * sizes.columns() * depth,
      [=](const float* weights, float* packed) {
        const int64_t width = GemmPanelWidth();
        for (int64_t d = 0; d < sizes.directions; ++d) {
          for (int64_t block = 0; block < sizes.blocks(); ++block) {
            for (int64_t gate = 0; gate < sizes.gates; ++gate) {
              const int64_t row =
                  (d * sizes.gates + gate) * sizes.size + block * width;
              PackGemmPanels({weights + row * depth, 1, depth}, depth,
                             std::min(width, sizes.size - block * width), 0, 1,
                             packed);
              packed += depth * width;
            }
          }
        }
      });
}

// Bias [directions, bias_blocks * size].
absl::StatusOr<Operand> PackBias(PlanBuilder& builder, const Tensor& tensor,
                                 const RecurrentSizes& sizes) {
  const int64_t elements =
      sizes.directions * sizes.bias_blocks * sizes.padded_size();
  return Packed(
      builder, KeyOf("bias", tensor, sizes), elements,
      [=](const float* bias, float* packed) {
        const int64_t width = GemmPanelWidth();
        std::fill_n(packed, elements, 0.0f);
        for (int64_t d = 0; d < sizes.directions; ++d) {
          for (int64_t unit = 0; unit < sizes.size; ++unit) {
            const int64_t block = d * sizes.blocks() + unit / width;
            for (int64_t i = 0; i < sizes.bias_blocks; ++i) {
              packed[(block * sizes.bias_blocks + i) * width + unit % width] =
                  bias[(d * sizes.bias_blocks + i) * sizes.size + unit];
            }
          }
        }
      });
}

absl::StatusOr<Operand> ZeroBias(PlanBuilder& builder,
                                 const RecurrentSizes& sizes) {
  const int64_t elements =
      sizes.directions * sizes.bias_blocks * sizes.padded_size();
  return Packed(builder, {"recurrent:zeros", std::vector<Tensor>()}, elements,
                [=](const float*, float* packed) {
                  std::fill_n(packed, elements, 0.0f);
                });
}

}  // namespace

absl::StatusOr<bool> EmitRecurrent(const Node& node, PlanBuilder& builder) {
  const CellAttributes* attributes = CellAttributesOf(node);
  if (attributes == nullptr) return false;
  const RecurrentLayout layout = LayoutOf(node, node.input_count());
  if (!IsOurs(node, *attributes, layout)) return false;
  RecurrentSizes sizes = SizesOf(node, *attributes, layout);
  sizes.threads = builder.settings().threads;

  std::vector<Operand> inputs(7);
  const int places[] = {layout.data, layout.hidden, layout.cell,
                        layout.lengths};
  for (int i = 0; i < 4; ++i) {
    if (places[i] < 0) continue;
    DOVETAIL_ASSIGN_OR_RETURN(inputs[i],
                              builder.ReadPlain(node.input(places[i])));
  }
  const auto constant = [&](int input) -> const Tensor& {
    return *PlanBuilder::PackableConstantOf(node.input(input));
  };
  DOVETAIL_ASSIGN_OR_RETURN(
      inputs[4],
      PackWeights(builder, constant(layout.weights), sizes, sizes.input));
  DOVETAIL_ASSIGN_OR_RETURN(
      inputs[5],
      PackWeights(builder, constant(layout.recurrence), sizes, sizes.size));
  DOVETAIL_ASSIGN_OR_RETURN(
      inputs[6], layout.bias < 0
                     ? ZeroBias(builder, sizes)
                     : PackBias(builder, constant(layout.bias), sizes));
  std::vector<Operand> outputs;
  for (int i = 0; i < node.output_count(); ++i) {
    outputs.push_back(builder.WritePlain(PlanBuilder::OutputOf(node, i)));
  }
  const Operand scratch = builder.Scratch(RecurrentScratchBytes(sizes));
  builder.Add(node, "recurrent_f32", MakeRecurrentStep(sizes), inputs, outputs,
              scratch);
  return true;
}

}  // namespace dovetail::cpu
