#include "dovetail/core/reference/recurrent/recurrent.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "dovetail/core/ops/recurrent/recurrent.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/linear/products.h"
#include "dovetail/core/reference/recurrent/step.h"

namespace dovetail {
namespace {

// Cost of one element of a step: a few exponentials.
constexpr int64_t kCost = 80;

// The number of steps of each batch.
absl::StatusOr<std::vector<int64_t>> Lengths(const KernelContext& context,
                                             int input, int64_t batch,
                                             int64_t time) {
  std::vector<int64_t> lengths(batch, time);
  if (input < 0) return lengths;
  for (int64_t b = 0; b < batch; ++b) {
    lengths[b] = context.input(input).ElementAsInt64(b);
    if (lengths[b] >= 0 && lengths[b] <= time) continue;
    return context.Error("input ", input, " gives batch ", b, " a length of ",
                         lengths[b], ", want 0 to ", time);
  }
  return lengths;
}

// All steps of one direction.
template <typename T>
class Direction {
 public:
  Direction(KernelContext& context, const RecurrentLayout& layout,
            const CellRules& rules, const std::vector<int64_t>& lengths,
            int64_t direction, int64_t directions)
      : context_(context),
        layout_(layout),
        rules_(rules),
        lengths_(lengths),
        direction_(direction),
        directions_(directions),
        batch_(static_cast<int64_t>(lengths.size())),
        size_(rules.size),
        rows_(layout.gates * rules.size) {
    const Shape& data = context.input(layout.data).shape();
    time_ = layout.is_sequence ? data[1] : 1;
    input_ = data.back();
    reverse_ =
        direction == 1 ||
        rules.attributes->direction == RecurrentDirection::kReverse;
  }

  void Run() {
    MultiplyData();
    state_ = FirstState(layout_.hidden);
    if (layout_.is_lstm) cell_ = FirstState(layout_.cell);
    for (int64_t step = 0; step < time_; ++step) Step(step);
    int output = layout_.is_sequence ? 1 : 0;
    StoreState(state_, output++);
    if (layout_.is_lstm) StoreState(cell_, output);
  }

 private:
  // This direction's part of W, R, B or P; null when it is not there.
  const T* Part(int input, int64_t elements) const {
    if (input < 0) return nullptr;
    return context_.input(input).data<T>() + direction_ * elements;
  }

  void MultiplyData() {
    from_data_.resize(batch_ * time_ * rows_);
    const MatrixProduct<T> product = {
        {context_.input(layout_.data).data<T>(), input_, 1},
        {Part(layout_.weights, rows_ * input_), 1, input_},
        from_data_.data()};
    MultiplyMatrices<T>(context_, 1, {batch_ * time_, input_, rows_},
                        [&](int64_t) { return product; });
  }

  // sums [batch, count] = states * the rows of R from `row` on.
  void MultiplyState(const std::vector<T>& states, int64_t row, int64_t count,
                     std::vector<T>& sums) {
    sums.resize(batch_ * count);
    const T* weights = Part(layout_.recurrence, rows_ * size_) + row * size_;
    const MatrixProduct<T> product = {
        {states.data(), size_, 1}, {weights, 1, size_}, sums.data()};
    MultiplyMatrices<T>(context_, 1, {batch_, size_, count},
                        [&](int64_t) { return product; });
  }

  // [batch, size] out of [batch, directions, size].
  std::vector<T> FirstState(int input) const {
    const T* all = context_.input(input).data<T>();
    std::vector<T> state(batch_ * size_);
    for (int64_t b = 0; b < batch_; ++b) {
      std::copy_n(all + (b * directions_ + direction_) * size_, size_,
                  state.data() + b * size_);
    }
    return state;
  }

  // A sequence without a step ends in zeros, not in the state that it began
  // with: so OpenVINO has it, and others that run ONNX.
  void StoreState(const std::vector<T>& state, int output) {
    T* all = context_.output(output).template mutable_data<T>();
    for (int64_t b = 0; b < batch_; ++b) {
      T* out = all + (b * directions_ + direction_) * size_;
      if (lengths_[b] == 0) {
        std::fill_n(out, size_, T(0));
      } else {
        std::copy_n(state.data() + b * size_, size_, out);
      }
    }
  }

  int64_t TimeOf(int64_t batch, int64_t step) const {
    return reverse_ ? lengths_[batch] - 1 - step : step;
  }

