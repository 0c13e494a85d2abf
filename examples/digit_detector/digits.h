// Finding and reading the digits in a picture.
#ifndef DOVETAIL_EXAMPLES_DIGIT_DETECTOR_DIGITS_H_
#define DOVETAIL_EXAMPLES_DIGIT_DETECTOR_DIGITS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/tensor/tensor.h"

namespace digits {

// A digit and where it is: corners in pixels of the picture.
struct Digit {
  int value;         // 0 … 9
  float confidence;  // 0 … 1
  float left, top, right, bottom;
};

// Runs the detector in `model_path` on a picture (u8 [h,w,3], red first) on a
// device ("": the default one). Digits from left to right.
absl::StatusOr<std::vector<Digit>> FindDigits(const std::string& model_path,
                                              const std::string& device,
                                              const dovetail::Tensor& picture);

// Draws a box and a label for each digit.
void DrawDigits(const std::vector<Digit>& digits, dovetail::Tensor& picture);

}  // namespace digits

#endif  // DOVETAIL_EXAMPLES_DIGIT_DETECTOR_DIGITS_H_
