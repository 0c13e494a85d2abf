// write_weights NETWORK FILE: the model.bin of a network whose weights are
// generated.
#include <iostream>

#include "dovetail/tools/conformance/topologies/generated_weights.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: write_weights NETWORK FILE\n";
    return 2;
  }
  const absl::Status status =
      dovetail::conformance::WriteGeneratedWeights(argv[1], argv[2]);
  if (status.ok()) return 0;
  std::cerr << status.message() << "\n";
  return 1;
}
