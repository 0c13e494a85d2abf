#include "dovetail/backends/batch/batch_bytes.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "dovetail/backends/batch/batch_target.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/ports/port_bytes.h"
#include "dovetail/core/plugin/ports/ports.h"

namespace dovetail::batch {
namespace {

constexpr absl::string_view kBatch = "batch";

void WriteAxes(const std::vector<int>& axes, ByteWriter& writer) {
  writer.Number(axes.size());
  for (const int axis : axes) writer.Number(static_cast<uint64_t>(axis));
}

// Of the ports, or none at all.
absl::StatusOr<std::vector<int>> ReadAxes(ByteReader& reader,
                                          const std::vector<PortInfo>& ports,
                                          bool has_axes) {
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, reader.Count());
  if (count != (has_axes ? ports.size() : 0)) {
    return DataLoss("there are ", count, " axes for ", ports.size(), " ports");
  }
  std::vector<int> axes;
  for (size_t i = 0; i < count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const uint64_t axis, reader.Number());
    const PartialShape& shape = ports[i].shape;
    if (!shape.is_static() || axis >= static_cast<uint64_t>(shape.rank())) {
      return DataLoss(DescribePort("port", ports[i]), " has no axis ", axis);
    }
    axes.push_back(static_cast<int>(axis));
  }
  return axes;
}

absl::StatusOr<ExportedBatch> ReadAll(ByteReader& reader) {
  ExportedBatch batch;
  DOVETAIL_ASSIGN_OR_RETURN(batch.inputs, ReadPorts(reader));
  DOVETAIL_ASSIGN_OR_RETURN(batch.outputs, ReadPorts(reader));
  CompiledParts& compiled = batch.compiled;
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view device, reader.Text());
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view reason, reader.Text());
  compiled.device = std::string(device);
  compiled.reason = std::string(reason);
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, reader.Count());
  for (size_t i = 0; i < count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const uint64_t size, reader.Number());
    if (size < 1 || size > static_cast<uint64_t>(kMostRequests)) {
      return DataLoss("there is a batch of ", size);
    }
    compiled.parts[size] = nullptr;
  }
  if (compiled.parts.count(1) == 0) {
    return DataLoss("there is no part for one request");
  }
  const bool has_axes = compiled.parts.size() > 1;
  DOVETAIL_ASSIGN_OR_RETURN(compiled.axes.inputs,
                            ReadAxes(reader, batch.inputs, has_axes));
  DOVETAIL_ASSIGN_OR_RETURN(compiled.axes.outputs,
                            ReadAxes(reader, batch.outputs, has_axes));
  DOVETAIL_RETURN_IF_ERROR(reader.Finish());
  return batch;
}

// `axes` are empty where there is one part alone.
absl::Status CheckPorts(absl::Span<const PortInfo> whole,
                        absl::Span<const PortInfo> part,
                        const std::vector<int>& axes, size_t size) {
  if (whole.size() != part.size()) {
    return DataLoss("it has ", part.size(), " ports of a kind, not ",
                    whole.size());
  }
  for (size_t i = 0; i < whole.size(); ++i) {
    PartialShape shape = whole[i].shape;
    if (!axes.empty()) {
      shape[axes[i]] = static_cast<int64_t>(size) * shape[axes[i]].value();
    }
    if (part[i].type == whole[i].type && part[i].shape == shape) continue;
    return DataLoss("it has ", DescribePort("port", part[i]), " of shape ",
                    part[i].shape.ToString(), " where ", shape.ToString(),
                    " is right");
  }
  return absl::OkStatus();
}

}  // namespace

std::string PartSection(size_t size) { return absl::StrCat("part ", size); }

absl::Status WriteBatch(const ExportedBatch& batch, BlobWriter& blob) {
  ByteWriter writer;
  WritePorts(batch.inputs, writer);
  WritePorts(batch.outputs, writer);
  writer.Text(batch.compiled.device);
  writer.Text(batch.compiled.reason);
  writer.Number(batch.compiled.parts.size());
  for (const auto& [size, part] : batch.compiled.parts) writer.Number(size);
  WriteAxes(batch.compiled.axes.inputs, writer);
  WriteAxes(batch.compiled.axes.outputs, writer);
  return blob.AddSection(kBatch, writer.bytes());
}

absl::StatusOr<ExportedBatch> ReadBatch(const BlobReader& blob) {
  DOVETAIL_ASSIGN_OR_RETURN(const BlobBytes bytes, blob.Section(kBatch));
  ByteReader reader(bytes.view());
  absl::StatusOr<ExportedBatch> batch = ReadAll(reader);
  if (batch.ok()) return batch;
  return DataLoss("the exported batch is damaged: ", batch.status().message());
}

absl::Status CheckParts(const ExportedBatch& batch) {
  for (const auto& [size, part] : batch.compiled.parts) {
    const std::string name = absl::StrCat("the part for ", size);
    const BatchAxes& axes = batch.compiled.axes;
    DOVETAIL_RETURN_IF_ERROR(Annotate(
        CheckPorts(batch.inputs, part->inputs(), axes.inputs, size), name));
    DOVETAIL_RETURN_IF_ERROR(Annotate(
        CheckPorts(batch.outputs, part->outputs(), axes.outputs, size), name));
  }
  return absl::OkStatus();
}

}  // namespace dovetail::batch
