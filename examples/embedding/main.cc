// A program with Dovetail inside: turns three scores into probabilities with
// the model in softmax.xml.

#include <iostream>

#include "core/greeting.h"
#include "dovetail/dovetail.h"

namespace {

absl::Status Run() {
  dovetail::Core core;
  std::cout << kGreeting;
  for (const std::string& device : core.AvailableDevices()) {
    std::cout << " " << device;
  }
  std::cout << "\n";

  auto model = core.Compile("softmax.xml", "REFERENCE");
  if (!model.ok()) return model.status();
  auto request = model->NewRequest();
  if (!request.ok()) return request.status();
  auto scores = dovetail::Tensor::FromDoubles(dovetail::ElementType::kF32, {3},
                                              {0, 1, 2});
  if (!scores.ok()) return scores.status();
  if (auto s = request->SetInput("scores", *scores); !s.ok()) return s;
  if (auto s = request->Infer(); !s.ok()) return s;
  auto probabilities = request->Output("probabilities");
  if (!probabilities.ok()) return probabilities.status();

  std::cout << "probabilities:";
  for (float probability : probabilities->span<float>()) {
    std::cout << " " << probability;
  }
  std::cout << "\n";
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = Run();
  if (status.ok()) return 0;
  std::cerr << "embedding: " << status.message() << "\n";
  return 1;
}
