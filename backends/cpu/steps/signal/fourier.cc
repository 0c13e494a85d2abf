#include "dovetail/backends/cpu/steps/signal/fourier.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/backends/common/kernels/signal/fourier.h"
#include "dovetail/backends/common/kernels/signal/fourier_plan.h"
#include "dovetail/backends/cpu/steps/common/scratch_slots.h"
#include "dovetail/backends/cpu/steps/movement/moved_view.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

// What is worth waking a thread for.
constexpr int64_t kElementsAtATime = 1 << 13;

// Some lines are computed at a time, whose scratch memory no cache would hold
// if they were longer.
constexpr int64_t kLongest = int64_t{1} << 16;

constexpr int64_t kCacheLine = 16;  // in numbers

int64_t WholeLines(int64_t numbers) {
  return CeilDivide(numbers, kCacheLine) * kCacheLine;
}

struct AxisPass {
  std::shared_ptr<const host::FourierPlan> plan;
  host::FourierPass pass;

  int64_t OutLength() const { return host::FourierOutLength(*plan, pass.kind); }
  int64_t OutNumbers() const {
    const bool is_real = pass.kind == host::FourierKind::kRealInverse;
    return pass.outer * OutLength() * pass.inner * (is_real ? 1 : 2);
  }
  // Whether it can write where it reads.
  bool KeepsSize() const {
    return (pass.kind == host::FourierKind::kForward ||
            pass.kind == host::FourierKind::kInverse) &&
           pass.in_length == plan->length();
  }
};

class FourierStep : public Step {
 public:
  FourierStep(std::vector<AxisPass> passes, int threads)
      : passes_(std::move(passes)),
        places_(passes_.size(), kOutput),
        slots_(ScratchSlots::For(threads)) {
    for (const AxisPass& pass : passes_) {
      slot_ =
          std::max(slot_, WholeLines(host::FourierScratchElements(*pass.plan)));
    }
    scratch_ = slots_ * slot_;
    for (size_t i = passes_.size() - 1; i-- > 0;) {
      if (passes_[i + 1].KeepsSize()) {
        places_[i] = places_[i + 1];
      } else {
        places_[i] = scratch_;
        scratch_ += WholeLines(passes_[i].OutNumbers());
      }
    }
  }

  int64_t scratch_bytes() const {
    return scratch_ * static_cast<int64_t>(sizeof(float));
  }

  absl::Status Run(const StepRun& run) const override {
    float* const scratch = static_cast<float*>(run.scratch);
    const float* in = run.input<float>(0);
    for (size_t i = 0; i < passes_.size(); ++i) {
      float* const out =
          places_[i] == kOutput ? run.output<float>() : scratch + places_[i];
      RunPass(passes_[i], in, out, scratch, run.environment->team());
      in = out;
    }
    return absl::OkStatus();
  }

 private:
  static constexpr int64_t kOutput = -1;

  void RunPass(const AxisPass& axis, const float* in, float* out,
               float* scratch, WorkTeam& team) const {
    const host::FourierPass& pass = axis.pass;
    const int64_t units = host::FourierUnits(pass);
    const int64_t elements =
        axis.plan->elements() * CeilDivide(pass.outer * pass.inner, units);
    ScratchSlots slots(slots_);
    ParallelFor(team, units, CeilDivide(kElementsAtATime, elements),
                [&](int64_t begin, int64_t end) {
                  const int slot = slots.Take();
                  host::RunFourier(*axis.plan, pass, in, out, begin, end,
                                   scratch + slot * slot_);
                  slots.Return(slot);
                });
  }

  const std::vector<AxisPass> passes_;
  // Where each writes: numbers behind the scratch memory's first, or kOutput.
  std::vector<int64_t> places_;
  const int slots_;
  int64_t slot_ = 0, scratch_ = 0;  // in numbers
};

// Passes over data of `shape`, which each of them changes.
class PassList {
 public:
  explicit PassList(const Shape& shape) : shape_(shape) {}

