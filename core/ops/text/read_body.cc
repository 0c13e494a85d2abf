#include "dovetail/core/ops/text/read_body.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

// A limit for indices: no node has more ports, and none could be stored.
constexpr int kMaxOutputs = 1 << 16;

absl::StatusOr<std::optional<Slicing>> ReadSlicing(Scanner& scanner) {
  if (!scanner.Consume("axis=")) return std::optional<Slicing>();
  Slicing slicing;
  DOVETAIL_ASSIGN_OR_RETURN(slicing.axis, scanner.Integer());
  const std::pair<absl::string_view, int64_t*> fields[] = {
      {"start=", &slicing.start},
      {"end=", &slicing.end},
      {"stride=", &slicing.stride},
      {"part_size=", &slicing.part_size}};
  for (const auto& [name, field] : fields) {
    DOVETAIL_RETURN_IF_ERROR(scanner.Expect(name));
    DOVETAIL_ASSIGN_OR_RETURN(*field, scanner.Integer());
  }
  return std::optional<Slicing>(slicing);
}

struct Binding {
  int from, to;
  std::optional<Slicing> slicing;
};

// "inputs {2->0 axis=…, 1->1}"
absl::StatusOr<std::vector<Binding>> ReadBindings(Scanner& scanner,
                                                  absl::string_view what) {
  std::vector<Binding> bindings;
  DOVETAIL_RETURN_IF_ERROR(scanner.Expect(what));
  DOVETAIL_RETURN_IF_ERROR(scanner.Expect("{"));
  while (!scanner.Consume("}")) {
    Binding binding;
    DOVETAIL_ASSIGN_OR_RETURN(binding.from, ReadPortIndex(scanner));
    DOVETAIL_RETURN_IF_ERROR(scanner.Expect("->"));
    DOVETAIL_ASSIGN_OR_RETURN(binding.to, ReadPortIndex(scanner));
    DOVETAIL_ASSIGN_OR_RETURN(binding.slicing, ReadSlicing(scanner));
    bindings.push_back(binding);
    scanner.Consume(",");
  }
  return bindings;
}

}  // namespace

absl::StatusOr<int> ReadPortIndex(Scanner& scanner) {
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t value, scanner.Integer());
  if (value < -1 || value > kMaxOutputs) {
    return OutOfRange("there is no index ", value);
  }
  return static_cast<int>(value);
}

absl::Status ReadBodyLine(Scanner& scanner, Body& body) {
  if (scanner.NextIs("\"")) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::string name, scanner.Quoted());
    body.model->set_name(name);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const auto inputs, ReadBindings(scanner, "inputs"));
  for (const Binding& binding : inputs) {
    body.inputs.push_back({binding.from, binding.to, binding.slicing});
  }
  DOVETAIL_ASSIGN_OR_RETURN(const auto outputs,
                            ReadBindings(scanner, "outputs"));
  for (const Binding& binding : outputs) {
    body.outputs.push_back({binding.to, binding.from, binding.slicing});
  }
  DOVETAIL_ASSIGN_OR_RETURN(const auto edges,
                            ReadBindings(scanner, "back_edges"));
  for (const Binding& binding : edges) {
    body.back_edges.push_back({binding.from, binding.to});
  }
  if (scanner.Consume("iteration")) {
    DOVETAIL_ASSIGN_OR_RETURN(body.current_iteration_parameter,
                              ReadPortIndex(scanner));
  }
  if (scanner.Consume("condition")) {
    DOVETAIL_ASSIGN_OR_RETURN(body.execution_condition_result,
                              ReadPortIndex(scanner));
  }
  DOVETAIL_RETURN_IF_ERROR(scanner.Expect("{"));
  return scanner.at_end() ? absl::OkStatus() : scanner.Error("left over");
}

absl::Status CheckBodyBindings(const Node& node, const Body& body) {
  const int parameters = static_cast<int>(body.model->parameters().size());
  const int results = static_cast<int>(body.model->results().size());
  const auto wrong = [](int index, int count) {
    return index < 0 || index >= count;
  };
  bool bad = body.current_iteration_parameter >= parameters ||
             body.execution_condition_result >= results;
  for (const BodyInput& binding : body.inputs) {
    bad |= wrong(binding.input, node.input_count()) ||
           wrong(binding.parameter, parameters);
  }
  for (const BodyOutput& binding : body.outputs) {
    bad |= wrong(binding.output, kMaxOutputs) || wrong(binding.result, results);
  }
  for (const BackEdge& binding : body.back_edges) {
    bad |=
        wrong(binding.result, results) || wrong(binding.parameter, parameters);
  }
  return bad ? InvalidArgument(node.Describe(),
                               ": the body is bound to what is not there")
             : absl::OkStatus();
}

}  // namespace dovetail
