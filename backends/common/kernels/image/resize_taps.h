// What the elements of an axis are made of when it is resized.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_RESIZE_TAPS_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_RESIZE_TAPS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace dovetail::host {

// Element o of the output is the sum over t of weight(t, o) * in[index(t, o)].
class ResizeTaps {
 public:
  // Element o has the taps [first[o], first[o + 1]) of `indices` and `weights`;
  // `first` has one element more than the output. Indices are those of the
  // input and below 2^31.
  ResizeTaps(absl::Span<const int64_t> first, absl::Span<const int64_t> indices,
             absl::Span<const double> weights);

  // For pixels of so many channels side by side: of each channel by itself.
  ResizeTaps OfChannels(int64_t channels) const;
  // Of an axis that stays as it is.
  static ResizeTaps Identity(int64_t extent);

  int64_t output() const { return output_; }
  int64_t count() const { return count_; }  // of each element, 0 allowed
  // Those of tap t by element; taps that an element has not have weight 0.
  const int32_t* indices(int64_t t) const { return &indices_[t * stride_]; }
  const float* weights(int64_t t) const { return &weights_[t * stride_]; }
  // Whether each element is one of the input, or is 0 with no tap at all.
  bool picks() const { return picks_; }

 private:
  int64_t output_ = 0;
  int64_t stride_ = 0;  // output() and some elements to fill a vector
  int64_t count_ = 0;
  bool picks_ = true;
  std::vector<int32_t> indices_;
  std::vector<float> weights_;
};

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_RESIZE_TAPS_H_
