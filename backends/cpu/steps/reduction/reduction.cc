#include "dovetail/backends/cpu/steps/reduction/reduction.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "dovetail/backends/common/kernels/reduction/byte_sums.h"
#include "dovetail/backends/common/kernels/reduction/reduce.h"
#include "dovetail/backends/cpu/steps/movement/moved_view.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"
#include "dovetail/core/ops/reduction/reduce.h"
#include "dovetail/transformations/low_precision/analysis/quantization_params.h"

namespace dovetail::cpu {
namespace {

// What is worth waking a thread for.
constexpr int64_t kElementsAtATime = 1 << 14;

using Flags = absl::InlinedVector<bool, 6>;

std::optional<host::ReduceKind> KindOf(const Node& node) {
  struct Row {
    OpType type;
    host::ReduceKind kind;
  };
  constexpr Row kRows[] = {
      {"ReduceSum", host::ReduceKind::kSum},
      {"ReduceMean", host::ReduceKind::kMean},
      {"ReduceMax", host::ReduceKind::kMax},
      {"ReduceMin", host::ReduceKind::kMin},
      {"ReduceProd", host::ReduceKind::kProduct},
      {"ReduceL1", host::ReduceKind::kL1},
      {"ReduceL2", host::ReduceKind::kL2},
  };
  for (const Row& row : kRows) {
    if (node.Is(row.type)) return row.kind;
  }
  return std::nullopt;
}

// The numbers that are read: f32, or u8 or i8, of which averages are
// dequantized instead of the numbers, as they are fewer.
struct Numbers {
  ElementType type = ElementType::kF32;
  float zero_point = 0;
  float scale = 1;

  bool is_dequantized() const { return zero_point != 0 || scale != 1; }
};

// What the node reduces, and how.
struct Reduction {
  host::ReduceKind kind;
  std::vector<int64_t> axes;
  bool keep_dims;
  Value data;
  Numbers numbers;
};

void ReadBytes(Reduction& reduction) {
  const auto found = MatchDequantization(reduction.data);
  if (!found.has_value() || found->params.is_per_channel() ||
      PlanBuilder::IsConstant(found->integers)) {
    return;
  }
  reduction.data = found->integers;
  reduction.numbers = {found->integers.type(), found->params.zero_point[0],
                       found->params.scale[0]};
}

// Of any node; nothing: the kernels lack it.
std::optional<Reduction> ReductionOf(const Node& node) {
  const auto* attributes = node.As<ReduceAttributes>();
  const auto kind = KindOf(node);
  if (attributes == nullptr || !kind) return std::nullopt;
  const auto axes = ConstantList(node, 1);
  const Value data = node.input(0);
  if (!axes || data.type() != ElementType::kF32 ||
      PlanBuilder::ShapeOf(data).rank() == 0) {
    return std::nullopt;
  }
  Reduction reduction = {*kind, *axes, attributes->keep_dims, data, {}};
  if (*kind == host::ReduceKind::kMean) ReadBytes(reduction);
  return reduction;
}

class ReduceStep : public Step {
 public:
  ReduceStep(host::ReduceKind kind, const Numbers& numbers,
             std::vector<host::ReduceStage> stages, int64_t count)
      : kind_(kind),
        numbers_(numbers),
        stages_(std::move(stages)),
        count_(count) {}

  // Of what is between two stages: one after the other.
  int64_t scratch_bytes() const {
    int64_t elements = 0;
    for (size_t i = 0; i + 1 < stages_.size(); ++i) {
      elements += Rounded(stages_[i].out_count());
    }
    return elements * static_cast<int64_t>(sizeof(float));
  }

  absl::Status Run(const StepRun& run) const override {
    const void* in = run.input<void>(0);
    float* free = static_cast<float*>(run.scratch);
    for (size_t i = 0; i < stages_.size(); ++i) {
      const host::ReduceStage& stage = stages_[i];
      const bool is_last = i + 1 == stages_.size();
      float* const out = is_last ? run.output<float>() : free;
      const int64_t units = stage.units();
      const int64_t grain = std::max<int64_t>(
          1, kElementsAtATime * units / std::max<int64_t>(1, stage.in_count()));
      ParallelFor(run.environment->team(), units, grain,
                  [&](int64_t begin, int64_t end) {
                    RunStage(i, in, out, begin, end);
                  });
      in = out;
      if (!is_last) free += Rounded(stage.out_count());
    }
    if (host::NeedsFinish(kind_)) {
      ParallelFor(run.environment->team(), stages_.back().out_count(),
                  kElementsAtATime, [&](int64_t begin, int64_t end) {
                    Finish(run.output<float>(), begin, end);
                  });
    }
    return absl::OkStatus();
  }

