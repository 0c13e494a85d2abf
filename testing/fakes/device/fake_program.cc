#include "dovetail/testing/fakes/device/fake_program.h"

#include <map>
#include <set>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/state/variable.h"

namespace dovetail {
namespace {

class Compiler {
 public:
  explicit Compiler(FakeProgram& program) : program_(program) {}

  absl::Status Run() {
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                              program_.model->TopologicalOrder());
    for (const Node* node : order) {
      for (int i = 0; i < node->output_count(); ++i) {
        places_[{node, i}] = program_.place_count++;
      }
      DOVETAIL_RETURN_IF_ERROR(AddNode(*node));
    }
    // The order of parameters and results is not that of the nodes.
    for (const Node* parameter : program_.model->parameters()) {
      program_.inputs.push_back(places_[{parameter, 0}]);
    }
    for (const Node* result : program_.model->results()) {
      program_.outputs.push_back(PlaceOf(result->input(0)));
    }
    AddFrees();
    return absl::OkStatus();
  }

 private:
  int PlaceOf(const Value& value) { return places_[{value.node, value.index}]; }

  absl::Status AddNode(const Node& node) {
    for (int i = 0; i < node.input_count(); ++i) {
      if (node.input(i)) continue;
      return InvalidArgument(node.Describe(), ": input ", i,
                             " is not connected");
    }
    if (node.Is("Parameter") || node.Is("Result")) return absl::OkStatus();
    if (const auto* constant = node.As<ConstantAttributes>()) {
      program_.constants.push_back({places_[{&node, 0}], constant->value});
      return absl::OkStatus();
    }
    AddVariable(node);
    FakeCommand command;
    command.node = &node;
    for (const Value& input : node.inputs()) {
      command.reads.push_back(PlaceOf(input));
    }
    for (int i = 0; i < node.output_count(); ++i) {
      command.writes.push_back(places_[{&node, i}]);
    }
    program_.commands.push_back(std::move(command));
    return absl::OkStatus();
  }

  void AddVariable(const Node& node) {
    const std::string* id = VariableIdOf(node);
    if (id == nullptr || !variables_.insert(*id).second) return;
    program_.variables.push_back({*id, node.port().type, node.port().shape});
  }

  // From the end, so that the first reader met is the last one.
  void AddFrees() {
    std::set<int> needed(program_.outputs.begin(), program_.outputs.end());
    for (auto it = program_.commands.rbegin(); it != program_.commands.rend();
         ++it) {
      for (const std::vector<int>* places : {&it->reads, &it->writes}) {
        for (const int place : *places) {
          if (needed.insert(place).second) it->frees.push_back(place);
        }
      }
    }
  }

  FakeProgram& program_;
  std::map<std::pair<const Node*, int>, int> places_;
  std::set<std::string> variables_;
};

}  // namespace

absl::StatusOr<FakeProgram> CompileFakeProgram(std::unique_ptr<Model> model) {
  FakeProgram program;
  program.model = std::move(model);
  DOVETAIL_RETURN_IF_ERROR(Compiler(program).Run());
  return program;
}

}  // namespace dovetail
