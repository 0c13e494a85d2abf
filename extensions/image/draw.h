// Drawing on images: boxes and short labels, so that detections can be seen.
#ifndef DOVETAIL_EXTENSIONS_IMAGE_DRAW_H_
#define DOVETAIL_EXTENSIONS_IMAGE_DRAW_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

struct Color {
  uint8_t red, green, blue;
};

// A colour for each class, well apart from its neighbours'.
Color ColorOfClass(int64_t index);

// All of these take an RGB image (u8 [h,w,3], contiguous) and draw what of
// the figure lies inside. Coordinates are pixels, y downwards.

// The outline of the rectangle whose corners are the pixels (left, top) and
// (right, bottom), `thickness` pixels inwards.
void DrawBox(Tensor& image, int64_t left, int64_t top, int64_t right,
             int64_t bottom, Color color, int64_t thickness = 1);
// Text in a font of 5x7 dots, each `scale` pixels, on a bar of `background`,
// with its upper left corner at (left, top). Knows digits, capital letters and
// " .:%-"; another character leaves a gap.
void DrawText(Tensor& image, int64_t left, int64_t top, absl::string_view text,
              Color color, Color background, int64_t scale = 1);
// Pixels that a text takes, its bar included.
int64_t TextWidth(absl::string_view text, int64_t scale = 1);
int64_t TextHeight(int64_t scale = 1);

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_IMAGE_DRAW_H_
