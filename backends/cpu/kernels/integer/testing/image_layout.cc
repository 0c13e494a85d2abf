#include "dovetail/backends/cpu/kernels/integer/testing/image_layout.h"

namespace dovetail::cpu {

int64_t ImageLayout::IndexOf(const Place& place) const {
  const int64_t plane =
      (place.image * blocks() + place.channel / block) * depth + place.z;
  return ((plane * height + place.y) * width + place.x) * block +
         place.channel % block;
}

ImageLayout::Place ImageLayout::PlaceOf(int64_t index) const {
  const int64_t pixel = index / block, plane = pixel / width / height;
  const int64_t number = plane / depth;
  return {.image = number / blocks(),
          .channel = number % blocks() * block + index % block,
          .z = plane % depth,
          .y = pixel / width % height,
          .x = pixel % width};
}

}  // namespace dovetail::cpu
