#include "dovetail/testing/fakes/fake_context.h"

#include <utility>

#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {

FakeContext::FakeContext(const FakeExecutable& executable)
    : executable_(executable),
      device_(executable.device()),
      inputs_("input", executable.inputs()),
      outputs_("output", executable.outputs()) {
  Executor* const host = &device_.host_thread();
  stages_ = {
      SynchronousStage("upload", host, [this] { return Upload(); }),
      {"execute", nullptr,
       [this](StageDone done) { Execute(std::move(done)); }},
      SynchronousStage("download", host, [this] { return Download(); }),
  };
}

absl::Status FakeContext::Upload() {
  uploaded_.clear();
  for (size_t i = 0; i < executable_.inputs().size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor host,
                              inputs_.Get(static_cast<int>(i)));
    DOVETAIL_ASSIGN_OR_RETURN(DeviceBuffer buffer, device_.Upload(host));
    uploaded_.push_back(std::move(buffer));
  }
  return absl::OkStatus();
}

void FakeContext::Execute(StageDone done) {
  std::vector<DeviceMemory::Handle> inputs;
  for (const DeviceBuffer& buffer : uploaded_) {
    inputs.push_back(buffer.handle());
  }
  const auto completion = [this, done = std::move(done)](absl::Status status) {
    if (!status.ok()) uploaded_.clear();
    done(std::move(status));
  };
  // `done` may be called before Submit returns, but what follows from it, such
  // as the end of this context, waits until this function has returned.
  ticket_ = device_.Submit(executable_.program(), &session_, std::move(inputs),
                           &report_, completion);
  if (cancelled_) device_.Abort(ticket_);
}

absl::Status FakeContext::Download() {
  for (size_t i = 0; i < report_.outputs.size(); ++i) {
    const int port = static_cast<int>(i);
    const DeviceMemory::Handle handle = report_.outputs[i];
    DOVETAIL_ASSIGN_OR_RETURN(const DeviceMemory::BufferInfo info,
                              device_.Describe(handle));
    DOVETAIL_ASSIGN_OR_RETURN(
        const Tensor host, outputs_.Destination(port, info.type, info.shape));
    DOVETAIL_RETURN_IF_ERROR(device_.Download(handle, host));
    DOVETAIL_RETURN_IF_ERROR(outputs_.Store(port, host));
  }
  report_.outputs.clear();
  report_.buffers.clear();
  uploaded_.clear();
  return absl::OkStatus();
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
    if (records.size() < report_.cycles.size()) {
      record.status = ProfilingRecord::Status::kExecuted;
      // Its clock runs at 1 MHz. The host's CPU has no part in it.
      record.real_time_us = report_.cycles[records.size()];
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
