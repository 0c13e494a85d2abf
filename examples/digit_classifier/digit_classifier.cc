// Reads one digit: the whole way from a model file to an answer, with the
// public interface alone.
//
//   digit_classifier [PICTURE.npy]     f32 [1,1,32,32], grey, 0 to 255
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>

#include "dovetail/dovetail.h"
#include "dovetail/extensions/npy/npy.h"

namespace {

int Fail(const absl::Status& status) {
  std::cerr << "digit_classifier: " << status.message() << "\n";
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  // Paths are meant from where the user is, not from where bazel run starts us.
  const char* directory = std::getenv("BUILD_WORKING_DIRECTORY");
  std::string path = "examples/data/expected/inputs/digit_0.npy";
  if (argc > 1) path = argv[1];
  if (argc > 1 && directory != nullptr && path[0] != '/') {
    path = std::string(directory) + "/" + path;
  }
  auto picture = dovetail::ReadNpy(path);
  if (!picture.ok()) return Fail(picture.status());

  dovetail::Core core;
  auto model = core.Compile("examples/data/models/digit_classifier.xml");
  if (!model.ok()) return Fail(model.status());
  auto request = model->NewRequest();
  if (!request.ok()) return Fail(request.status());
  if (auto s = request->SetInput("picture", *picture); !s.ok()) return Fail(s);
  if (auto s = request->Infer(); !s.ok()) return Fail(s);
  auto probabilities = request->Output("probabilities");
  if (!probabilities.ok()) return Fail(probabilities.status());

  const auto scores = probabilities->span<float>();
  const auto best = std::max_element(scores.begin(), scores.end());
  std::cout << "digit " << best - scores.begin() << " with probability "
            << *best << "\n";
  return 0;
}
