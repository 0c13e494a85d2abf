#include "dovetail/backends/hetero/parts/wiring.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/ports/port_bytes.h"
#include "dovetail/core/plugin/ports/ports.h"

namespace dovetail::hetero {
namespace {

constexpr absl::string_view kWiring = "wiring";

void WriteSources(const std::vector<Source>& sources, ByteWriter& writer) {
  writer.Number(sources.size());
  for (const Source& source : sources) {
    writer.Number(static_cast<uint64_t>(source.part + 1));
    writer.Number(static_cast<uint64_t>(source.index));
  }
}

// Of parts before number `part`, or of `inputs` of the whole model.
absl::StatusOr<std::vector<Source>> ReadSources(ByteReader& reader, size_t part,
                                                size_t inputs) {
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, reader.Count());
  std::vector<Source> sources;
  for (size_t i = 0; i < count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const uint64_t from, reader.Number());
    DOVETAIL_ASSIGN_OR_RETURN(const uint64_t index, reader.Number());
    constexpr uint64_t kMost = 1 << 30;
    if (from > part || index > kMost || (from == 0 && index >= inputs)) {
      return DataLoss("part ", part, " reads output ", index, " of part ",
                      static_cast<int64_t>(from) - 1,
                      ", which is no port before it");
    }
    sources.push_back({static_cast<int>(from) - 1, static_cast<int>(index)});
  }
  return sources;
}

absl::StatusOr<WiredModel> ReadAll(ByteReader& reader) {
  WiredModel model;
  DOVETAIL_ASSIGN_OR_RETURN(model.inputs, ReadPorts(reader));
  DOVETAIL_ASSIGN_OR_RETURN(model.outputs, ReadPorts(reader));
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, reader.Count());
  std::vector<PartWiring>& parts = model.wiring.parts;
  for (size_t p = 0; p < count; ++p) {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view device, reader.Text());
    DOVETAIL_ASSIGN_OR_RETURN(std::vector<Source> inputs,
                              ReadSources(reader, p, model.inputs.size()));
    parts.push_back({std::string(device), std::move(inputs)});
  }
  DOVETAIL_ASSIGN_OR_RETURN(model.wiring.results,
                            ReadSources(reader, count, 0));
  DOVETAIL_RETURN_IF_ERROR(reader.Finish());
  if (model.wiring.results.size() == model.outputs.size()) return model;
  return DataLoss("there are ", model.outputs.size(), " outputs and ",
                  model.wiring.results.size(), " results of parts");
}

// Whether what `from` gives can be read as `to`.
absl::Status CheckFits(const PortInfo& from, const PortInfo& to) {
  if (from.type == to.type && from.shape.Compatible(to.shape)) {
    return absl::OkStatus();
  }
  return DataLoss(DescribePort("port", from), " is connected to ",
                  DescribePort("port", to));
}

class Checker {
 public:
  Checker(const WiredModel& model,
          const std::vector<std::shared_ptr<const Executable>>& parts)
      : model_(model), parts_(parts) {}

  absl::Status CheckPart(size_t p) const {
    const std::vector<Source>& sources = model_.wiring.parts[p].inputs;
    const auto inputs = parts_[p]->inputs();
    if (sources.size() != inputs.size()) {
      return DataLoss("it has ", inputs.size(), " inputs, not ",
                      sources.size());
    }
    for (size_t i = 0; i < sources.size(); ++i) {
      DOVETAIL_RETURN_IF_ERROR(CheckSource(sources[i], inputs[i]));
    }
    return absl::OkStatus();
  }

  absl::Status CheckResults() const {
    for (size_t i = 0; i < model_.outputs.size(); ++i) {
      DOVETAIL_RETURN_IF_ERROR(
          CheckSource(model_.wiring.results[i], model_.outputs[i]));
    }
    return absl::OkStatus();
  }

 private:
  absl::Status CheckSource(const Source& source, const PortInfo& to) const {
    if (source.part < 0) return CheckFits(model_.inputs[source.index], to);
    const auto outputs = parts_[source.part]->outputs();
    if (static_cast<size_t>(source.index) < outputs.size()) {
      return CheckFits(outputs[source.index], to);
    }
    return DataLoss("part ", source.part, " has ", outputs.size(),
                    " outputs, not number ", source.index);
  }

  const WiredModel& model_;
  const std::vector<std::shared_ptr<const Executable>>& parts_;
};

}  // namespace

absl::Status WriteWiring(const WiredModel& model, BlobWriter& blob) {
  ByteWriter writer;
  WritePorts(model.inputs, writer);
  WritePorts(model.outputs, writer);
  writer.Number(model.wiring.parts.size());
  for (const PartWiring& part : model.wiring.parts) {
    writer.Text(part.device);
    WriteSources(part.inputs, writer);
  }
  WriteSources(model.wiring.results, writer);
  return blob.AddSection(kWiring, writer.bytes());
}

absl::StatusOr<WiredModel> ReadWiring(const BlobReader& blob) {
  DOVETAIL_ASSIGN_OR_RETURN(const BlobBytes bytes, blob.Section(kWiring));
  ByteReader reader(bytes.view());
  absl::StatusOr<WiredModel> model = ReadAll(reader);
  if (model.ok()) return model;
  return DataLoss("the exported parts are damaged: ", model.status().message());
}

absl::Status CheckWiring(
    const WiredModel& model,
    const std::vector<std::shared_ptr<const Executable>>& parts) {
  const Checker checker(model, parts);
  for (size_t p = 0; p < parts.size(); ++p) {
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(checker.CheckPart(p), absl::StrCat("part ", p)));
  }
  return Annotate(checker.CheckResults(), "the results");
}

}  // namespace dovetail::hetero
