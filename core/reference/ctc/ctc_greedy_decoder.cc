#include "dovetail/core/reference/ctc/ctc_greedy_decoder.h"

#include <algorithm>
#include <vector>

#include "dovetail/core/ops/ctc/ctc_greedy_decoder.h"

namespace dovetail {
namespace {

// Where the scores of one sequence are: time step t, class c at
// `data[first + t * time_stride + c]`.
struct Scores {
  const float* data;
  int64_t first, time_stride, classes;

  // The class with the best score; the first of equal ones.
  int64_t Best(int64_t time) const {
    const float* begin = data + first + time * time_stride;
    return std::max_element(begin, begin + classes) - begin;
  }
};

// The classes of a sequence of `length` steps without blanks and, when asked,
// without repetitions that no other class parts.
std::vector<int64_t> Decode(const Scores& scores, int64_t length, int64_t blank,
                            bool merge_repeated) {
  std::vector<int64_t> classes;
  int64_t previous = -1;
  for (int64_t t = 0; t < length; ++t) {
    const int64_t best = scores.Best(t);
    if (best != blank && !(merge_repeated && best == previous)) {
      classes.push_back(best);
    }
    previous = best;
  }
  return classes;
}

// Classes, then -1 to the end of the row.
void WriteRow(const Tensor& output, int64_t row, int64_t length,
              const std::vector<int64_t>& classes) {
  for (int64_t t = 0; t < length; ++t) {
    const bool inside = t < static_cast<int64_t>(classes.size());
    output.SetElement(row * length + t,
                      inside ? static_cast<double>(classes[t]) : -1);
  }
}

}  // namespace

absl::Status CtcGreedyDecoderKernel(KernelContext& context) {
  const auto& attributes = context.attributes<CtcGreedyDecoderAttributes>();
  const Shape& shape = context.input(0).shape();
  const int64_t time = shape[0], batch = shape[1], classes = shape[2];
  if (classes == 0) return context.Error("input 0 has no classes");
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor data, ConvertTensor(context.input(0), ElementType::kF32));
  const Tensor& mask = context.input(1);
  for (int64_t n = 0; n < batch; ++n) {
    // A sequence ends at the first step that is masked out.
    int64_t length = 0;
    while (length < time && mask.ElementAsDouble(length * batch + n) != 0) {
      ++length;
    }
    const Scores scores = {data.data<float>(), n * classes, batch * classes,
                           classes};
    WriteRow(context.output(0), n, time,
             Decode(scores, length, classes - 1,
                    attributes.ctc_merge_repeated));
  }
  return absl::OkStatus();
}

absl::Status CtcGreedyDecoderSeqLenKernel(KernelContext& context) {
  const auto& attributes =
      context.attributes<CtcGreedyDecoderSeqLenAttributes>();
  const Shape& shape = context.input(0).shape();
  const int64_t batch = shape[0], time = shape[1], classes = shape[2];
  if (classes == 0) return context.Error("input 0 has no classes");
  int64_t blank = classes - 1;
  if (context.has_input(2)) blank = context.input(2).ElementAsInt64(0);
  if (blank < 0 || blank >= classes) {
    return context.Error("input 2, the blank's class, is ", blank,
                         ", want 0 to ", classes - 1);
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor data, ConvertTensor(context.input(0), ElementType::kF32));
  for (int64_t n = 0; n < batch; ++n) {
    const int64_t length =
        std::clamp<int64_t>(context.input(1).ElementAsInt64(n), 0, time);
    const Scores scores = {data.data<float>(), n * time * classes, classes,
                           classes};
    const std::vector<int64_t> decoded =
        Decode(scores, length, blank, attributes.merge_repeated);
    WriteRow(context.output(0), n, time, decoded);
    context.output(1).SetElement(n, static_cast<double>(decoded.size()));
  }
  return absl::OkStatus();
}

}  // namespace dovetail
