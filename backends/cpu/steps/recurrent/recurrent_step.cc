#include "dovetail/backends/cpu/steps/recurrent/recurrent_step.h"

#include <algorithm>
#include <utility>

#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/backends/cpu/kernels/recurrent/gates.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

// Of one time step, in f32: less is not worth handing to another thread.
constexpr int64_t kLeastMultiplications = int64_t{1} << 16;

// Narrow products take a part of the time.
int64_t LeastMultiplications(NarrowForm form) {
  const bool is_half = form == NarrowForm::kBf16 || IsOfPairs(form);
  return kLeastMultiplications * (is_half ? 2 : IsOfCodes(form) ? 4 : 1);
}

// In floats.
int64_t PreparedElements(NarrowForm form, int64_t rows, int64_t depth) {
  if (form == NarrowForm::kNone) return 0;
  return rows * NarrowRowBytes(form, depth) /
         static_cast<int64_t>(sizeof(float));
}

// Where in the scratch memory what is; in elements.
struct ScratchPlan {
  explicit ScratchPlan(const RecurrentSizes& sizes) {
    const int64_t states =
        sizes.directions * sizes.batch * sizes.padded_size();
    from_data = Take(sizes.batch * sizes.time * sizes.directions *
                     sizes.columns());
    from_state = Take(sizes.directions * sizes.batch * sizes.columns());
    state[0] = Take(states);
    state[1] = Take(states);
    cell = Take(states);
    z = Take(states);
    reset = Take(states);
    data_rows = Take(PreparedElements(
        sizes.data_form, sizes.batch * sizes.time, sizes.input));
    state_rows = Take(PreparedElements(
        sizes.state_form, sizes.directions * sizes.batch, sizes.size));
  }

  int64_t Take(int64_t count) {
    constexpr int64_t kLine = 16;
    return std::exchange(elements, elements + CeilDivide(count, kLine) * kLine);
  }

  int64_t elements = 0;
  int64_t from_data, from_state, state[2], cell, z, reset;
  int64_t data_rows, state_rows;  // prepared for narrow products
};

// One direction of one run.
class DirectionRun {
 public:
  DirectionRun(const RecurrentSizes& sizes, const ScratchPlan& plan,
               const StepRun& run, int64_t direction)
      : sizes_(sizes),
        run_(run),
        direction_(direction),
        columns_(sizes.columns()),
        padded_(sizes.padded_size()),
        width_(GemmPanelWidth()) {
    float* const scratch = static_cast<float*>(run.scratch);
    const int64_t states = direction * sizes.batch * padded_;
    from_data_ = scratch + plan.from_data;
    from_state_ =
        scratch + plan.from_state + direction * sizes.batch * columns_;
    state_ = scratch + plan.state[0] + states;
    next_ = scratch + plan.state[1] + states;
    cell_ = scratch + plan.cell + states;
    z_ = scratch + plan.z + states;
    reset_ = scratch + plan.reset + states;
    state_rows_ = scratch + plan.state_rows +
                  PreparedElements(sizes.state_form, direction * sizes.batch,
                                   sizes.size);
    is_reverse_ = direction == 1 || sizes.is_reverse;
  }

  void Run(bool may_split) {
    LoadState(1, state_);
    std::fill_n(next_, sizes_.batch * padded_, 0.0f);
    if (sizes_.is_lstm()) LoadState(2, cell_);
    const int64_t blocks = sizes_.blocks();
    const int64_t cost = sizes_.batch * sizes_.size * sizes_.gates * width_;
    const int64_t grain =
        may_split ? CeilDivide(LeastMultiplications(sizes_.state_form), cost)
                  : blocks;
    const auto for_blocks = [&](auto body) {
      if (grain >= blocks) return body(0, blocks);
      ParallelFor(run_.environment->team(), blocks, grain, body);
    };
    for (step_ = 0; step_ < sizes_.time; ++step_) {
      PrepareStates(state_);
      if (sizes_.kind == CellKind::kGru) {
        for_blocks([&](int64_t i, int64_t end) { ResetBlocks(i, end); });
        PrepareStates(reset_);
        for_blocks([&](int64_t i, int64_t end) { FinishBlocks(i, end); });
      } else {
        for_blocks([&](int64_t i, int64_t end) { RunBlocks(i, end); });
      }
      std::swap(state_, next_);
      if (sizes_.is_sequence) StoreStep();
    }
    int output = sizes_.is_sequence ? 1 : 0;
    StoreState(state_, output++);
    if (sizes_.is_lstm()) StoreState(cell_, output);
  }

