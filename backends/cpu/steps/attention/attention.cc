#include "dovetail/backends/cpu/steps/attention/attention.h"

#include <cmath>
#include <utility>
#include <vector>

#include "dovetail/backends/common/linear/attention_layout.h"
#include "dovetail/backends/common/linear/read_through.h"
#include "dovetail/backends/cpu/compiler/compute_type_of.h"
#include "dovetail/backends/cpu/kernels/attention/narrow/narrow_attention.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/bf16_product.h"
#include "dovetail/backends/cpu/steps/attention/attention_step.h"
#include "dovetail/backends/cpu/steps/attention/rotary.h"
#include "dovetail/backends/cpu/steps/common/quantized_data.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

AttentionProblem ProblemOf(const AttentionLayout& layout) {
  AttentionProblem problem;
  problem.queries = layout.queries;
  problem.keys = layout.keys;
  problem.depth = layout.depth;
  problem.width = layout.width;
  problem.q.stride = layout.q.row_stride;
  problem.k.stride = layout.k.row_stride;
  problem.v.stride = layout.v.row_stride;
  problem.out_stride = layout.out.row_stride;
  problem.causal = layout.causal;
  problem.scale = 1 / std::sqrt(static_cast<float>(layout.depth));
  if (layout.mask.has_value()) {
    problem.mask.row_stride = layout.mask->row_stride;
    problem.mask.column_stride = layout.mask->column_stride;
  }
  if (layout.sink.has_value()) problem.sink_stride = layout.sink->row_stride;
  return problem;
}

AttentionStepOptions OptionsOf(const Node& node, const AttentionLayout& layout,
                               int threads) {
  AttentionStepOptions options;
  options.threads = threads;
  options.problem = ProblemOf(layout);
  options.q = layout.q.offsets;
  options.k = layout.k.offsets;
  options.v = layout.v.offsets;
  options.out = layout.out.offsets;
  options.has_mask = layout.mask.has_value();
  options.has_scale = node.input_count() > 4 && node.input(4);
  options.has_sink = layout.sink.has_value();
  if (options.has_mask) {
    options.mask_is_boolean = layout.mask->value.type() != ElementType::kF32;
    options.mask = layout.mask->offsets;
  }
  if (options.has_sink) options.sink = layout.sink->offsets;
  return options;
}

// Factors of many queries are rounded to bf16 where that is asked for, unless
// they are of few levels, and these no whole numbers.
bool IsNarrow(const Node& node, const AttentionLayout& layout,
              const CompileSettings& settings) {
  if (FasterTypeOf(node, settings) != ElementType::kBf16) return false;
  for (int i = 0; i < 3; ++i) {
    const Value factor = node.input(i);
    if (IsOfQuantized(factor) && !IsOfWholeLevels(factor)) return false;
  }
  // What conversions cost is less than what products save: of tiles, which are
  // filled up, with 197 keys of 64 elements, but not with 49 of 32 (Xeon with
  // AMX); of dot products with these and with 77 of 8, too (Zen 4).
  const int64_t least_products = HasBf16Tiles() ? 8192 : 1024;
  return HasNarrowAttention(layout.depth) &&
         !AttentionReadsInPlace(layout.queries, layout.width) &&
         layout.keys * (layout.depth + layout.width) >= least_products;
}

}  // namespace

absl::StatusOr<bool> EmitViewForAttention(const Node& node,
                                          PlanBuilder& builder) {
  return IsReadThrough(node, builder, [](const Use& use) {
    return (use.input < 3 && IsF32Attention(*use.node)) || IsReadByRotary(use);
  });
}

absl::StatusOr<bool> EmitAttention(const Node& node, PlanBuilder& builder) {
  if (!IsF32Attention(node)) return false;
  const AttentionLayout layout = AttentionLayoutOf(node, builder);
  AttentionStepOptions options =
      OptionsOf(node, layout, builder.settings().threads);
  options.is_narrow = IsNarrow(node, layout, builder.settings());
  const Value result = layout.out.value;
  const ElementType type =
      options.is_narrow ? builder.StoredTypeOf(result) : ElementType::kF32;
  options.stores_narrow = type == ElementType::kBf16;
  const Value values[] = {layout.q.value,
                          layout.k.value,
                          layout.v.value,
                          options.has_mask ? layout.mask->value : Value{},
                          options.has_scale ? node.input(4) : Value{},
                          options.has_sink ? layout.sink->value : Value{}};
  std::vector<Operand> inputs;
  for (const Value value : values) {
    inputs.emplace_back();
    if (!value) continue;
    DOVETAIL_ASSIGN_OR_RETURN(inputs.back(), builder.ReadPlain(value));
  }
  if (layout.transpose != nullptr) builder.Fuse(*layout.transpose);
  const Operand output = builder.Write(result, {type, Layout::kPlanar});
  const Operand scratch = builder.Scratch(AttentionScratchBytes(options));
  builder.Add(node, options.is_narrow ? "attention_bf16" : "attention_f32",
              MakeAttentionStep(std::move(options)), inputs, {output}, scratch);
  return true;
}

}  // namespace dovetail::cpu
