#include "dovetail/backends/cpu/steps/recurrent/recurrent.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/compiler/compute_type_of.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/backends/cpu/kernels/recurrent/weight_codes.h"
#include "dovetail/backends/cpu/onednn/isa.h"
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

// How long to multiply with each weight for so many products, and to read it.
double TimeOf(const Tensor& weights, int64_t products, double bytes_of_weight,
              double speed, const CompileSettings& settings) {
  const auto elements = static_cast<double>(weights.element_count());
  return std::max(settings.machine_model().ReadNs(elements * bytes_of_weight),
                  elements * static_cast<double>(products) / speed);
}

// For 64 products of f32 there are 16 instructions on the same vectors, of
// pairs of 16 bits 20, which pays where f32 waits for weights, or, without a
// low part, 11.
bool ArePairsFaster(NarrowForm pairs, const Tensor& weights, int64_t products,
                    const CompileSettings& settings) {
  const double speed = 16.0 / (pairs == NarrowForm::kPairs ? 20 : 11);
  const double f32 = settings.machine_model().f32();
  return !HasDotProducts() && GemmPanelWidth() == NarrowPanelWidth(pairs) &&
         TimeOf(weights, products, 1, speed * f32, settings) <
             TimeOf(weights, products, 4, f32, settings);
}

// The form of codes that is as exact as what is asked for.
NarrowForm CodesOf(ElementType type, const Tensor& weights, int64_t products,
                   const CompileSettings& settings) {
  const bool is_16 = type == ElementType::kBf16 || settings.rounds_activations;
  const NarrowForm codes = is_16 ? NarrowForm::kCodes16 : NarrowForm::kCodes24;
  if (HasNarrowProducts(codes)) return codes;
  const int64_t depth = weights.shape().back();
  const NarrowForm pairs =
      is_16 && depth <= MaxNarrowDepth(NarrowForm::kPairs16)
          ? NarrowForm::kPairs16
          : NarrowForm::kPairs;
  return ArePairsFaster(pairs, weights, products, settings) ? pairs
                                                            : NarrowForm::kNone;
}

bool HasCodes(const Tensor& weights) {
  const int64_t depth = weights.shape().back();
  // Looked at once: no copy of it has to stay.
  const absl::StatusOr<Tensor> aligned = weights.Aligned();
  return aligned.ok() && RowsHaveCodes(aligned->data<float>(),
                                       aligned->element_count() / depth, depth);
}

// Weights that were integers stay so, with data as exact as the type that is
// asked for; others are rounded to that type where it is faster. `products` is
// how many of them there are with each weight while it is in the cache: few
// wait for the weights.
NarrowForm FormOf(const Node& node, int input, int64_t products,
                  const CompileSettings& settings) {
  const Tensor& weights = *PlanBuilder::ConstantOf(node.input(input));
  const int64_t depth = weights.shape().back();
  const ElementType type = ComputeTypeOf(node, settings);
  const NarrowForm codes = CodesOf(type, weights, products, settings);
  if (depth < 1 || depth > MaxNarrowDepth(codes)) return NarrowForm::kNone;
  if (HasNarrowProducts(codes) && HasCodes(weights)) return codes;
  if (type != ElementType::kBf16 || !HasNarrowProducts(NarrowForm::kBf16)) {
    return NarrowForm::kNone;
  }
  const MachineModel& machine = settings.machine_model();
  return TimeOf(weights, products, 2, machine.bf16, settings) <
                 TimeOf(weights, products, 4, machine.f32(), settings)
             ? NarrowForm::kBf16
             : NarrowForm::kNone;
}

// What `fill` writes to `bytes`, of the key's constant if there is one.
template <typename Fill>
absl::StatusOr<Operand> Packed(PlanBuilder& builder, const PackingKey& key,
                               int64_t bytes, Fill fill) {
  const auto pack = [fill](absl::Span<const Tensor> constants, void* packed,
                           int) {
    fill(constants.empty() ? nullptr : constants[0].data<float>(), packed);
    return absl::OkStatus();
  };
  return builder.GetOrPack(key, bytes, pack);
}

PackingKey KeyOf(const char* what, const Tensor& tensor,
                 const RecurrentSizes& sizes) {
  return {absl::StrCat("recurrent:", what, ":", sizes.directions, ",",
                       sizes.gates, ",", sizes.bias_blocks, ",", sizes.size),
          tensor};
}