 private:
  int64_t LengthOf(int64_t batch) const {
    if (!sizes_.has_lengths) return sizes_.time;
    return sizes_.lengths_are_i64 ? run_.input<int64_t>(3)[batch]
                                  : run_.input<int32_t>(3)[batch];
  }
  int64_t TimeOf(int64_t batch) const {
    return is_reverse_ ? LengthOf(batch) - 1 - step_ : step_;
  }

  void LoadState(int input, float* state) const {
    const float* const all = run_.input<float>(input);
    std::fill_n(state, sizes_.batch * padded_, 0.0f);
    for (int64_t b = 0; b < sizes_.batch; ++b) {
      std::copy_n(all + (b * sizes_.directions + direction_) * sizes_.size,
                  sizes_.size, state + b * padded_);
    }
  }

  void PrepareStates(const float* states) const {
    if (sizes_.state_form == NarrowForm::kNone) return;
    PrepareNarrowRows(sizes_.state_form, states, padded_, sizes_.size, 0,
                      sizes_.batch, state_rows_);
  }

  // from_state[batch, panels] = states * R, some panels of some blocks.
  void MultiplyState(const float* states, int64_t first_panel,
                     int64_t end_panel) const {
    if (sizes_.state_form != NarrowForm::kNone) {
      return MultiplyPreparedStates(first_panel, end_panel);
    }
    GemmProblem problem;
    problem.rows = sizes_.batch;
    problem.depth = sizes_.size;
    problem.columns = columns_;
    problem.a = {states, padded_, 1};
    problem.packed_b =
        run_.input<float>(5) + direction_ * sizes_.size * columns_;
    problem.c = from_state_;
    problem.c_stride = columns_;
    for (int64_t b = 0; b < sizes_.batch; b += kGemmRowsAtATime) {
      RunGemm(problem, b, std::min(sizes_.batch, b + kGemmRowsAtATime),
              first_panel, end_panel);
    }
  }

  // The same with what PrepareStates was given.
  void MultiplyPreparedStates(int64_t first_panel, int64_t end_panel) const {
    const NarrowForm form = sizes_.state_form;
    NarrowProduct product;
    product.form = form;
    product.depth = sizes_.size;
    product.rows = state_rows_;
    product.panels = run_.input<char>(5) +
                     direction_ * sizes_.blocks() * sizes_.gates *
                         sizes_.PanelBytes(form, sizes_.size);
    product.sums = from_state_;
    product.sums_stride = columns_;
    RunNarrowProduct(product, 0, sizes_.batch, first_panel, end_panel);
  }

  GateArguments ArgumentsOf(int64_t batch, int64_t block) const {
    const int64_t column = block * sizes_.gates * width_;
    const int64_t unit = batch * padded_ + block * width_;
    const int64_t at = batch * sizes_.time + TimeOf(batch);
    GateArguments arguments;
    arguments.width = width_;
    arguments.x =
        from_data_ + (at * sizes_.directions + direction_) * columns_ + column;
    arguments.h = from_state_ + batch * columns_ + column;
    arguments.bias =
        run_.input<float>(6) + (direction_ * sizes_.blocks() + block) *
                                   sizes_.bias_blocks * width_;
    arguments.before = state_ + unit;
    arguments.state = next_ + unit;
    arguments.cell = cell_ + unit;
    return arguments;
  }

