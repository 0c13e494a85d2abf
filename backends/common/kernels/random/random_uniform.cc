#include "dovetail/backends/common/kernels/random/random_uniform.h"

#include <algorithm>

#include "dovetail/backends/common/kernels/random/philox.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/ops/random/random.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/random/random.h"

namespace dovetail {
namespace {

// Numbers that are worth waking a thread for: a number takes a nanosecond.
constexpr int64_t kNumbersAtATime = 1 << 13;

// A stream of its own for each inference is made by the reference kernel.
bool IsFixedStream(const RandomUniformAttributes& attributes) {
  return attributes.alignment == RandomAlignment::kTensorflow &&
         (attributes.global_seed != 0 || attributes.op_seed != 0);
}

}  // namespace

absl::Status HostRandomUniform(KernelContext& context) {
  const auto& attributes = context.attributes<RandomUniformAttributes>();
  const Tensor& output = context.output(0);
  if (output.type() != ElementType::kF32 || !IsFixedStream(attributes)) {
    return RandomUniformKernel(context);
  }
  host::PhiloxUniform uniform;
  uniform.global_seed = attributes.global_seed;
  uniform.op_seed = attributes.op_seed;
  uniform.min = context.input(1).data<float>()[0];
  uniform.extent = context.input(2).data<float>()[0] - uniform.min;
  const int64_t count = output.element_count();
  float* const out = output.mutable_data<float>();
  ParallelLoop(context, CeilDivide(count, kNumbersAtATime), kOperationsPerPart,
               [&](int64_t begin, int64_t end) {
                 const int64_t first = begin * kNumbersAtATime;
                 const int64_t last = std::min(count, end * kNumbersAtATime);
                 host::FillPhilox(uniform, first / host::kPhiloxBlock,
                                  last - first, out + first);
               });
  return absl::OkStatus();
}

}  // namespace dovetail