  void Add(host::FourierKind kind, int axis, int64_t length) {
    const bool real = kind == host::FourierKind::kRealForward ||
                      kind == host::FourierKind::kRealInverse;
    auto plan = PlanOf(length, real);
    const host::FourierPass pass = {kind, shape_.Count(0, axis), shape_[axis],
                                    shape_.Count(axis + 1, shape_.rank())};
    shape_[axis] = host::FourierOutLength(*plan, kind);
    passes_.push_back({std::move(plan), pass});
  }
  std::vector<AxisPass> Take() { return std::move(passes_); }

 private:
  std::shared_ptr<const host::FourierPlan> PlanOf(int64_t length,
                                                  bool real) const {
    for (const AxisPass& pass : passes_) {
      if (pass.plan->length() == length && pass.plan->real() == real) {
        return pass.plan;
      }
    }
    return std::make_shared<const host::FourierPlan>(length, real);
  }

  Shape shape_;
  std::vector<AxisPass> passes_;
};

// What an operation does with which lengths of its axes.
struct Transform {
  bool real_in, real_out, inverse;
  std::vector<int> axes;
  std::vector<int64_t> lengths;
};

// The length of an RDFT along its last axis, of which the result has only half.
std::optional<int64_t> RealLength(const Node& node, int axis) {
  const int64_t own = PlanBuilder::ShapeOf(node.input(0))[axis];
  if (node.input_count() < 3) return own;
  const auto sizes = ConstantList(node, 2);
  if (!sizes || sizes->empty()) return std::nullopt;
  return sizes->back() == -1 ? own : sizes->back();
}

std::optional<Transform> TransformOf(const Node& node) {
  const auto axes = ConstantList(node, 1);
  if (node.input(0).type() != ElementType::kF32 || !axes || axes->empty()) {
    return std::nullopt;
  }
  Transform transform = {node.Is("RDFT"),
                         node.Is("IRDFT"),
                         node.Is("IDFT") || node.Is("IRDFT"),
                         {},
                         {}};
  const Shape out = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  const int rank = out.rank() - (transform.real_out ? 0 : 1);
  for (const int64_t axis : *axes) {
    transform.axes.push_back(static_cast<int>(axis < 0 ? axis + rank : axis));
    transform.lengths.push_back(out[transform.axes.back()]);
  }
  if (transform.real_in) {
    const auto length = RealLength(node, transform.axes.back());
    if (!length) return std::nullopt;
    transform.lengths.back() = *length;
  }
  for (const int64_t length : transform.lengths) {
    if (length < 1 || length > kLongest) return std::nullopt;
  }
  return transform;
}

// Real numbers are first or last, along the last axis.
std::vector<AxisPass> PassesOf(const Transform& transform, const Shape& data) {
  PassList passes(transform.real_in
                      ? data
                      : Shape(data.dims().subspan(0, data.rank() - 1)));
  const size_t last = transform.axes.size() - 1;
  const auto add = [&](host::FourierKind kind, size_t i) {
    passes.Add(kind, transform.axes[i], transform.lengths[i]);
  };
  const host::FourierKind kind = transform.inverse
                                     ? host::FourierKind::kInverse
                                     : host::FourierKind::kForward;
  if (transform.real_in) add(host::FourierKind::kRealForward, last);
  for (size_t i = 0; i < last; ++i) add(kind, i);
  if (transform.real_out) {
    add(host::FourierKind::kRealInverse, last);
  } else if (!transform.real_in) {
    add(kind, last);
  }
  return passes.Take();
}

}  // namespace

absl::StatusOr<bool> EmitFourier(const Node& node, PlanBuilder& builder) {
  const auto transform = TransformOf(node);
  if (!transform) return false;
  const Value data = node.input(0);
  std::vector<AxisPass> passes =
      PassesOf(*transform, PlanBuilder::ShapeOf(data));
  bool keeps_size = true;
  for (const AxisPass& pass : passes) keeps_size &= pass.KeepsSize();
  auto step = std::make_unique<FourierStep>(std::move(passes),
                                            builder.settings().threads);
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input, builder.ReadPlain(data));
  const Operand output = builder.WritePlain(PlanBuilder::OutputOf(node));
  if (keeps_size) builder.AllowInPlace(output, input);
  const Operand scratch = builder.Scratch(step->scratch_bytes());
  builder.Add(node, "fourier", std::move(step), {input}, {output}, scratch);
  return true;
}

}  // namespace dovetail::cpu