 private:
  // Units [begin, end).
  void RunStage(size_t i, const void* in, float* out, int64_t begin,
                int64_t end) const {
    const host::ReduceStage& stage = stages_[i];
    if (i == 0 && numbers_.type == ElementType::kU8) {
      host::RunByteSums(stage, static_cast<const uint8_t*>(in), out, begin,
                        end);
    } else if (i == 0 && numbers_.type == ElementType::kI8) {
      host::RunByteSums(stage, static_cast<const int8_t*>(in), out, begin, end);
    } else {
      host::RunReduceStage(kind_, i == 0, stage, static_cast<const float*>(in),
                           out, begin, end);
    }
  }

  // Results [begin, end).
  void Finish(float* results, int64_t begin, int64_t end) const {
    host::FinishReduce(kind_, count_, results, begin, end);
    if (!numbers_.is_dequantized()) return;
    for (int64_t i = begin; i < end; ++i) {
      results[i] = (results[i] - numbers_.zero_point) * numbers_.scale;
    }
  }

  static int64_t Rounded(int64_t elements) {
    constexpr int64_t kLine = 16;
    return (elements + kLine - 1) / kLine * kLine;
  }

  const host::ReduceKind kind_;
  const Numbers numbers_;
  const std::vector<host::ReduceStage> stages_;
  const int64_t count_;
};

// Whether the reduction can be done on data in that layout, and in which one
// the result then is.
std::optional<Layout> ResultLayout(const Shape& shape, const Flags& reduced,
                                   bool keep_dims, Layout layout) {
  if (layout == Layout::kPlanar) return layout;
  if (reduced[0] || reduced[1]) return std::nullopt;
  const int64_t block = ChannelBlock(layout);
  const bool fills_blocks = shape[1] % block == 0;
  if (keep_dims) return layout;
  const bool all = std::all_of(reduced.begin() + 2, reduced.end(),
                               [](bool flag) { return flag; });
  if (!all || !fills_blocks) return std::nullopt;
  return Layout::kPlanar;  // [N, C]
}

Flags StoredFlags(const Flags& reduced, Layout layout) {
  Flags stored = reduced;
  if (layout == Layout::kPlanar) return stored;
  if (layout == Layout::kChannelsLast) stored.erase(stored.begin() + 1);
  stored.push_back(false);  // channels, or a block of them
  return stored;
}

absl::StatusOr<Flags> ReducedFlags(const std::vector<int64_t>& axes, int rank) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<bool> flags,
                            ReducedAxes(axes, rank));
  return Flags(flags.begin(), flags.end());
}

}  // namespace

absl::StatusOr<bool> EmitReduction(const Node& node, PlanBuilder& builder) {
  const auto reduction = ReductionOf(node);
  if (!reduction.has_value()) return false;
  const Value data = reduction->data;
  const Shape shape = PlanBuilder::ShapeOf(data);
  DOVETAIL_ASSIGN_OR_RETURN(const Flags reduced,
                            ReducedFlags(reduction->axes, shape.rank()));
  Format format = {data.type(), builder.FormatOf(data).layout};
  Format result = {ElementType::kF32, format.layout};
  if (const auto layout =
          ResultLayout(shape, reduced, reduction->keep_dims, format.layout)) {
    result.layout = *layout;
  } else {
    format.layout = result.layout = Layout::kPlanar;
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input, builder.Read(data, format));
  const Operand output = builder.Write(PlanBuilder::OutputOf(node), result);
  int64_t count = 1;
  for (int i = 0; i < shape.rank(); ++i) count *= reduced[i] ? shape[i] : 1;
  auto step = std::make_unique<ReduceStep>(
      reduction->kind, reduction->numbers,
      host::DivideLongStages(
          host::ReduceStages(StoredShape(shape, format.layout).dims(),
                             StoredFlags(reduced, format.layout)),
          kElementsAtATime),
      count);
  const Operand scratch = builder.Scratch(step->scratch_bytes());
  builder.Add(node, "reduce", std::move(step), {input}, {output}, scratch);
  return true;
}

bool ReductionReadsBytes(const Node& node) {
  const auto reduction = ReductionOf(node);
  return reduction.has_value() && reduction->numbers.type != ElementType::kF32;
}

}  // namespace dovetail::cpu
