#include "dovetail/core/plugin/lowered/lowered_bytes.h"

#include <utility>

#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/binary/model_bytes.h"
#include "dovetail/core/ops/binary/tensor_bytes.h"
#include "dovetail/core/plugin/ports/port_bytes.h"

namespace dovetail {
namespace {

constexpr absl::string_view kLowered = "lowered";

absl::Status ReadText(ByteReader& reader, std::string& text) {
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view view, reader.Text());
  text = std::string(view);
  return absl::OkStatus();
}

absl::Status ReadVariables(ByteReader& reader,
                           std::vector<VariableInfo>& variables) {
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, reader.Count());
  for (size_t i = 0; i < count; ++i) {
    VariableInfo variable;
    DOVETAIL_RETURN_IF_ERROR(ReadText(reader, variable.id));
    DOVETAIL_ASSIGN_OR_RETURN(variable.type, ReadElementType(reader));
    DOVETAIL_ASSIGN_OR_RETURN(variable.shape, ReadPartialShape(reader));
    variables.push_back(std::move(variable));
  }
  return absl::OkStatus();
}

absl::Status ReadLayers(ByteReader& reader, std::vector<LayerName>& layers) {
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, reader.Count());
  for (size_t i = 0; i < count; ++i) {
    LayerName layer;
    DOVETAIL_RETURN_IF_ERROR(ReadText(reader, layer.name));
    DOVETAIL_RETURN_IF_ERROR(ReadText(reader, layer.type));
    layers.push_back(std::move(layer));
  }
  return absl::OkStatus();
}

absl::StatusOr<LoweredModel> ReadAll(ByteReader& reader,
                                     ConstantsReader& constants,
                                     const FindExtensionOpFn& find) {
  LoweredModel lowered;
  DOVETAIL_ASSIGN_OR_RETURN(lowered.inputs, ReadPorts(reader));
  DOVETAIL_ASSIGN_OR_RETURN(lowered.outputs, ReadPorts(reader));
  DOVETAIL_RETURN_IF_ERROR(ReadVariables(reader, lowered.variables));
  DOVETAIL_RETURN_IF_ERROR(ReadLayers(reader, lowered.optimized_out));
  DOVETAIL_ASSIGN_OR_RETURN(lowered.model, ReadModel(reader, &constants, find));
  DOVETAIL_RETURN_IF_ERROR(reader.Finish());
  const Model& model = *lowered.model;
  if (lowered.inputs.size() != model.parameters().size() ||
      lowered.outputs.size() != model.results().size()) {
    return DataLoss("there are ", lowered.inputs.size(), " inputs and ",
                    lowered.outputs.size(), " outputs, but ",
                    model.parameters().size(), " parameters and ",
                    model.results().size(), " results");
  }
  return lowered;
}

}  // namespace

LoweredView ViewOf(const LoweredModel& lowered) {
  return {*lowered.model, lowered.inputs, lowered.outputs, lowered.variables,
          lowered.optimized_out};
}

absl::Status WriteLowered(const LoweredView& lowered, WeightsPlace weights,
                          BlobWriter& blob) {
  ByteWriter writer;
  WritePorts(lowered.inputs, writer);
  WritePorts(lowered.outputs, writer);
  writer.Number(lowered.variables.size());
  for (const VariableInfo& variable : lowered.variables) {
    writer.Text(variable.id);
    WriteElementType(variable.type, writer);
    WritePartialShape(variable.shape, writer);
  }
  writer.Number(lowered.optimized_out.size());
  for (const LayerName& layer : lowered.optimized_out) {
    writer.Text(layer.name);
    writer.Text(layer.type);
  }
  ConstantsWriter constants(&blob, weights, kLeastMappedBytes);
  DOVETAIL_RETURN_IF_ERROR(WriteModel(lowered.model, writer, &constants));
  DOVETAIL_RETURN_IF_ERROR(constants.Finish());
  return blob.AddSection(kLowered, writer.bytes());
}

absl::StatusOr<LoweredModel> ReadLowered(const BlobReader& blob,
                                         const FindExtensionOpFn& find,
                                         ConstantsReader::Checking checking) {
  DOVETAIL_ASSIGN_OR_RETURN(const BlobBytes bytes, blob.Section(kLowered));
  ByteReader reader(bytes.view());
  ConstantsReader constants(blob, checking);
  absl::StatusOr<LoweredModel> lowered = ReadAll(reader, constants, find);
  // The file with the weights may be another one, and memory may lack.
  if (lowered.ok() || absl::IsFailedPrecondition(lowered.status()) ||
      absl::IsResourceExhausted(lowered.status())) {
    return lowered;
  }
  // An operation that is not there comes from damage, too: the build is the
  // same, as core has checked.
  return DataLoss("the exported model is damaged: ",
                  lowered.status().message());
}

}  // namespace dovetail
