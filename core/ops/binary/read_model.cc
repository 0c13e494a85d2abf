#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/binary/attribute_bytes.h"
#include "dovetail/core/ops/binary/model_bytes.h"
#include "dovetail/core/ops/binary/rt_info_bytes.h"
#include "dovetail/core/ops/binary/tensor_bytes.h"
#include "dovetail/core/ops/op_table.h"

namespace dovetail {
namespace {

absl::StatusOr<int> ReadInt(ByteReader& reader) {
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t value, reader.Signed());
  if (value < -1 || value > std::numeric_limits<int>::max()) {
    return DataLoss("there is no index ", value);
  }
  return static_cast<int>(value);
}

absl::Status ReadPort(ByteReader& reader, OutputPort& port) {
  DOVETAIL_ASSIGN_OR_RETURN(port.type, ReadElementType(reader));
  DOVETAIL_ASSIGN_OR_RETURN(port.shape, ReadPartialShape(reader));
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, reader.Count());
  for (size_t i = 0; i < count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view name, reader.Text());
    port.names.insert(std::string(name));
  }
  return ReadRtInfo(reader, port.rt_info);
}

absl::Status ReadSlicing(ByteReader& reader, std::optional<Slicing>& slicing) {
  DOVETAIL_ASSIGN_OR_RETURN(const uint8_t there, reader.Byte());
  if (there == 0) return absl::OkStatus();
  slicing.emplace();
  for (int64_t* value : {&slicing->axis, &slicing->start, &slicing->end,
                         &slicing->stride, &slicing->part_size}) {
    DOVETAIL_ASSIGN_OR_RETURN(*value, reader.Signed());
  }
  return absl::OkStatus();
}

absl::Status ReadBodyBindings(ByteReader& reader, Body& body) {
  DOVETAIL_ASSIGN_OR_RETURN(const size_t inputs, reader.Count());
  for (size_t i = 0; i < inputs; ++i) {
    BodyInput input;
    DOVETAIL_ASSIGN_OR_RETURN(input.input, ReadInt(reader));
    DOVETAIL_ASSIGN_OR_RETURN(input.parameter, ReadInt(reader));
    DOVETAIL_RETURN_IF_ERROR(ReadSlicing(reader, input.slicing));
    body.inputs.push_back(input);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const size_t outputs, reader.Count());
  for (size_t i = 0; i < outputs; ++i) {
    BodyOutput output;
    DOVETAIL_ASSIGN_OR_RETURN(output.output, ReadInt(reader));
    DOVETAIL_ASSIGN_OR_RETURN(output.result, ReadInt(reader));
    DOVETAIL_RETURN_IF_ERROR(ReadSlicing(reader, output.slicing));
    body.outputs.push_back(output);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const size_t edges, reader.Count());
  for (size_t i = 0; i < edges; ++i) {
    BackEdge edge;
    DOVETAIL_ASSIGN_OR_RETURN(edge.result, ReadInt(reader));
    DOVETAIL_ASSIGN_OR_RETURN(edge.parameter, ReadInt(reader));
    body.back_edges.push_back(edge);
  }
  DOVETAIL_ASSIGN_OR_RETURN(body.current_iteration_parameter, ReadInt(reader));
  DOVETAIL_ASSIGN_OR_RETURN(body.execution_condition_result, ReadInt(reader));
  return absl::OkStatus();
}

class ModelReader {
 public:
  ModelReader(ByteReader& reader, const FindBinaryOpFn& find,
              const FindExtensionOpFn& find_extension_op,
              ConstantsReader* constants)
      : reader_(reader),
        find_(find),
        find_extension_op_(find_extension_op),
        constants_(constants) {}