  // What `batch` has in this step; `columns` is the width of from_state_.
  StepData<T> DataOf(int64_t batch, int64_t step, int64_t columns) {
    const int64_t at = batch * time_ + TimeOf(batch, step);
    return {from_data_.data() + at * rows_,
            from_state_.data() + batch * columns,
            Part(layout_.bias, layout_.bias_blocks * size_),
            Part(layout_.peepholes, 3 * size_),
            state_.data() + batch * size_,
            layout_.is_lstm ? cell_.data() + batch * size_ : nullptr};
  }

  // Calls `f(batch)` for every batch that has this step.
  template <typename F>
  void ForActive(int64_t step, F f) {
    ParallelLoop(context_, batch_, size_ * kCost,
                 [&](int64_t begin, int64_t end) {
                   for (int64_t b = begin; b < end; ++b) {
                     if (step < lengths_[b]) f(b);
                   }
                 });
  }

  void Step(int64_t step) {
    if (layout_.gates == 3 && !rules_.attributes->linear_before_reset) {
      GruStep(step);
    } else {
      MultiplyState(state_, 0, rows_, from_state_);
      ForActive(step, [&](int64_t b) {
        const StepData<T> data = DataOf(b, step, rows_);
        if (layout_.is_lstm) {
          LstmStep(rules_, data);
        } else if (layout_.gates == 3) {
          GruLinearStep(rules_, data);
        } else {
          RnnStep(rules_, data);
        }
      });
    }
    if (layout_.is_sequence) StoreStep(step);
  }

  // The new gate's product needs the reset gate of all batches.
  void GruStep(int64_t step) {
    MultiplyState(state_, 0, 2 * size_, from_state_);
    z_.resize(batch_ * size_);
    reset_state_.assign(batch_ * size_, T(0));
    ForActive(step, [&](int64_t b) {
      GruGates(rules_, DataOf(b, step, 2 * size_), z_.data() + b * size_,
               reset_state_.data() + b * size_);
    });
    MultiplyState(reset_state_, 2 * size_, size_, from_reset_);
    ForActive(step, [&](int64_t b) {
      GruFinish(rules_, DataOf(b, step, 2 * size_), z_.data() + b * size_,
                from_reset_.data() + b * size_);
    });
  }

  // Y [batch, directions, time, size] of this step; zeros past the length.
  void StoreStep(int64_t step) {
    T* all = context_.output(0).template mutable_data<T>();
    for (int64_t b = 0; b < batch_; ++b) {
      const bool active = step < lengths_[b];
      const int64_t time = active ? TimeOf(b, step) : step;
      T* out = all + ((b * directions_ + direction_) * time_ + time) * size_;
      if (active) {
        std::copy_n(state_.data() + b * size_, size_, out);
      } else {
        std::fill_n(out, size_, T(0));
      }
    }
  }

  KernelContext& context_;
  const RecurrentLayout& layout_;
  const CellRules& rules_;
  const std::vector<int64_t>& lengths_;
  const int64_t direction_, directions_, batch_, size_, rows_;
  int64_t time_ = 1, input_ = 0;
  bool reverse_ = false;
  std::vector<T> from_data_, from_state_, from_reset_, z_, reset_state_;
  std::vector<T> state_, cell_;
};

}  // namespace

absl::Status RecurrentKernel(KernelContext& context) {
  const CellAttributes& attributes = *CellAttributesOf(context.node());
  const RecurrentLayout layout =
      LayoutOf(context.node(), context.input_count());
  const int functions = layout.is_lstm ? 3 : layout.gates == 3 ? 2 : 1;
  CellRules rules = {&attributes, {}, attributes.hidden_size};
  DOVETAIL_ASSIGN_OR_RETURN(rules.activations,
                            CellActivations(attributes, functions));
  const Shape& data = context.input(layout.data).shape();
  const int64_t time = layout.is_sequence ? data[1] : 1;
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<int64_t> lengths,
      Lengths(context, layout.lengths, data[0], time));
  const int64_t directions =
      attributes.direction == RecurrentDirection::kBidirectional ? 2 : 1;
  return WithWideTypes(context, layout.data, [&](KernelContext& wide) {
    return DispatchWideFloat(
        wide.input(layout.data).type(), wide, [&](auto tag) {
          using T = typename decltype(tag)::type;
          for (int64_t d = 0; d < directions; ++d) {
            Direction<T>(wide, layout, rules, lengths, d, directions).Run();
          }
          return absl::OkStatus();
        });
  });
}

}  // namespace dovetail
