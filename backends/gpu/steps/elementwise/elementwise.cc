#include "dovetail/backends/gpu/steps/elementwise/elementwise.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/fusion/elementwise_group.h"
#include "dovetail/backends/gpu/codegen/registers.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/codegen/vector_text.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/elementwise/group_layout.h"
#include "dovetail/backends/gpu/steps/elementwise/group_operands.h"
#include "dovetail/backends/gpu/steps/elementwise/group_text.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

// More operands and more code make a kernel no faster.
constexpr size_t kMaxNodes = 24;
constexpr size_t kMaxInputs = 8;
constexpr size_t kMaxExtents = 6;

// Dividing an integer by 0 is an error, which only the host tells: other
// divisors are known.
bool DividesFloatsOrByKnown(const Node& node) {
  if (!node.Is("Divide") && !node.Is("Mod") && !node.Is("FloorMod")) {
    return true;
  }
  if (IsFloat(node.port().type)) return true;
  const Tensor* const divisors = PlanBuilder::ConstantOf(node.input(1));
  if (divisors == nullptr) return false;
  for (int64_t i = 0; i < divisors->element_count(); ++i) {
    if (divisors->ElementAsDouble(i) == 0) return false;
  }
  return true;
}

bool CanCompute(const Node& node) {
  return ExpressionOf(node).has_value() && DividesFloatsOrByKnown(node);
}

ElementwiseGroup GroupOf(const Node& node, const PlanBuilder& builder) {
  const auto takes = [&](const Node& other) {
    return !builder.IsDone(other) && builder.CustomKernelOf(other) == nullptr &&
           CanCompute(other);
  };
  const auto reads = [&](const Node& other, int i) {
    return builder.IsReady(other.input(i));
  };
  // Half precision is rounded in memory only.
  const auto is_readable = [](const Node& other) {
    return IsComputedType(other.port().type);
  };
  return GrowGroup(node, /*is_member=*/true,
                   {takes, reads, is_readable, kMaxNodes, kMaxInputs});
}

// A group's kernel while it is put together.
class GroupKernel {
 public:
  GroupKernel(const ElementwiseGroup& group, PlanBuilder& builder)
      : group_(group),
        builder_(builder),
        operands_(group, builder),
        layout_(operands_, group.shape, builder),
        results_(group.Outputs()) {}

  absl::StatusOr<bool> Emit() {
    if (layout_.walk.extents.size() > kMaxExtents) return false;
    Launch launch;
    launch.kernel =
        KernelName(absl::StrCat("elementwise_", group_.nodes.size()),
                   group_.nodes[0]->port().type);
    DOVETAIL_RETURN_IF_ERROR(AddBuffers(launch));
    AllowInPlace(launch);
    AddSizes(launch);
    AddNumbers(launch);
    AddText(launch);
    for (size_t i = 1; i < group_.nodes.size(); ++i) {
      builder_.Fuse(*group_.nodes[i]);
    }
    builder_.AddLaunch(*group_.nodes[0], std::move(launch));
    return true;
  }

 private:
  absl::Status AddBuffers(Launch& launch) {
    for (size_t i = 0; i < operands_.inputs.size(); ++i) {
      const GroupInput& input = operands_.inputs[i];
      DOVETAIL_ASSIGN_OR_RETURN(
          const Operand operand,
          builder_.Read(input.value, layout_.FormatOf(input)));
      AddInput(launch, absl::StrCat("x", i), ClType(input.stored), operand);
    }
    for (size_t i = 0; i < results_.size(); ++i) {
      const Value value = PlanBuilder::OutputOf(*results_[i]);
      const Format format = builder_.StorageFormat(value, layout_.layout);
      AddOutput(launch, absl::StrCat("y", i), ClType(format.type),
                builder_.Write(value, format));
    }
    return absl::OkStatus();
  }

