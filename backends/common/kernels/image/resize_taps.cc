#include "dovetail/backends/common/kernels/image/resize_taps.h"

#include <algorithm>
#include <numeric>

namespace dovetail::host {
namespace {

// Lanes of the widest vectors.
constexpr int64_t kLanes = 16;

}  // namespace

ResizeTaps::ResizeTaps(absl::Span<const int64_t> first,
                       absl::Span<const int64_t> indices,
                       absl::Span<const double> weights)
    : output_(static_cast<int64_t>(first.size()) - 1),
      stride_((output_ + kLanes - 1) / kLanes * kLanes) {
  for (int64_t o = 0; o < output_; ++o) {
    count_ = std::max(count_, first[o + 1] - first[o]);
  }
  indices_.assign(count_ * stride_, 0);
  weights_.assign(count_ * stride_, 0);
  for (int64_t o = 0; o < output_; ++o) {
    for (int64_t t = 0; t < first[o + 1] - first[o]; ++t) {
      const int64_t tap = first[o] + t;
      indices_[t * stride_ + o] = static_cast<int32_t>(indices[tap]);
      weights_[t * stride_ + o] = static_cast<float>(weights[tap]);
      picks_ = picks_ && t == 0 && weights[tap] == 1;
    }
  }
}

ResizeTaps ResizeTaps::OfChannels(int64_t channels) const {
  std::vector<int64_t> first(output_ * channels + 1), indices;
  std::vector<double> weights;
  for (int64_t o = 0; o < output_; ++o) {
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t t = 0; t < count_; ++t) {
        if (weights_[t * stride_ + o] == 0) continue;
        indices.push_back(indices_[t * stride_ + o] * channels + c);
        weights.push_back(weights_[t * stride_ + o]);
      }
      first[o * channels + c + 1] = static_cast<int64_t>(indices.size());
    }
  }
  return ResizeTaps(first, indices, weights);
}

ResizeTaps ResizeTaps::Identity(int64_t extent) {
  std::vector<int64_t> first(extent + 1);
  std::iota(first.begin(), first.end(), 0);
  return ResizeTaps(first, absl::MakeSpan(first).first(extent),
                    std::vector<double>(extent, 1));
}

}  // namespace dovetail::host