void PackPanel(NarrowForm form, const float* rows, int64_t count, int64_t depth,
               void* packed) {
  if (form != NarrowForm::kNone) {
    return PackNarrowPanel(form, rows, count, depth, packed);
  }
  PackGemmPanels({rows, 1, depth}, depth, count, 0, 1,
                 static_cast<float*>(packed));
}

// Weights [directions, gates * size, depth].
absl::StatusOr<Operand> PackWeights(PlanBuilder& builder, const Tensor& tensor,
                                    const RecurrentSizes& sizes,
                                    NarrowForm form) {
  const int64_t depth = tensor.shape().back();
  const int64_t panel_bytes = sizes.PanelBytes(form, depth);
  PackingKey key = KeyOf("weights", tensor, sizes);
  absl::StrAppend(&key.form, ":", form);
  return Packed(
      builder, key,
      sizes.directions * sizes.blocks() * sizes.gates * panel_bytes,
      [=](const float* weights, void* packed) {
        const int64_t width = GemmPanelWidth();
        auto* to = static_cast<char*>(packed);
        for (int64_t d = 0; d < sizes.directions; ++d) {
          for (int64_t block = 0; block < sizes.blocks(); ++block) {
            for (int64_t gate = 0; gate < sizes.gates; ++gate) {
              const int64_t row =
                  (d * sizes.gates + gate) * sizes.size + block * width;
              PackPanel(form, weights + row * depth,
                        std::min(width, sizes.size - block * width), depth, to);
              to += panel_bytes;
            }
          }
        }
      });
}

int64_t BiasBytes(const RecurrentSizes& sizes) {
  return sizes.directions * sizes.bias_blocks * sizes.padded_size() *
         static_cast<int64_t>(sizeof(float));
}

// Bias [directions, bias_blocks * size].
absl::StatusOr<Operand> PackBias(PlanBuilder& builder, const Tensor& tensor,
                                 const RecurrentSizes& sizes) {
  const int64_t bytes = BiasBytes(sizes);
  return Packed(
      builder, KeyOf("bias", tensor, sizes), bytes,
      [=](const float* bias, void* to) {
        const int64_t width = GemmPanelWidth();
        auto* const packed = static_cast<float*>(to);
        std::memset(packed, 0, bytes);
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
  const int64_t bytes = BiasBytes(sizes);
  return Packed(builder, {"recurrent:zeros", std::vector<Tensor>()}, bytes,
                [bytes](const float*, void* packed) {
                  std::memset(packed, 0, bytes);
                });
}

// By the products that come step by step.
absl::string_view KernelOf(const RecurrentSizes& sizes) {
  if (IsOfCodes(sizes.state_form)) return "recurrent_int8";
  return sizes.state_form == NarrowForm::kBf16 ? "recurrent_bf16"
                                               : "recurrent_f32";
}

}  // namespace

absl::StatusOr<bool> EmitRecurrent(const Node& node, PlanBuilder& builder) {
  const CellAttributes* attributes = CellAttributesOf(node);
  if (attributes == nullptr) return false;
  const RecurrentLayout layout = LayoutOf(node, node.input_count());
  if (!IsOurs(node, *attributes, layout)) return false;
  RecurrentSizes sizes = SizesOf(node, *attributes, layout);
  const CompileSettings& settings = builder.settings();
  sizes.threads = settings.threads;
  sizes.data_form =
      FormOf(node, layout.weights, sizes.batch * sizes.time, settings);
  sizes.state_form = FormOf(node, layout.recurrence, sizes.batch, settings);

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
      inputs[4], PackWeights(builder, constant(layout.weights), sizes,
                             sizes.data_form));
  DOVETAIL_ASSIGN_OR_RETURN(
      inputs[5], PackWeights(builder, constant(layout.recurrence), sizes,
                             sizes.state_form));
  DOVETAIL_ASSIGN_OR_RETURN(
      inputs[6], layout.bias < 0
                     ? ZeroBias(builder, sizes)
                     : PackBias(builder, constant(layout.bias), sizes));
  std::vector<Operand> outputs;
  for (int i = 0; i < node.output_count(); ++i) {
    outputs.push_back(builder.WritePlain(PlanBuilder::OutputOf(node, i)));
  }
  const Operand scratch = builder.Scratch(RecurrentScratchBytes(sizes));
  builder.Add(node, KernelOf(sizes), MakeRecurrentStep(sizes), inputs, outputs,
              scratch);
  return true;
}

}  // namespace dovetail::cpu
