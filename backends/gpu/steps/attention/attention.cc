#include "dovetail/backends/gpu/steps/attention/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "dovetail/backends/common/linear/attention_layout.h"
#include "dovetail/backends/gpu/steps/attention/attention_kernel.h"
#include "dovetail/backends/gpu/steps/attention/key_panels.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/linear/problem.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

constexpr Format kFormat = {ElementType::kF32, Layout::kPlanar};

Value ScaleOf(const Node& node) {
  return node.input_count() > 4 ? node.input(4) : Value{};
}

// The number that scores are multiplied with, where it is known.
const Tensor* KnownScale(const Node& node) {
  return ScaleOf(node) ? PlanBuilder::ConstantOf(ScaleOf(node)) : nullptr;
}

AttentionBlock BlockOf(const Node& node, const AttentionLayout& layout,
                       const PlanBuilder& builder) {
  AttentionBlock block = ChooseAttentionBlock(
      builder.lanes().lanes, layout.queries, layout.depth, layout.width);
  if (layout.mask.has_value()) {
    block.mask = layout.mask->value.type() == ElementType::kF32
                     ? AttentionMask::kNumbers
                     : AttentionMask::kFlags;
  }
  block.has_scale = ScaleOf(node) && KnownScale(node) == nullptr;
  block.has_sink = layout.sink.has_value();
  return block;
}

// Six of each product, as the kernel reads them.
std::vector<int64_t> Offsets(const AttentionLayout& layout,
                             const std::vector<int64_t>& keys) {
  std::vector<int64_t> offsets;
  for (int64_t i = 0; i < layout.products(); ++i) {
    const auto of = [i](const std::optional<AttentionMatrices>& matrices) {
      return matrices.has_value() ? matrices->offsets[i] : 0;
    };
    offsets.insert(offsets.end(),
                   {layout.q.offsets[i], keys[i], layout.v.offsets[i],
                    of(layout.mask), of(layout.sink), layout.out.offsets[i]});
  }
  return offsets;
}

absl::Status AddInputs(const Node& node, const AttentionLayout& layout,
                       const AttentionBlock& block, PlanBuilder& builder,
                       Launch& launch) {
  const auto add = [&](const char* name, Value value) -> absl::Status {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                              builder.Read(value, kFormat));
    AddInput(launch, name, "float", operand);
    return absl::OkStatus();
  };
  KeyPanels keys;
  keys.offsets = layout.k.offsets;
  if (block.panel > 0) {
    DOVETAIL_ASSIGN_OR_RETURN(keys,
                              PackKeys(node, layout, block.panel, builder));
  } else {
    DOVETAIL_ASSIGN_OR_RETURN(keys.operand,
                              builder.Read(layout.k.value, kFormat));
  }
  DOVETAIL_RETURN_IF_ERROR(add("q", layout.q.value));
  AddInput(launch, "k", "float", keys.operand);
  DOVETAIL_RETURN_IF_ERROR(add("v", layout.v.value));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand offsets,
                            AddInts(Offsets(layout, keys.offsets), builder));
  AddInput(launch, "offsets", "int", offsets);
  if (block.mask == AttentionMask::kFlags) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand mask,
                              builder.ReadPlain(layout.mask->value));
    AddInput(launch, "mask", "uchar", mask);
  } else if (block.mask == AttentionMask::kNumbers) {
    DOVETAIL_RETURN_IF_ERROR(add("mask", layout.mask->value));
  }
  if (block.has_scale) DOVETAIL_RETURN_IF_ERROR(add("scale_of", ScaleOf(node)));
  if (block.has_sink) DOVETAIL_RETURN_IF_ERROR(add("sink", layout.sink->value));
  return absl::OkStatus();
}

void AddNumbers(const Node& node, const AttentionLayout& layout,
                Launch& launch) {
  const auto row = [](const std::optional<AttentionMatrices>& matrices) {
    return matrices.has_value() ? matrices->row_stride : 0;
  };
  AddInt(launch, "queries", layout.queries);
  AddInt(launch, "keys", layout.keys);
  AddInt(launch, "depth", layout.depth);
  AddInt(launch, "width", layout.width);
  AddInt(launch, "q_row", layout.q.row_stride);
  AddInt(launch, "k_row", layout.k.row_stride);
  AddInt(launch, "v_row", layout.v.row_stride);
  AddInt(launch, "y_row", layout.out.row_stride);
  AddInt(launch, "mask_row", row(layout.mask));
  AddInt(launch, "mask_column",
         layout.mask.has_value() ? layout.mask->column_stride : 0);
  AddInt(launch, "sink_row", row(layout.sink));
  AddInt(launch, "is_causal", layout.causal ? 1 : 0);
  const Tensor* const scale = KnownScale(node);
  AddScalar(launch, "scale",
            scale != nullptr ? scale->data<float>()[0]
                             : 1 / std::sqrt(static_cast<float>(layout.depth)));
}

absl::Status Emit(const Node& node, const AttentionLayout& layout,
                  const AttentionBlock& block, PlanBuilder& builder) {
  Launch launch;
  launch.kernel = "attention_f32";
  DOVETAIL_RETURN_IF_ERROR(AddInputs(node, layout, block, builder, launch));
  AddOutput(launch, "y", "float", builder.Write(layout.out.value, kFormat));
  if (layout.transpose != nullptr) builder.Fuse(*layout.transpose);
  AddNumbers(node, layout, launch);
  AddAttentionText(block, launch.writer);
  launch.range.dims = 2;
  launch.range.global[0] = CeilDivide(layout.queries, int64_t{block.rows});
  launch.range.global[1] = layout.products();
  if (block.lanes == 16) {
    launch.writer.Group(1);
    std::fill_n(launch.range.local, 2, 1);
  }
  builder.AddLaunch(node, std::move(launch));
  return absl::OkStatus();
}

// A custom kernel's node may be of any operation.
bool HasCustomKernels(const PlanBuilder& builder) {
  const auto& custom = builder.settings().custom_kernels;
  return custom != nullptr && !custom->empty();
}

}  // namespace

absl::StatusOr<bool> EmitViewForAttention(const Node& node,
                                          PlanBuilder& builder) {
  return !HasCustomKernels(builder) && IsReadByAttention(node, builder);
}

absl::StatusOr<bool> EmitAttention(const Node& node, PlanBuilder& builder) {
  if (!IsF32Attention(node)) return false;
  const AttentionLayout layout = AttentionLayoutOf(node, builder);
  const AttentionBlock block = BlockOf(node, layout, builder);
  if (block.panel > 0 && KeyPanelElements(layout, block.panel) >
                             std::numeric_limits<int32_t>::max()) {
    return false;
  }
  DOVETAIL_RETURN_IF_ERROR(Emit(node, layout, block, builder));
  return true;
}

}  // namespace dovetail::gpu
