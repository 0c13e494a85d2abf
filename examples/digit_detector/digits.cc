#include "dovetail/examples/digit_detector/digits.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/dovetail.h"
#include "dovetail/extensions/image/draw.h"
#include "dovetail/extensions/image/image.h"

namespace digits {
namespace {

using dovetail::Shape;
using dovetail::Tensor;

// One place can have rows of several labels; a row counts from here on.
constexpr float kLeastConfidence = 0.5f;

// The picture as the model wants it: f32 [1,3,192,256], 0 to 255.
absl::StatusOr<Tensor> ToScene(const Tensor& picture,
                               const dovetail::PartialShape& shape) {
  const int64_t height = shape[2].value(), width = shape[3].value();
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor resized,
                            dovetail::ResizeBilinear(picture, height, width));
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor scene, Tensor::Allocate(dovetail::ElementType::kF32,
                                     Shape{1, 3, height, width}));
  const uint8_t* pixels = resized.data<uint8_t>();
  float* planes = scene.mutable_data<float>();
  for (int64_t i = 0; i < height * width; ++i) {
    for (int64_t c = 0; c < 3; ++c) {
      planes[c * height * width + i] = pixels[i * 3 + c];
    }
  }
  return scene;
}

// Rows (image, label, confidence, x1, y1, x2, y2); a row that begins with -1
// ends the list. Label 0 is the background, corners are fractions.
std::vector<Digit> ReadRows(const Tensor& rows, float width, float height) {
  std::vector<Digit> digits;
  const float* row = rows.data<float>();
  for (int64_t i = 0; i < rows.element_count() / 7 && row[0] >= 0; ++i) {
    if (row[2] >= kLeastConfidence && row[1] >= 1) {
      digits.push_back({static_cast<int>(row[1]) - 1, row[2], row[3] * width,
                        row[4] * height, row[5] * width, row[6] * height});
    }
    row += 7;
  }
  std::sort(digits.begin(), digits.end(),
            [](const Digit& a, const Digit& b) { return a.left < b.left; });
  return digits;
}

}  // namespace

absl::StatusOr<std::vector<Digit>> FindDigits(const std::string& model_path,
                                              const std::string& device,
                                              const Tensor& picture) {
  dovetail::Core core;
  DOVETAIL_ASSIGN_OR_RETURN(const dovetail::CompiledModel model,
                            core.Compile(model_path, device));
  DOVETAIL_ASSIGN_OR_RETURN(dovetail::InferRequest request,
                            model.NewRequest());
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor scene,
                            ToScene(picture, model.inputs()[0].shape));
  DOVETAIL_RETURN_IF_ERROR(request.SetInput("scene", scene));
  DOVETAIL_RETURN_IF_ERROR(request.Infer());
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor rows, request.Output("detections"));
  return ReadRows(rows, static_cast<float>(picture.shape()[1]),
                  static_cast<float>(picture.shape()[0]));
}

void DrawDigits(const std::vector<Digit>& digits, Tensor& picture) {
  for (const Digit& digit : digits) {
    const dovetail::Color color = dovetail::ColorOfClass(digit.value);
    const auto left = static_cast<int64_t>(std::lround(digit.left));
    const auto top = static_cast<int64_t>(std::lround(digit.top));
    dovetail::DrawBox(picture, left, top,
                      static_cast<int64_t>(std::lround(digit.right)),
                      static_cast<int64_t>(std::lround(digit.bottom)), color);
    const std::string label = absl::StrCat(
        digit.value, " ", static_cast<int>(digit.confidence * 100), "%");
    // Above the box, or inside where there is no room above.
    const int64_t height = dovetail::TextHeight();
    dovetail::DrawText(picture, left, top >= height ? top - height : top, label,
                       {255, 255, 255}, color);
  }
}

}  // namespace digits
