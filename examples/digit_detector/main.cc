// Finds the digits in a picture, prints them and writes the picture with boxes.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "absl/strings/str_format.h"
#include "dovetail/core/base/status.h"
#include "dovetail/examples/digit_detector/digits.h"
#include "dovetail/extensions/image/image.h"

namespace {

// `bazel run` starts programs in a folder of its own; paths of the user are
// meant from where the user is.
std::string UserPath(const std::string& path) {
  const char* directory = std::getenv("BUILD_WORKING_DIRECTORY");
  if (directory == nullptr || path.empty() || path[0] == '/') return path;
  return std::string(directory) + "/" + path;
}

absl::Status Run(const std::string& model, const std::string& device,
                 const std::string& input, const std::string& output) {
  DOVETAIL_ASSIGN_OR_RETURN(
      dovetail::Tensor picture,
      dovetail::ReadImage(input, dovetail::ImageMode::kRgb));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<digits::Digit> found,
                            digits::FindDigits(model, device, picture));
  std::cout << found.size() << " digits in " << input << "\n";
  for (const digits::Digit& digit : found) {
    std::cout << absl::StreamFormat(
        "  %d  %3.0f%%  from (%.0f, %.0f) to (%.0f, %.0f)\n", digit.value,
        digit.confidence * 100, digit.left, digit.top, digit.right,
        digit.bottom);
  }
  digits::DrawDigits(found, picture);
  DOVETAIL_RETURN_IF_ERROR(dovetail::WritePng(output, picture));
  std::cout << "the picture with its boxes is in " << output << "\n";
  return absl::OkStatus();
}

}  // namespace

// digit_detector [PICTURE [OUTPUT.png [DEVICE]]]
int main(int argc, char** argv) {
  const std::string picture =
      argc > 1 ? UserPath(argv[1]) : "examples/data/pictures/scene_3.png";
  const std::string output = UserPath(argc > 2 ? argv[2] : "digits.png");
  const absl::Status status =
      Run("examples/data/models/digit_detector.xml", argc > 3 ? argv[3] : "",
          picture, output);
  if (status.ok()) return 0;
  std::cerr << "digit_detector: " << status.message() << "\n";
  return 2;
}
