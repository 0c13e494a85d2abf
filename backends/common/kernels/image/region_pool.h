// Bins of regions of an image, for all channels at a time.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_REGION_POOL_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_REGION_POOL_H_

#include <cstdint>
#include <vector>

namespace dovetail::host {

// What the bins of a region read along one axis: elements, and what these
// weigh. Keeps its memory from one region to the next.
class BinTaps {
 public:
  void Clear();
  // To the bin that ends with the next EndBin. An element that was one of the
  // last two of it weighs more then.
  void Add(int64_t index, float weight);
  // The same, but each tap stays one of its own.
  void AddApart(int64_t index, float weight);
  void EndBin() { ends_.push_back(static_cast<int64_t>(taps_.size())); }

  struct Tap {
    int64_t index;
    float weight;
  };
  int64_t bins() const { return static_cast<int64_t>(ends_.size()) - 1; }
  const Tap* begin(int64_t bin) const { return taps_.data() + ends_[bin]; }
  const Tap* end(int64_t bin) const { return taps_.data() + ends_[bin + 1]; }

 private:
  std::vector<Tap> taps_;
  std::vector<int64_t> ends_ = {0};
};

// Some channels of an image with channels last.
struct RegionImage {
  const float* data = nullptr;  // the first channel of the first pixel
  int64_t width = 1;
  int64_t stride = 1;  // from pixel to pixel
  int64_t channels = 1;
};

// All write {rows.bins(), columns.bins(), channels}, 0 for bins without taps.

// Sums of what taps of both axes weigh together, times `scale`.
void PoolSums(const RegionImage& image, const BinTaps& rows,
              const BinTaps& columns, float scale, float* bins);
// The largest element.
void PoolLargest(const RegionImage& image, const BinTaps& rows,
                 const BinTaps& columns, float* bins);
// The largest of points, and of 0. Along each axis a point is two taps.
void PoolLargestPoint(const RegionImage& image, const BinTaps& rows,
                      const BinTaps& columns, float* bins);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_REGION_POOL_H_
