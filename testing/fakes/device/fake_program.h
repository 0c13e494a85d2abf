// The program that the fake device's compiler makes of a model: a list of
// commands over numbered places for tensors, and the constants that belong in
// device memory.
#ifndef DOVETAIL_TESTING_FAKES_DEVICE_FAKE_PROGRAM_H_
#define DOVETAIL_TESTING_FAKES_DEVICE_FAKE_PROGRAM_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Runs one layer: reads places, writes places, then empties those that nobody
// reads any more.
struct FakeCommand {
  const Node* node;
  std::vector<int> reads, writes, frees;
};

struct FakeConstant {
  int place;
  Tensor value;
};

// A variable that commands of a program read and write.
struct FakeVariable {
  std::string id;
  ElementType type;
  PartialShape shape;
};

// Immutable.
struct FakeProgram {
  std::unique_ptr<const Model> model;  // the lowered one; has the nodes
  std::vector<FakeCommand> commands;
  std::vector<FakeConstant> constants;
  std::vector<int> inputs, outputs;  // places, in the order of the ports
  std::vector<FakeVariable> variables;
  int place_count = 0;
};

// kInvalidArgument for a model with a cycle or an input that is not connected.
absl::StatusOr<FakeProgram> CompileFakeProgram(std::unique_ptr<Model> model);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_FAKES_DEVICE_FAKE_PROGRAM_H_
