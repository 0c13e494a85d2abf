#include "dovetail/testing/fakes/fake_context.h"

#include <utility>

#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/testing/fakes/fake_remote_context.h"

namespace dovetail {

FakeContext::FakeContext(const FakeExecutable& executable)
    : ExecutionContext(executable),
      executable_(executable),
      device_(executable.device()) {
  Executor* const host = &device_.host_thread();
  stages_ = {
      SynchronousStage("input copy", host, [this] { return Upload(); }),
      {"execute", nullptr,
       [this](StageDone done) { Execute(std::move(done)); }},
      SynchronousStage("output copy", host, [this] { return Download(); }),
  };
}

absl::Status FakeContext::Upload() {
  uploaded_.clear();
  input_handles_.clear();
  for (size_t i = 0; i < executable_.inputs().size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor,
                              input_tensors().Get(static_cast<int>(i)));
    if (!tensor.is_on_host()) {
      const FakeBuffer* buffer =
          FakeBufferOf(*tensor.device_memory(), device_);
      input_handles_.push_back(buffer->handle());
      continue;
    }
    DOVETAIL_ASSIGN_OR_RETURN(FakeBuffer buffer, device_.Upload(tensor));
    input_handles_.push_back(buffer.handle());
    uploaded_.push_back(std::move(buffer));
  }
  return absl::OkStatus();
}

bool FakeContext::Takes(const DeviceMemory& memory) const {
  return FakeBufferOf(memory, device_) != nullptr;
}

void FakeContext::End(const absl::Status& status) {
  if (status.ok()) FakeDevice::CommitVariables(session_);
}

void FakeContext::Execute(StageDone done) {
  const auto completion = [this, done = std::move(done)](absl::Status status) {
    if (!status.ok()) uploaded_.clear();
    done(std::move(status));
  };
  // `done` may be called before Submit returns, but what follows from it, such
  // as the end of this context, waits until this function has returned.
  ticket_ = device_.Submit(executable_.program(), &session_, input_handles_,
                           &report_, completion);
  if (cancelled_) device_.Abort(ticket_);
}

absl::Status FakeContext::Download() {
  for (size_t i = 0; i < report_.outputs.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(
        StoreOutput(static_cast<int>(i), report_.outputs[i]));
  }
  report_.outputs.clear();
  report_.buffers.clear();
  uploaded_.clear();
  return absl::OkStatus();
}

absl::Status FakeContext::StoreOutput(int i, FakeMemory::Handle handle) {
  DOVETAIL_ASSIGN_OR_RETURN(const FakeMemory::BufferInfo info,
                            device_.Describe(handle));
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor place, output_tensors().Destination(i, info.type, info.shape));
  if (place.is_on_host()) {
    DOVETAIL_RETURN_IF_ERROR(device_.Download(handle, place));
  } else {
    const FakeBuffer* buffer = FakeBufferOf(*place.device_memory(), device_);
    DOVETAIL_RETURN_IF_ERROR(device_.Copy(handle, buffer->handle()));
  }
  return output_tensors().Store(i, place);
}

void FakeContext::Cancel() {
  cancelled_ = true;
  device_.Abort(ticket_);
}

std::vector<ProfilingRecord> FakeContext::profiling() const {
  if (!executable_.config().GetBool(properties::kPerfCount)) return {};
  std::vector<ProfilingRecord> records;
  for (const FakeCommand& command : executable_.program()->program.commands) {
    ProfilingRecord record;
    record.name = command.node->name();
    record.type = std::string(command.node->op().type);
    record.kernel = "fake";
    record.device = device_.name();
    record.lane = "queue";
    if (records.size() < report_.cycles.size()) {
      record.status = ProfilingRecord::Status::kExecuted;
      // Its clock runs at 1 MHz. The host's CPU has no part in it.
      const int64_t cycles = report_.cycles[records.size()];
      record.duration_ns = 1000 * cycles;
      record.counters = {{"cycles", cycles}};
    }
    records.push_back(std::move(record));
  }
  return records;
}

std::vector<Variable> FakeContext::variables() const {
  std::vector<Variable> variables;
  for (const FakeVariable& variable :
       executable_.program()->program.variables) {
    auto value = device_.ReadVariable(session_, variable.id);
    variables.push_back(
        {variable.id, value.ok() ? *std::move(value) : Tensor()});
  }
  return variables;
}

absl::Status FakeContext::SetVariable(absl::string_view id,
                                      const Tensor& value) {
  std::vector<std::string> known;
  for (const FakeVariable& variable :
       executable_.program()->program.variables) {
    known.push_back(variable.id);
    if (variable.id != id) continue;
    const bool fits =
        !value.has_data() || (variable.type == value.type() &&
                              variable.shape.Contains(value.shape()));
    if (fits) return device_.WriteVariable(session_, id, value);
    return InvalidArgument(
        "variable '", id, "' (", ElementTypeName(variable.type),
        variable.shape.ToString(), "): the tensor is ",
        ElementTypeName(value.type()), value.shape().ToString());
  }
  return NotFound("there is no variable '", id,
                  "'; the variables are: ", absl::StrJoin(known, ", "));
}

}  // namespace dovetail