  // Calls `f(batch, block)` for batches that have this step; the others keep
  // their state.
  template <typename F>
  void ForActive(int64_t begin, int64_t end, F f) {
    for (int64_t b = 0; b < sizes_.batch; ++b) {
      if (step_ >= LengthOf(b)) {
        const int64_t unit = b * padded_ + begin * width_;
        std::copy_n(state_ + unit, (end - begin) * width_, next_ + unit);
        continue;
      }
      for (int64_t block = begin; block < end; ++block) f(b, block);
    }
  }

  void RunBlocks(int64_t begin, int64_t end) {
    MultiplyState(state_, begin * sizes_.gates, end * sizes_.gates);
    ForActive(begin, end, [&](int64_t b, int64_t block) {
      const GateArguments arguments = ArgumentsOf(b, block);
      if (sizes_.is_lstm()) {
        LstmGates(arguments);
      } else if (sizes_.kind == CellKind::kGruLinear) {
        GruLinearGates(arguments);
      } else {
        RnnGates(arguments);
      }
    });
  }

  void ResetBlocks(int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      const int64_t panel = block * sizes_.gates;
      MultiplyState(state_, panel, panel + 2);
    }
    ForActive(begin, end, [&](int64_t b, int64_t block) {
      const int64_t unit = b * padded_ + block * width_;
      GruResetGates(ArgumentsOf(b, block), z_ + unit, reset_ + unit);
    });
  }

  void FinishBlocks(int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      const int64_t panel = block * sizes_.gates + 2;
      MultiplyState(reset_, panel, panel + 1);
    }
    ForActive(begin, end, [&](int64_t b, int64_t block) {
      GruFinalGates(ArgumentsOf(b, block), z_ + b * padded_ + block * width_);
    });
  }

  // Y [batch, directions, time, size]; zeros past the length.
  void StoreStep() const {
    for (int64_t b = 0; b < sizes_.batch; ++b) {
      const bool is_active = step_ < LengthOf(b);
      const int64_t time = is_active ? TimeOf(b) : step_;
      float* const out =
          run_.output<float>(0) +
          ((b * sizes_.directions + direction_) * sizes_.time + time) *
              sizes_.size;
      if (is_active) {
        std::copy_n(state_ + b * padded_, sizes_.size, out);
      } else {
        std::fill_n(out, sizes_.size, 0.0f);
      }
    }
  }

  // Zeros for sequences without a step, as the reference kernel has it.
  void StoreState(const float* state, int output) const {
    for (int64_t b = 0; b < sizes_.batch; ++b) {
      float* const out =
          run_.output<float>(output) +
          (b * sizes_.directions + direction_) * sizes_.size;
      if (LengthOf(b) == 0) {
        std::fill_n(out, sizes_.size, 0.0f);
      } else {
        std::copy_n(state + b * padded_, sizes_.size, out);
      }
    }
  }

  const RecurrentSizes& sizes_;
  const StepRun& run_;
  const int64_t direction_, columns_, padded_, width_;
  bool is_reverse_ = false;
  int64_t step_ = 0;
  float *from_data_, *from_state_, *state_, *next_, *cell_, *z_, *reset_;
  float* state_rows_;
};

class RecurrentStep : public Step {
 public:
  explicit RecurrentStep(const RecurrentSizes& sizes)
      : sizes_(sizes), plan_(sizes) {}

  absl::Status Run(const StepRun& run) const override {
    DOVETAIL_RETURN_IF_ERROR(CheckLengths(run));
    MultiplyData(run);
    WorkTeam& team = run.environment->team();
    // A direction a thread, or all threads for one.
    ParallelFor(team, sizes_.directions, 1, [&](int64_t begin, int64_t end) {
      for (int64_t d = begin; d < end; ++d) {
        DirectionRun(sizes_, plan_, run, d).Run(sizes_.directions == 1);
      }
    });
    return absl::OkStatus();
  }

