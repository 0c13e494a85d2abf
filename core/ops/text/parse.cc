#include "dovetail/core/ops/text/parse.h"

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/ops/text/read_attributes.h"
#include "dovetail/core/ops/text/read_body.h"
#include "dovetail/core/ops/text/scanner.h"

namespace dovetail {
namespace {

// What stands behind the colon of a node's line.
struct DeclaredPort {
  ElementType type;
  PartialShape shape;
  std::set<std::string> names;
};

// ---- Parts of a line ----

absl::StatusOr<std::vector<DeclaredPort>> ReadPorts(Scanner& scanner) {
  std::vector<DeclaredPort> ports;
  if (!scanner.Consume(":")) return ports;
  do {
    DeclaredPort port;
    DOVETAIL_ASSIGN_OR_RETURN(port.type, ParseElementType(scanner.Word()));
    DOVETAIL_RETURN_IF_ERROR(scanner.Expect("["));
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view dims,
                              scanner.ValueUntil("]"));
    DOVETAIL_RETURN_IF_ERROR(scanner.Expect("]"));
    DOVETAIL_ASSIGN_OR_RETURN(
        port.shape, PartialShape::Parse(absl::StrCat("[", dims, "]")));
    while (!scanner.at_end()) {
      absl::StatusOr<std::string> name = scanner.Quoted();
      if (!name.ok()) break;
      port.names.insert(*std::move(name));
    }
    ports.push_back(std::move(port));
  } while (scanner.Consume(","));
  return ports;
}

// A friendly name: the rest of the line, as it is or in quotes.
absl::StatusOr<std::string> ReadName(Scanner& scanner) {
  if (!scanner.Consume("#")) {
    return scanner.at_end() ? absl::StatusOr<std::string>("")
                            : scanner.Error("left over");
  }
  const absl::string_view name = scanner.Rest();
  if (!absl::StartsWith(name, "\"")) return std::string(name);
  Scanner quoted(name);
  return quoted.Quoted();
}

// Gives the node the ports that the text declares, or checks that they are the
// inferred ones.
absl::Status SetPorts(Node& node, const std::vector<DeclaredPort>& ports) {
  const bool infers = node.op().infer != nullptr;
  const int count = static_cast<int>(ports.size());
  if (!infers) {
    if (!node.op().outputs.Contains(count)) {
      return InvalidArgument(node.Describe(), ": cannot have ", count,
                             " outputs");
    }
    node.SetOutputCount(count);
  } else {
    // Inference keeps the number where it depends on values that are unknown.
    if (node.op().outputs.Contains(count)) node.SetOutputCount(count);
    DOVETAIL_RETURN_IF_ERROR(node.Infer());
    if (!ports.empty() && count != node.output_count()) {
      return InvalidArgument(node.Describe(), ": the text has ", count,
                             " outputs, inference ", node.output_count());
    }
  }
  for (int i = 0; i < count; ++i) {
    OutputPort& port = node.port(i);
    if (infers &&
        (port.type != ports[i].type || port.shape != ports[i].shape)) {
      return InvalidArgument(
          node.Describe(), ": output ", i, " is ", ElementTypeName(port.type),
          port.shape.ToString(), ", the text says ",
          ElementTypeName(ports[i].type), ports[i].shape.ToString());
    }
    port.type = ports[i].type;
    port.shape = ports[i].shape;
    port.names = ports[i].names;
  }
  return absl::OkStatus();
}

// ---- Lines ----

class Parser {
 public:
  Parser(absl::string_view text, const FindOpFn& find)
      : find_(find), lines_(absl::StrSplit(text, '\n')) {}

  absl::StatusOr<Model> Run() {
    Model model;
    absl::Status status = ReadHeader(model);
    if (status.ok()) status = ReadNodes(model, 0);
    if (status.ok() && line_ < lines_.size()) {
      status = InvalidArgument("there is no body to close");
    }
    if (!status.ok()) return Annotate(status, absl::StrCat("line ", line_ + 1));
    if (absl::Status sound = model.Verify(); !sound.ok()) {
      return InvalidArgument(sound.message());
    }
    return model;
  }

 private:
  using Labels = std::unordered_map<std::string, Node*>;

  // Skips empty lines; whether there is another.
  bool NextLine() {
    while (line_ < lines_.size() && Scanner(lines_[line_]).at_end()) ++line_;
    return line_ < lines_.size();
  }

  absl::Status ReadHeader(Model& model) {
    if (!NextLine()) return absl::OkStatus();
    Scanner scanner(lines_[line_]);
    if (!scanner.Consume("model")) return absl::OkStatus();
    DOVETAIL_ASSIGN_OR_RETURN(const std::string name, scanner.Quoted());
    model.set_name(name);
    ++line_;
    return absl::OkStatus();
  }

