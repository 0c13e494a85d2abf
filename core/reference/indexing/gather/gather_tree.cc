#include <algorithm>
#include <cstdint>

#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/reference/indexing/gather/gather.h"

namespace dovetail {
namespace {

// The tokens of one beam, written backwards from its last step; false when a
// parent is no beam.
template <typename T>
bool FollowBeam(const T* steps, const T* parents, T* out, int64_t last,
                int64_t first_beam, int64_t beams, int64_t beam,
                int64_t stride) {
  const int64_t to = first_beam + beam;
  for (int64_t time = last; time >= 0; --time) {
    const int64_t at = time * stride + first_beam + beam;
    out[time * stride + to] = steps[at];
    if (time == 0) break;  // the first step has no parent
    const double parent = static_cast<double>(parents[at]);
    if (!(parent >= 0 && parent < static_cast<double>(beams))) return false;
    beam = static_cast<int64_t>(parent);
  }
  return true;
}

// Everything after the first end token of a sequence is an end token.
template <typename T>
void CutSequence(T* out, T end_token, int64_t length, int64_t stride) {
  bool ended = false;
  for (int64_t time = 0; time < length; ++time) {
    T& token = out[time * stride];
    if (ended) token = end_token;
    ended = ended || token == end_token;
  }
}

template <typename T>
absl::Status GatherTree(KernelContext& context) {
  const Shape& shape = context.input(0).shape();
  const int64_t times = shape[0], beams = shape[2];
  const int64_t stride = shape[1] * shape[2];
  const T end_token = *context.input(3).data<T>();
  T* const out = context.output(0).mutable_data<T>();
  std::fill_n(out, shape.Count(), end_token);
  for (int64_t batch = 0; batch < shape[1]; ++batch) {
    const double most = static_cast<double>(
        context.input(2).data<T>()[batch]);
    // None where it is not a number.
    const int64_t length =
        most > 0 ? static_cast<int64_t>(
                       std::min(most, static_cast<double>(times)))
                 : 0;
    for (int64_t beam = 0; beam < beams; ++beam) {
      if (!FollowBeam(context.input(0).data<T>(), context.input(1).data<T>(),
                      out, length - 1, batch * beams, beams, beam, stride)) {
        return context.Error("input 1, the parents, has a number outside of "
                             "[0, ", beams, ") in batch ", batch);
      }
      CutSequence(out + batch * beams + beam, end_token, times, stride);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status GatherTreeKernel(KernelContext& context) {
  return WithWideTypes(context, 0, [](KernelContext& wide) {
    return DispatchWide(wide.input(0).type(), wide, [&](auto tag) {
      return GatherTree<typename decltype(tag)::type>(wide);
    });
  });
}

}  // namespace dovetail
