#include "dovetail/backends/cpu/steps/attention/attention_step.h"

#include <algorithm>
#include <map>
#include <utility>

#include "dovetail/backends/cpu/kernels/attention/narrow/narrow_attention.h"
#include "dovetail/backends/cpu/steps/common/scratch_slots.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

// Less is not worth handing to another thread.
constexpr int64_t kLeastMultiplications = int64_t{1} << 15;

// The functions of a kernel, with the meaning that attention.h gives them.
struct Kernel {
  int64_t (*rows_at_a_time)(int64_t queries, int64_t keys);
  int64_t (*packed_elements)(const AttentionProblem& problem);
  void (*pack)(const AttentionProblem& problem, float* packed);
  int64_t (*scratch_elements)(const AttentionProblem& problem, int64_t rows);
  void (*run)(const AttentionProblem& problem, const float* packed,
              int64_t row_begin, int64_t row_end, float* scratch);
};

constexpr Kernel kWide = {&AttentionRowsAtATime, &PackedAttentionElements,
                          &PackAttention,
                          [](const AttentionProblem& problem, int64_t rows) {
                            return AttentionScratchElements(rows, problem.keys);
                          },
                          &RunAttention};
constexpr Kernel kNarrow = {
    &NarrowAttentionRowsAtATime, &PackedNarrowAttentionElements,
    &PackNarrowAttention, &NarrowAttentionScratchElements, &RunNarrowAttention};

class AttentionStep : public Step {
 public:
  explicit AttentionStep(AttentionStepOptions options)
      : options_(std::move(options)),
        kernel_(options_.is_narrow ? kNarrow : kWide) {
    const AttentionProblem& problem = options_.problem;
    in_place_ = !options_.is_narrow &&
                AttentionReadsInPlace(problem.queries, problem.width);
    rows_ = kernel_.rows_at_a_time(problem.queries, problem.keys);
    parts_ = CeilDivide(problem.queries, rows_);
    slots_ = ScratchSlots::For(options_.threads);
    if (!in_place_) packed_ = kernel_.packed_elements(problem);
    std::map<std::pair<int64_t, int64_t>, int> known;
    for (size_t i = 0; i < options_.q.size(); ++i) {
      const auto key = std::make_pair(options_.k[i], options_.v[i]);
      const auto [it, is_new] =
          known.emplace(key, static_cast<int>(different_.size()));
      if (is_new) different_.push_back(static_cast<int>(i));
      which_.push_back(it->second);
    }
    // Each is needed by one task only, which has it in its cache then.
    packs_in_task_ =
        !in_place_ && parts_ == 1 && different_.size() == options_.q.size();
  }

  int64_t ScratchElements() const {
    return PackedBefore() + slots_ * SlotElements();
  }

  absl::Status Run(const StepRun& run) const override {
    float* const packed = static_cast<float*>(run.scratch);
    WorkTeam& team = run.environment->team();
    if (!in_place_ && !packs_in_task_) {
      ParallelFor(team, static_cast<int64_t>(different_.size()), 1,
                  [&](int64_t begin, int64_t end) {
                    for (int64_t i = begin; i < end; ++i) {
                      kernel_.pack(ProblemOf(run, different_[i]),
                                   packed + i * packed_);
                    }
                  });
    }
    const AttentionProblem& problem = options_.problem;
    const int64_t cost =
        rows_ * problem.keys * (problem.depth + problem.width) + 1;
    float* const slot_memory = packed + PackedBefore();
    ScratchSlots slots(slots_);
    ParallelFor(team, static_cast<int64_t>(options_.q.size()) * parts_,
                CeilDivide(kLeastMultiplications, cost),
                [&](int64_t begin, int64_t end) {
                  const int slot = slots.Take();
                  for (int64_t task = begin; task < end; ++task) {
                    RunTask(run, task, packed,
                            slot_memory + slot * SlotElements());
                  }
                  slots.Return(slot);
                });
    return absl::OkStatus();
  }

 private:
  // Elements of what is packed before all tasks.
  int64_t PackedBefore() const {
    return packs_in_task_ ? 0
                          : packed_ * static_cast<int64_t>(different_.size());
  }

  int64_t ScoreElements() const {
    constexpr int64_t kLine = 16;
    return CeilDivide(kernel_.scratch_elements(options_.problem, rows_),
                      kLine) *
           kLine;
  }
  int64_t SlotElements() const {
    return ScoreElements() + (packs_in_task_ ? packed_ : 0);
  }

  AttentionProblem ProblemOf(const StepRun& run, int64_t i) const {
    AttentionProblem problem = options_.problem;
    problem.q.data = run.input<float>(0) + options_.q[i];
    problem.k.data = run.input<float>(1) + options_.k[i];
    problem.v.data = run.input<float>(2) + options_.v[i];
    if (options_.stores_narrow) {
      problem.narrow_out = run.output<uint16_t>() + options_.out[i];
    } else {
      problem.out = run.output<float>() + options_.out[i];
    }
    if (options_.has_mask && options_.mask_is_boolean) {
      problem.mask.flags = run.input<uint8_t>(3) + options_.mask[i];
    } else if (options_.has_mask) {
      problem.mask.numbers = run.input<float>(3) + options_.mask[i];
    }
    if (options_.has_scale) problem.scale = *run.input<float>(4);
    if (options_.has_sink) {
      problem.sink = run.input<float>(5) + options_.sink[i];
    }
    return problem;
  }

  void RunTask(const StepRun& run, int64_t task, const float* packed,
               float* scores) const {
    const int64_t matrix = task / parts_;
    const int64_t begin = task % parts_ * rows_;
    const int64_t end = std::min(options_.problem.queries, begin + rows_);
    const AttentionProblem problem = ProblemOf(run, matrix);
    const float* keys_and_values = nullptr;
    if (packs_in_task_) {
      float* const own = scores + ScoreElements();
      kernel_.pack(problem, own);
      keys_and_values = own;
    } else if (!in_place_) {
      keys_and_values = packed + which_[matrix] * packed_;
    }
    kernel_.run(problem, keys_and_values, begin, end, scores);
  }

  const AttentionStepOptions options_;
  const Kernel& kernel_;
  bool in_place_ = false, packs_in_task_ = false;
  int64_t rows_ = 1, parts_ = 1;
  int slots_ = 1;
  int64_t packed_ = 0;  // elements, of one matrix
  // Matrices with keys and values of their own, and for each matrix which of
  // them has its.
  std::vector<int> different_, which_;
};

}  // namespace

int64_t AttentionScratchBytes(const AttentionStepOptions& options) {
  return static_cast<int64_t>(sizeof(float)) *
         AttentionStep(options).ScratchElements();
}

std::unique_ptr<Step> MakeAttentionStep(AttentionStepOptions options) {
  return std::make_unique<AttentionStep>(std::move(options));
}

}  // namespace dovetail::cpu