 private:
  absl::Status CheckLengths(const StepRun& run) const {
    if (!sizes_.has_lengths) return absl::OkStatus();
    for (int64_t b = 0; b < sizes_.batch; ++b) {
      const int64_t length = sizes_.lengths_are_i64
                                 ? run.input<int64_t>(3)[b]
                                 : run.input<int32_t>(3)[b];
      if (length >= 0 && length <= sizes_.time) continue;
      return InvalidArgument(sizes_.layer, ": batch ", b, " has a length of ",
                             length, ", want 0 to ", sizes_.time);
    }
    return absl::OkStatus();
  }

  // What the data give to all gates of all steps and directions.
  void MultiplyData(const StepRun& run) const {
    if (sizes_.data_form != NarrowForm::kNone) return MultiplyNarrowData(run);
    GemmProblem problem;
    problem.rows = sizes_.batch * sizes_.time;
    problem.depth = sizes_.input;
    problem.columns = sizes_.directions * sizes_.columns();
    problem.a = {run.input<float>(0), sizes_.input, 1};
    problem.packed_b = run.input<float>(4);
    problem.c = static_cast<float*>(run.scratch) + plan_.from_data;
    problem.c_stride = problem.columns;
    const int64_t cost = std::min(problem.rows, kGemmRowsAtATime) *
                         sizes_.input * GemmPanelWidth();
    for (int64_t row = 0; row < problem.rows; row += kGemmRowsAtATime) {
      ParallelFor(run.environment->team(), GemmPanels(problem.columns),
                  CeilDivide(kLeastMultiplications, cost),
                  [&](int64_t begin, int64_t end) {
                    RunGemm(problem, row,
                            std::min(problem.rows, row + kGemmRowsAtATime),
                            begin, end);
                  });
    }
  }

  void MultiplyNarrowData(const StepRun& run) const {
    WorkTeam& team = run.environment->team();
    const int64_t rows = sizes_.batch * sizes_.time;
    float* const scratch = static_cast<float*>(run.scratch);
    NarrowProduct product;
    product.form = sizes_.data_form;
    product.depth = sizes_.input;
    product.rows = scratch + plan_.data_rows;
    product.panels = run.input<char>(4);
    product.sums = scratch + plan_.from_data;
    product.sums_stride = sizes_.directions * sizes_.columns();
    ParallelFor(team, rows, CeilDivide(kLeastMultiplications, sizes_.input),
                [&](int64_t begin, int64_t end) {
                  PrepareNarrowRows(product.form, run.input<float>(0),
                                    sizes_.input, sizes_.input, begin, end,
                                    scratch + plan_.data_rows);
                });
    const int64_t cost =
        std::min(rows, kNarrowRowsAtATime) * sizes_.input * GemmPanelWidth();
    for (int64_t row = 0; row < rows; row += kNarrowRowsAtATime) {
      ParallelFor(team, product.sums_stride / GemmPanelWidth(),
                  CeilDivide(LeastMultiplications(product.form), cost),
                  [&](int64_t begin, int64_t end) {
                    RunNarrowProduct(product, row,
                                     std::min(rows, row + kNarrowRowsAtATime),
                                     begin, end);
                  });
    }
  }

  const RecurrentSizes sizes_;
  const ScratchPlan plan_;
};

}  // namespace

int64_t RecurrentSizes::blocks() const { return GemmPanels(size); }
int64_t RecurrentSizes::columns() const {
  return blocks() * gates * GemmPanelWidth();
}
int64_t RecurrentSizes::padded_size() const {
  return blocks() * GemmPanelWidth();
}

int64_t RecurrentSizes::PanelBytes(NarrowForm form, int64_t depth) const {
  return form == NarrowForm::kNone
             ? depth * GemmPanelWidth() * static_cast<int64_t>(sizeof(float))
             : NarrowPanelBytes(form, depth);
}

int64_t RecurrentScratchBytes(const RecurrentSizes& sizes) {
  return static_cast<int64_t>(sizeof(float)) * ScratchPlan(sizes).elements;
}

std::unique_ptr<Step> MakeRecurrentStep(const RecurrentSizes& sizes) {
  return std::make_unique<RecurrentStep>(sizes);
}

}  // namespace dovetail::cpu