  absl::Status Read(Model& model, int depth) {
    if (depth > kMaxBodyDepth) {
      return DataLoss("bodies are nested over ", kMaxBodyDepth, " deep");
    }
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view name, reader_.Text());
    model.set_name(name);
    DOVETAIL_RETURN_IF_ERROR(ReadRtInfo(reader_, model.rt_info()));
    DOVETAIL_ASSIGN_OR_RETURN(const size_t count, reader_.Count());
    std::vector<Node*> nodes;
    for (size_t i = 0; i < count; ++i) {
      DOVETAIL_ASSIGN_OR_RETURN(Node * node, ReadNode(model, depth));
      nodes.push_back(node);
    }
    for (Node* node : nodes) {
      DOVETAIL_RETURN_IF_ERROR(
          Annotate(ReadInputs(nodes, *node), node->Describe()));
    }
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<Node*> ReadNode(Model& model, int depth) {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view type, reader_.Text());
    DOVETAIL_ASSIGN_OR_RETURN(const int version, ReadInt(reader_));
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view opset, reader_.Text());
    const absl::StatusOr<const OpInfo*> found =
        opset.empty() ? FindBuiltIn(type, version)
                      : FindOfExtension(type, version, opset);
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view name, reader_.Text());
    if (!found.ok()) {
      return Annotate(found.status(), absl::StrCat("layer '", name, "'"));
    }
    const OpInfo* const op = *found;
    Node* node = model.AddUninferred(*op, {}, op->make_attributes(), name);
    if (absl::Status status = ReadRest(*node, depth); !status.ok()) {
      return Annotate(status, node->Describe());
    }
    return node;
  }

  absl::StatusOr<const OpInfo*> FindBuiltIn(absl::string_view type,
                                            int version) const {
    const OpInfo* op = find_(type, version);
    if (op != nullptr) return op;
    return NotFound("there is no operation ", type, "-", version);
  }

  absl::StatusOr<const OpInfo*> FindOfExtension(absl::string_view type,
                                                int version,
                                                absl::string_view opset) {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view extension,
                              reader_.Text());
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view build, reader_.Text());
    const OpInfo* op = find_extension_op_ == nullptr
                           ? nullptr
                           : find_extension_op_(type, version, opset);
    if (op != nullptr && op->extension != nullptr &&
        op->extension->build == build) {
      return op;
    }
    return NotFound("there is no operation ", type, "-", version, " of opset '",
                    opset, "' from build '", build, "' of extension '",
                    extension, "'");
  }

  // What comes behind the name.
  absl::Status ReadRest(Node& node, int depth) {
    DOVETAIL_RETURN_IF_ERROR(
        ReadAttributes(reader_, node.attributes(), constants_));
    DOVETAIL_RETURN_IF_ERROR(ReadRtInfo(reader_, node.rt_info()));
    DOVETAIL_ASSIGN_OR_RETURN(const size_t outputs, reader_.Count());
    if (outputs > Arity::kAny) return DataLoss("has ", outputs, " outputs");
    node.SetOutputCount(static_cast<int>(outputs));
    for (int i = 0; i < node.output_count(); ++i) {
      DOVETAIL_RETURN_IF_ERROR(ReadPort(reader_, node.port(i)));
    }
    DOVETAIL_ASSIGN_OR_RETURN(const size_t bodies, reader_.Count());
    for (size_t i = 0; i < bodies; ++i) {
      auto body = std::make_unique<Body>();
      body->model = std::make_unique<Model>();
      DOVETAIL_RETURN_IF_ERROR(ReadBodyBindings(reader_, *body));
      DOVETAIL_RETURN_IF_ERROR(Read(*body->model, depth + 1));
      node.bodies().push_back(std::move(body));
    }
    return absl::OkStatus();
  }

  absl::Status ReadInputs(const std::vector<Node*>& nodes, Node& node) {
    DOVETAIL_ASSIGN_OR_RETURN(const size_t count, reader_.Count());
    for (size_t i = 0; i < count; ++i) {
      DOVETAIL_ASSIGN_OR_RETURN(const int position, ReadInt(reader_));
      DOVETAIL_ASSIGN_OR_RETURN(const int index, ReadInt(reader_));
      if (position < 0 || static_cast<size_t>(position) >= nodes.size() ||
          index < 0 || index >= nodes[position]->output_count()) {
        return DataLoss("input ", i, " is connected to nothing");
      }
      node.AddInput(nodes[position]->output(index));
    }
    return absl::OkStatus();
  }

  ByteReader& reader_;
  const FindBinaryOpFn& find_;
  const FindExtensionOpFn& find_extension_op_;
  ConstantsReader* constants_;
};

absl::StatusOr<std::unique_ptr<Model>> ReadAll(
    ByteReader& reader, const FindBinaryOpFn& find,
    const FindExtensionOpFn& find_extension_op, ConstantsReader* constants) {
  auto model = std::make_unique<Model>();
  DOVETAIL_RETURN_IF_ERROR(
      ModelReader(reader, find, find_extension_op, constants).Read(*model, 0));
  if (absl::Status sound = model->Verify(); !sound.ok()) {
    return DataLoss(sound.message());
  }
  return model;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Model>> ReadModel(ByteReader& reader,
                                                 const FindBinaryOpFn& find,
                                                 ConstantsReader* constants) {
  return ReadAll(reader, find, nullptr, constants);
}

absl::StatusOr<std::unique_ptr<Model>> ReadModel(
    ByteReader& reader, ConstantsReader* constants,
    const FindExtensionOpFn& find) {
  return ReadAll(
      reader,
      [](absl::string_view type, int version) { return FindOp(type, version); },
      find, constants);
}

}  // namespace dovetail
