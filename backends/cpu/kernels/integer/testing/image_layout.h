// Where the elements of images or volumes are, however their channels lie.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_TESTING_IMAGE_LAYOUT_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_TESTING_IMAGE_LAYOUT_H_

#include <cstdint>

namespace dovetail::cpu {

// [N, C / block, D, H, W, block], the last block filled up: planes for blocks
// of one channel, channels last for a block of all.
struct ImageLayout {
  struct Place {
    int64_t image, channel, z, y, x;
  };

  int64_t channels = 1, depth = 1, height = 1, width = 1;
  int64_t block = 1;

  int64_t blocks() const { return (channels + block - 1) / block; }
  // Elements of an image.
  int64_t size() const { return blocks() * depth * height * width * block; }

  int64_t IndexOf(const Place& place) const;
  Place PlaceOf(int64_t index) const;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_TESTING_IMAGE_LAYOUT_H_
