#include "dovetail/backends/vpu/custom/shave/worker/launch_call.h"

#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

void WriteStage(const CalledStage& stage, ByteWriter& writer) {
  writer.Number(stage.program);
  for (const size_t size : stage.global) writer.Number(size);
  for (const size_t size : stage.local) writer.Number(size);
  writer.Number(stage.arguments.size());
  for (const CalledArgument& one : stage.arguments) {
    writer.Text(one.name);
    writer.Byte(static_cast<uint8_t>(one.kind));
    writer.Number(one.number);
    writer.Text(one.value);
  }
}

absl::StatusOr<CalledArgument> ReadArgument(ByteReader& reader) {
  CalledArgument argument;
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view name, reader.Text());
  DOVETAIL_ASSIGN_OR_RETURN(const uint8_t kind, reader.Byte());
  DOVETAIL_ASSIGN_OR_RETURN(argument.number, reader.Number());
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view value, reader.Text());
  argument.name = std::string(name);
  argument.kind = static_cast<CalledArgument::Kind>(kind);
  argument.value = std::string(value);
  return argument;
}

absl::StatusOr<CalledStage> ReadStage(ByteReader& reader) {
  CalledStage stage;
  DOVETAIL_ASSIGN_OR_RETURN(stage.program, reader.Number());
  for (size_t& size : stage.global) {
    DOVETAIL_ASSIGN_OR_RETURN(size, reader.Number());
  }
  for (size_t& size : stage.local) {
    DOVETAIL_ASSIGN_OR_RETURN(size, reader.Number());
  }
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, reader.Count());
  for (size_t i = 0; i < count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(CalledArgument argument, ReadArgument(reader));
    stage.arguments.push_back(std::move(argument));
  }
  return stage;
}

}  // namespace

std::string LaunchCall::Bytes() const {
  ByteWriter writer;
  writer.Number(id);
  writer.Number(buffers.size());
  for (const Placement& one : buffers) {
    writer.Number(one.pages);
    writer.Number(one.page_bytes);
    writer.Number(one.head);
    writer.Number(one.bytes);
  }
  writer.Number(stages.size());
  for (const CalledStage& stage : stages) WriteStage(stage, writer);
  return writer.Take();
}

absl::StatusOr<LaunchCall> LaunchCall::Read(ByteReader& reader) {
  LaunchCall call;
  DOVETAIL_ASSIGN_OR_RETURN(call.id, reader.Number());
  DOVETAIL_ASSIGN_OR_RETURN(const size_t buffers, reader.Count());
  for (size_t i = 0; i < buffers; ++i) {
    Placement one;
    DOVETAIL_ASSIGN_OR_RETURN(one.pages, reader.Number());
    DOVETAIL_ASSIGN_OR_RETURN(one.page_bytes, reader.Number());
    DOVETAIL_ASSIGN_OR_RETURN(one.head, reader.Number());
    DOVETAIL_ASSIGN_OR_RETURN(one.bytes, reader.Number());
    call.buffers.push_back(one);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const size_t stages, reader.Count());
  for (size_t i = 0; i < stages; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(CalledStage stage, ReadStage(reader));
    call.stages.push_back(std::move(stage));
  }
  return call;
}

}  // namespace dovetail::vpu
