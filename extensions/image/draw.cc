#include "dovetail/extensions/image/draw.h"

#include <algorithm>

#include "absl/strings/ascii.h"

namespace dovetail {
namespace {

constexpr int kGlyphWidth = 5, kGlyphHeight = 7;

// A character as seven rows of five dots, the leftmost dot in bit 4.
struct Glyph {
  char character;
  uint8_t rows[kGlyphHeight];
};

constexpr Glyph kFont[] = {
    {'0', {14, 17, 19, 21, 25, 17, 14}}, {'1', {4, 12, 4, 4, 4, 4, 14}},
    {'2', {14, 17, 1, 6, 8, 16, 31}},    {'3', {14, 17, 1, 6, 1, 17, 14}},
    {'4', {2, 6, 10, 18, 31, 2, 2}},     {'5', {31, 16, 30, 1, 1, 17, 14}},
    {'6', {6, 8, 16, 30, 17, 17, 14}},   {'7', {31, 1, 2, 4, 8, 8, 8}},
    {'8', {14, 17, 17, 14, 17, 17, 14}}, {'9', {14, 17, 17, 15, 1, 2, 12}},
    {'A', {14, 17, 17, 31, 17, 17, 17}}, {'B', {30, 17, 17, 30, 17, 17, 30}},
    {'C', {14, 17, 16, 16, 16, 17, 14}}, {'D', {30, 17, 17, 17, 17, 17, 30}},
    {'E', {31, 16, 16, 30, 16, 16, 31}}, {'F', {31, 16, 16, 30, 16, 16, 16}},
    {'G', {14, 17, 16, 23, 17, 17, 15}}, {'H', {17, 17, 17, 31, 17, 17, 17}},
    {'I', {14, 4, 4, 4, 4, 4, 14}},      {'J', {7, 2, 2, 2, 2, 18, 12}},
    {'K', {17, 18, 20, 24, 20, 18, 17}}, {'L', {16, 16, 16, 16, 16, 16, 31}},
    {'M', {17, 27, 21, 21, 17, 17, 17}}, {'N', {17, 25, 21, 19, 17, 17, 17}},
    {'O', {14, 17, 17, 17, 17, 17, 14}}, {'P', {30, 17, 17, 30, 16, 16, 16}},
    {'Q', {14, 17, 17, 17, 21, 18, 13}}, {'R', {30, 17, 17, 30, 20, 18, 17}},
    {'S', {15, 16, 16, 14, 1, 1, 30}},   {'T', {31, 4, 4, 4, 4, 4, 4}},
    {'U', {17, 17, 17, 17, 17, 17, 14}}, {'V', {17, 17, 17, 17, 17, 10, 4}},
    {'W', {17, 17, 17, 21, 21, 27, 17}}, {'X', {17, 17, 10, 4, 10, 17, 17}},
    {'Y', {17, 17, 10, 4, 4, 4, 4}},     {'Z', {31, 1, 2, 4, 8, 16, 31}},
    {'.', {0, 0, 0, 0, 0, 12, 12}},      {':', {0, 12, 12, 0, 12, 12, 0}},
    {'%', {24, 25, 2, 4, 8, 19, 3}},     {'-', {0, 0, 0, 31, 0, 0, 0}},
};

void FillRectangle(Tensor& image, int64_t left, int64_t top, int64_t right,
                   int64_t bottom, Color color) {
  const int64_t height = image.shape()[0], width = image.shape()[1];
  left = std::max<int64_t>(left, 0);
  top = std::max<int64_t>(top, 0);
  right = std::min(right, width - 1);
  bottom = std::min(bottom, height - 1);
  for (int64_t y = top; y <= bottom; ++y) {
    uint8_t* pixel = image.mutable_data<uint8_t>() + (y * width + left) * 3;
    for (int64_t x = left; x <= right; ++x) {
      *pixel++ = color.red;
      *pixel++ = color.green;
      *pixel++ = color.blue;
    }
  }
}

void DrawGlyph(Tensor& image, int64_t left, int64_t top, char character,
               Color color, int64_t scale) {
  const auto* glyph = std::find_if(
      std::begin(kFont), std::end(kFont),
      [character](const Glyph& g) { return g.character == character; });
  if (glyph == std::end(kFont)) return;
  for (int row = 0; row < kGlyphHeight; ++row) {
    for (int column = 0; column < kGlyphWidth; ++column) {
      if ((glyph->rows[row] >> (kGlyphWidth - 1 - column) & 1) == 0) continue;
      const int64_t x = left + column * scale, y = top + row * scale;
      FillRectangle(image, x, y, x + scale - 1, y + scale - 1, color);
    }
  }
}

}  // namespace

Color ColorOfClass(int64_t index) {
  constexpr Color kColors[] = {
      {230, 60, 60},   {60, 160, 230}, {240, 170, 30},  {70, 180, 90},
      {170, 90, 220},  {20, 180, 180}, {235, 100, 170}, {140, 140, 20},
      {110, 110, 250}, {190, 110, 50},
  };
  constexpr int64_t kCount = std::size(kColors);
  return kColors[(index % kCount + kCount) % kCount];
}

void DrawBox(Tensor& image, int64_t left, int64_t top, int64_t right,
             int64_t bottom, Color color, int64_t thickness) {
  const int64_t inset = thickness - 1;
  FillRectangle(image, left, top, right, top + inset, color);
  FillRectangle(image, left, bottom - inset, right, bottom, color);
  FillRectangle(image, left, top, left + inset, bottom, color);
  FillRectangle(image, right - inset, top, right, bottom, color);
}

int64_t TextWidth(absl::string_view text, int64_t scale) {
  return (static_cast<int64_t>(text.size()) * (kGlyphWidth + 1) + 1) * scale;
}

int64_t TextHeight(int64_t scale) { return (kGlyphHeight + 2) * scale; }

void DrawText(Tensor& image, int64_t left, int64_t top, absl::string_view text,
              Color color, Color background, int64_t scale) {
  FillRectangle(image, left, top, left + TextWidth(text, scale) - 1,
                top + TextHeight(scale) - 1, background);
  for (size_t i = 0; i < text.size(); ++i) {
    const int64_t x =
        left + (1 + static_cast<int64_t>(i) * (kGlyphWidth + 1)) * scale;
    DrawGlyph(image, x, top + scale, absl::ascii_toupper(text[i]), color,
              scale);
  }
}

}  // namespace dovetail
