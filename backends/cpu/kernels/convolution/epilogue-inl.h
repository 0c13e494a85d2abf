// ConvolutionEpilogue for vectors of sums.
//
// Compiled once per instruction set: include it after highway.h in a file of
// foreach_target.h.
#if defined(DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_EPILOGUE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_EPILOGUE_INL_H_
#undef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_EPILOGUE_INL_H_
#else
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_EPILOGUE_INL_H_
#endif

#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/epilogue.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32

// Of as many outputs as D has lanes, those from number `channel` on, or of one
// output's sums at as many places: see the functions that make one.
template <class D>
class FinisherOf {
 public:
  using V = hwy::HWY_NAMESPACE::Vec<D>;

  static HWY_INLINE FinisherOf OfBlock(const ConvolutionEpilogue& epilogue,
                                       int64_t channel) {
    return FinisherOf(epilogue, [=](const float* numbers) {
      return hwy::HWY_NAMESPACE::LoadU(D(), numbers + channel);
    });
  }
  static HWY_INLINE FinisherOf OfChannel(const ConvolutionEpilogue& epilogue,
                                         int64_t channel) {
    return FinisherOf(epilogue, [=](const float* numbers) {
      return hwy::HWY_NAMESPACE::Set(D(), numbers[channel]);
    });
  }

  // `at`: where the result goes to, from the output's begin.
  HWY_INLINE V Finish(V sum, int64_t at) const {
    namespace hn = hwy::HWY_NAMESPACE;
    sum = hn::Add(sum, bias_);
    if (residual_ != nullptr) {
      sum = hn::Add(sum, hn::LoadU(D(), residual_ + at));
    }
    return Limit(sum);
  }

  // The same in two parts, with a residual that the caller has read, or zeros:
  // an activation may come between.
  HWY_INLINE V AddBias(V sum) const {
    return hwy::HWY_NAMESPACE::Add(sum, bias_);
  }
  HWY_INLINE V FinishBiased(V biased, V residual) const {
    return Limit(hwy::HWY_NAMESPACE::Add(biased, residual));
  }

  // Finish for the first `count` sums.
  HWY_INLINE V FinishSome(V sum, int64_t at, int64_t count) const {
    namespace hn = hwy::HWY_NAMESPACE;
    V residual = hn::Zero(D());
    if (residual_ != nullptr) {
      residual = hn::MaskedLoad(hn::FirstN(D(), static_cast<size_t>(count)),
                                D(), residual_ + at);
    }
    return FinishBiased(AddBias(sum), residual);
  }

 private:
  HWY_INLINE V Limit(V sum) const {
    namespace hn = hwy::HWY_NAMESPACE;
    if (has_slope_) {
      const V zero = hn::Zero(D());
      sum = hn::MulAdd(slope_, hn::Min(sum, zero), hn::Max(sum, zero));
    }
    return hn::Min(hn::Max(sum, low_), high_);
  }

  template <typename Load>
  HWY_INLINE FinisherOf(const ConvolutionEpilogue& epilogue, Load load)
      : bias_(epilogue.bias == nullptr ? hwy::HWY_NAMESPACE::Zero(D())
                                       : load(epilogue.bias)),
        slope_(epilogue.slope == nullptr ? hwy::HWY_NAMESPACE::Zero(D())
                                         : load(epilogue.slope)),
        low_(hwy::HWY_NAMESPACE::Set(D(), epilogue.low)),
        high_(hwy::HWY_NAMESPACE::Set(D(), epilogue.high)),
        residual_(epilogue.residual),
        has_slope_(epilogue.slope != nullptr) {}

  V bias_, slope_, low_, high_;
  const float* residual_;
  bool has_slope_;
};

using Finisher = FinisherOf<hwy::HWY_NAMESPACE::FixedTag<float, 8>>;

#endif

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard of the instruction set
