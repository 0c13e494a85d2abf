// write_weights NETWORK FILE [zeros]: the model.bin of a network whose weights
// are generated, or with zeros for these.
#include <iostream>
#include <string>

#include "dovetail/tools/conformance/topologies/generated_weights.h"

int main(int argc, char** argv) {
  const bool zeros = argc == 4 && std::string(argv[3]) == "zeros";
  if (argc != 3 && !zeros) {
    std::cerr << "usage: write_weights NETWORK FILE [zeros]\n";
    return 2;
  }
  const absl::Status status = dovetail::conformance::WriteGeneratedWeights(
      argv[1], argv[2], /*generates=*/!zeros);
  if (status.ok()) return 0;
  std::cerr << status.message() << "\n";
  return 1;
}