  // Each work item reads its elements before it writes them.
  void AllowInPlace(const Launch& launch) {
    if (results_.size() != 1) return;
    for (size_t i = 0; i < operands_.inputs.size(); ++i) {
      const Value value = operands_.inputs[i].value;
      if (PlanBuilder::ShapeOf(value) == group_.shape &&
          launch.inputs[i].format.type == launch.outputs[0].format.type &&
          !PlanBuilder::IsConstant(value)) {
        builder_.AllowInPlace(launch.outputs[0], launch.inputs[i],
                              /*alone=*/true);
        return;
      }
    }
  }

  // Extents but the outermost, and strides but the innermost.
  void AddSizes(Launch& launch) {
    const BroadcastWalk& walk = layout_.walk;
    AddInt(launch, "inner", walk.inner());
    AddInt(launch, "rows", walk.rows());
    AddInt(launch, "outer", walk.outer() / walk.rows());
    const size_t last = walk.extents.size() - 1;
    for (size_t d = 1; d + 1 < last; ++d) {
      AddInt(launch, absl::StrCat("extent", d), walk.extents[d]);
    }
    for (size_t k = 0; k < walk.strides.size(); ++k) {
      for (size_t d = 0; d < last; ++d) {
        AddInt(launch, absl::StrCat("stride", k, "_", d), walk.strides[k][d]);
      }
    }
    if (!layout_.is_padded) return;
    AddInt(launch, "channels", layout_.channels);
    AddInt(launch, "blocks", layout_.blocks);
    AddInt(launch, "outer_of_block", layout_.outer_of_block);
  }

  void AddNumbers(Launch& launch) {
    for (size_t i = 0; i < operands_.numbers.size(); ++i) {
      AddScalar(launch, absl::StrCat("n", i), operands_.numbers[i]);
    }
  }

  void AddText(Launch& launch) {
    const int lanes = builder_.lanes().lanes;
    AddFloatFunctions(layout_.float_type, lanes, launch.writer);
    for (const GroupMember& member : operands_.members) {
      for (const int count : {lanes, 1}) {
        for (const std::string& text : member.expression.Functions(count)) {
          launch.writer.Helper(text);
        }
      }
    }
    launch.writer.Body(GroupBody(operands_, layout_, results_, lanes));
    launch.range = RangeOf(layout_.walk, lanes);
  }

  // Groups have many rows where these are short: a group costs as much as some
  // hundred elements. Their sizes are powers of two, as drivers of processors
  // compile a kernel again for every size.
  NdRange RangeOf(const BroadcastWalk& walk, int lanes) const {
    const int64_t items[] = {CeilDivide(walk.inner(), int64_t{lanes}),
                             walk.rows(), walk.outer() / walk.rows()};
    NdRange range;
    range.dims = 3;
    int64_t left = builder_.lanes().group;
    for (int i = 0; i < range.dims; ++i) {
      const uint64_t enough = std::bit_ceil(static_cast<uint64_t>(items[i]));
      const int64_t size = std::min(left, static_cast<int64_t>(enough));
      range.local[i] = size;
      range.global[i] = CeilDivide(items[i], size) * size;
      left /= size;
    }
    return range;
  }

  const ElementwiseGroup& group_;
  PlanBuilder& builder_;
  const GroupOperands operands_;
  const GroupLayout layout_;
  const std::vector<const Node*> results_;
};

}  // namespace

absl::StatusOr<bool> EmitElementwise(const Node& node, PlanBuilder& builder) {
  if (!CanCompute(node)) return false;
  ElementwiseGroup group = GroupOf(node, builder);
  DOVETAIL_ASSIGN_OR_RETURN(const bool emitted,
                            GroupKernel(group, builder).Emit());
  if (emitted || group.nodes.size() == 1) return emitted;
  // Fewer operands may be walked together.
  group.nodes.resize(1);
  return GroupKernel(group, builder).Emit();
}

}  // namespace dovetail::gpu
