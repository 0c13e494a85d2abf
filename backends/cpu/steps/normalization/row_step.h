// Steps of rows and other units, and the types that rows are stored in.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_ROW_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_ROW_STEP_H_

#include <algorithm>
#include <cstdint>
#include <memory>

#include "dovetail/backends/common/steps/step.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/kernels/common/convert.h"
#include "dovetail/backends/cpu/kernels/normalization/variance.h"
#include "dovetail/backends/cpu/steps/common/unit_step.h"
#include "dovetail/core/tensor/types/narrow_float.h"

namespace dovetail::cpu {

// Of a step whose inputs are data, scale and shift.
inline NormOperands OperandsOf(const StepRun& run) {
  return {run.input<float>(0), run.input<float>(1), run.input<float>(2),
          run.output<float>()};
}

// Longer rows are not stored as bf16: before that, a row lies on the stack.
inline constexpr int64_t kLongestNarrowRow = 4096;

// That fit the stack.
inline int64_t NarrowRowsAtATime(int64_t length) {
  return kLongestNarrowRow / std::max<int64_t>(1, length);
}

// The type in which a step of rows stores what it computes in f32.
inline ElementType RowTypeOf(const PlanBuilder& builder, Value result,
                             int64_t length) {
  return length <= kLongestNarrowRow ? builder.StoredTypeOf(result)
                                     : ElementType::kF32;
}

// The type in which a step of rows reads what it computes of in f32.
inline ElementType ReadRowTypeOf(const PlanBuilder& builder, Value data,
                                 int64_t length) {
  const bool is_narrow = length <= kLongestNarrowRow &&
                         builder.FormatOf(data).type == ElementType::kBf16;
  return is_narrow ? ElementType::kBf16 : ElementType::kF32;
}

// Calls fn(first row, its number from `begin` on, how many) for rows [begin,
// end) of input 0, stored as `type`: all at once, or of bf16 as many as fit the
// stack.
template <typename Fn>
void ForRows(const StepRun& run, ElementType type, int64_t length,
             int64_t begin, int64_t end, Fn fn) {
  if (type == ElementType::kF32) {
    return fn(run.input<float>(0) + begin * length, 0, end - begin);
  }
  float rows[kLongestNarrowRow];
  const LoadFloatsFn load = FindLoadFloats(ElementType::kBf16);
  const int64_t most = NarrowRowsAtATime(length);
  for (int64_t i = begin; i < end; i += most) {
    const int64_t count = std::min(most, end - i);
    load(run.input<BFloat16>(0) + i * length, rows, count * length);
    fn(rows, i - begin, count);
  }
}

// `fn(run, begin, end, out)` computes rows [begin, end) of `length` numbers to
// `out`; the step stores them as `type`, f32 or bf16.
template <typename Fn>
std::unique_ptr<Step> MakeRowStep(int64_t rows, int64_t length,
                                  ElementType type, Fn fn) {
  const auto wide = [=](const StepRun& run, int64_t begin, int64_t end) {
    fn(run, begin, end, run.output<float>() + begin * length);
  };
  const auto narrow = [=](const StepRun& run, int64_t begin, int64_t end) {
    float out[kLongestNarrowRow];
    const StoreFloatsFn store = FindStoreFloats(ElementType::kBf16);
    const int64_t most = NarrowRowsAtATime(length);
    for (int64_t i = begin; i < end; i += most) {
      const int64_t count = std::min(most, end - i);
      fn(run, i, i + count, out);
      store(out, run.output<BFloat16>() + i * length, count * length);
    }
  };
  if (type == ElementType::kBf16) {
    return MakeUnitStep(rows, rows * length, narrow);
  }
  return MakeUnitStep(rows, rows * length, wide);
}

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_ROW_STEP_H_
