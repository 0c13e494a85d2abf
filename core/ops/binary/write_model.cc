#include <unordered_map>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/binary/attribute_bytes.h"
#include "dovetail/core/ops/binary/model_bytes.h"
#include "dovetail/core/ops/binary/rt_info_bytes.h"
#include "dovetail/core/ops/binary/tensor_bytes.h"

namespace dovetail {
namespace {

absl::Status WriteModelAt(const Model& model, int depth, ByteWriter& writer,
                          ConstantsWriter* constants);

absl::Status WritePort(const OutputPort& port, ByteWriter& writer) {
  WriteElementType(port.type, writer);
  WritePartialShape(port.shape, writer);
  writer.Number(port.names.size());
  for (const std::string& name : port.names) writer.Text(name);
  return WriteRtInfo(port.rt_info, writer);
}

void WriteSlicing(const std::optional<Slicing>& slicing, ByteWriter& writer) {
  writer.Byte(slicing.has_value());
  if (!slicing.has_value()) return;
  for (int64_t value : {slicing->axis, slicing->start, slicing->end,
                        slicing->stride, slicing->part_size}) {
    writer.Signed(value);
  }
}

absl::Status WriteBody(const Body& body, int depth, ByteWriter& writer,
                       ConstantsWriter* constants) {
  writer.Number(body.inputs.size());
  for (const BodyInput& input : body.inputs) {
    writer.Signed(input.input);
    writer.Signed(input.parameter);
    WriteSlicing(input.slicing, writer);
  }
  writer.Number(body.outputs.size());
  for (const BodyOutput& output : body.outputs) {
    writer.Signed(output.output);
    writer.Signed(output.result);
    WriteSlicing(output.slicing, writer);
  }
  writer.Number(body.back_edges.size());
  for (const BackEdge& edge : body.back_edges) {
    writer.Signed(edge.result);
    writer.Signed(edge.parameter);
  }
  writer.Signed(body.current_iteration_parameter);
  writer.Signed(body.execution_condition_result);
  return WriteModelAt(*body.model, depth + 1, writer, constants);
}

absl::Status WriteNode(const Node& node, int depth, ByteWriter& writer,
                       ConstantsWriter* constants) {
  const OpInfo& op = node.op();
  if (!op.custom_opset.empty() && op.extension == nullptr) {
    return Unimplemented("an operation of opset '", op.custom_opset,
                         "' cannot be exported: no extension brings it");
  }
  writer.Text(op.type);
  writer.Signed(op.version);
  writer.Text(op.custom_opset);
  if (!op.custom_opset.empty()) {
    writer.Text(op.extension->extension);
    writer.Text(op.extension->build);
  }
  writer.Text(node.name());
  DOVETAIL_RETURN_IF_ERROR(
      WriteAttributes(node.attributes(), writer, constants));
  DOVETAIL_RETURN_IF_ERROR(WriteRtInfo(node.rt_info(), writer));
  writer.Number(node.output_count());
  for (int i = 0; i < node.output_count(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(WritePort(node.port(i), writer));
  }
  writer.Number(node.bodies().size());
  for (const auto& body : node.bodies()) {
    DOVETAIL_RETURN_IF_ERROR(WriteBody(*body, depth, writer, constants));
  }
  return absl::OkStatus();
}

using Positions = std::unordered_map<const Node*, int64_t>;

absl::Status WriteInputs(const Node& node, const Positions& positions,
                         ByteWriter& writer) {
  writer.Number(node.input_count());
  for (Value input : node.inputs()) {
    const auto it = positions.find(input.node);
    if (it == positions.end()) {
      return InvalidArgument("reads what is not in the model");
    }
    writer.Signed(it->second);
    writer.Signed(input.index);
  }
  return absl::OkStatus();
}

absl::Status WriteModelAt(const Model& model, int depth, ByteWriter& writer,
                          ConstantsWriter* constants) {
  if (depth > kMaxBodyDepth) {
    return InvalidArgument("bodies are nested over ", kMaxBodyDepth, " deep");
  }
  writer.Text(model.name());
  DOVETAIL_RETURN_IF_ERROR(WriteRtInfo(model.rt_info(), writer));
  writer.Number(model.node_count());
  Positions positions;
  for (const auto& node : model.nodes()) {
    positions.emplace(node.get(), static_cast<int64_t>(positions.size()));
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(WriteNode(*node, depth, writer, constants), node->Describe()));
  }
  // When all are known: a node may read one that was created after it.
  for (const auto& node : model.nodes()) {
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(WriteInputs(*node, positions, writer), node->Describe()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteModel(const Model& model, ByteWriter& writer,
                        ConstantsWriter* constants) {
  return WriteModelAt(model, 0, writer, constants);
}

}  // namespace dovetail