  // Up to the end or the line that closes the body.
  absl::Status ReadNodes(Model& model, int depth) {
    Labels labels;
    while (NextLine()) {
      Scanner scanner(lines_[line_]);
      if (scanner.Consume("}")) return absl::OkStatus();
      DOVETAIL_RETURN_IF_ERROR(ReadNode(scanner, model, labels, depth));
    }
    return depth == 0 ? absl::OkStatus()
                      : InvalidArgument("a body is not closed");
  }

  absl::Status ReadNode(Scanner& scanner, Model& model, Labels& labels,
                        int depth) {
    DOVETAIL_RETURN_IF_ERROR(scanner.Expect("%"));
    const std::string label(scanner.Word());
    DOVETAIL_RETURN_IF_ERROR(scanner.Expect("="));
    DOVETAIL_ASSIGN_OR_RETURN(const OpInfo* op, ReadOp(scanner));
    DOVETAIL_ASSIGN_OR_RETURN(const auto inputs, ReadInputs(scanner, labels));
    std::unique_ptr<Attributes> attributes = op->make_attributes();
    DOVETAIL_RETURN_IF_ERROR(ReadAttributes(scanner, *attributes));
    DOVETAIL_ASSIGN_OR_RETURN(const auto ports, ReadPorts(scanner));
    DOVETAIL_ASSIGN_OR_RETURN(const std::string name, ReadName(scanner));
    Node* node =
        model.AddUninferred(*op, inputs, std::move(attributes), name);
    if (!labels.emplace(label, node).second) {
      return InvalidArgument("%", label, " is there twice");
    }
    const size_t node_line = line_++;
    DOVETAIL_RETURN_IF_ERROR(ReadBodies(*node, depth));
    absl::Status status = SetPorts(*node, ports);
    if (!status.ok()) line_ = node_line;
    return status;
  }

  absl::StatusOr<const OpInfo*> ReadOp(Scanner& scanner) {
    const absl::string_view type = scanner.Word();
    DOVETAIL_RETURN_IF_ERROR(scanner.Expect("-"));
    DOVETAIL_ASSIGN_OR_RETURN(const int version, ReadPortIndex(scanner));
    const OpInfo* op = find_(type, version);
    if (op != nullptr) return op;
    return NotFound("there is no operation ", type, "-", version);
  }

  absl::StatusOr<std::vector<Value>> ReadInputs(Scanner& scanner,
                                                const Labels& labels) {
    std::vector<Value> inputs;
    DOVETAIL_RETURN_IF_ERROR(scanner.Expect("("));
    while (!scanner.Consume(")")) {
      inputs.emplace_back();
      if (!scanner.Consume("_")) {
        DOVETAIL_ASSIGN_OR_RETURN(inputs.back(), ReadValue(scanner, labels));
      }
      scanner.Consume(",");
    }
    return inputs;
  }

  absl::StatusOr<Value> ReadValue(Scanner& scanner, const Labels& labels) {
    DOVETAIL_RETURN_IF_ERROR(scanner.Expect("%"));
    const std::string label(scanner.Word());
    const auto found = labels.find(label);
    if (found == labels.end()) {
      return InvalidArgument("there is no %", label, " before");
    }
    int index = 0;
    if (scanner.Consume(":")) {
      DOVETAIL_ASSIGN_OR_RETURN(index, ReadPortIndex(scanner));
    }
    if (index < 0 || index >= found->second->output_count()) {
      return InvalidArgument("%", label, " has no output ", index);
    }
    return found->second->output(index);
  }

  absl::Status ReadBodies(Node& node, int depth) {
    while (NextLine()) {
      Scanner scanner(lines_[line_]);
      if (!scanner.Consume("body")) break;
      if (depth >= kMaxBodyDepth) {
        return InvalidArgument("bodies are nested over ", kMaxBodyDepth,
                               " deep");
      }
      auto body = std::make_unique<Body>();
      body->model = std::make_unique<Model>();
      DOVETAIL_RETURN_IF_ERROR(ReadBodyLine(scanner, *body));
      ++line_;
      DOVETAIL_RETURN_IF_ERROR(ReadNodes(*body->model, depth + 1));
      DOVETAIL_RETURN_IF_ERROR(CheckBodyBindings(node, *body));
      ++line_;
      node.bodies().push_back(std::move(body));
    }
    return absl::OkStatus();
  }

  const FindOpFn& find_;
  std::vector<absl::string_view> lines_;
  size_t line_ = 0;
};

}  // namespace

absl::StatusOr<Model> ParseModelText(absl::string_view text,
                                     const FindOpFn& find) {
  return Parser(text, find).Run();
}

absl::StatusOr<Model> ParseModelText(absl::string_view text) {
  return ParseModelText(text, [](absl::string_view type, int version) {
    return FindOp(type, version);
  });
}

}  // namespace dovetail
