#include "dovetail/testing/fakes/device/device_processor.h"

#include <string>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/evaluate.h"

namespace dovetail {
namespace {

// Each command costs something, and so do the bytes that it moves.
constexpr int64_t kCyclesPerCommand = 16;
constexpr int64_t kBytesPerCycle = 64;

}  // namespace

struct DeviceProcessor::Places {
  std::vector<FakeMemory::Handle> handles;
  std::vector<FakeBuffer> buffers;  // those that this run has made
};

absl::Status DeviceProcessor::Run(const LoadedProgram& loaded,
                                  DeviceSession& session,
                                  const std::vector<FakeMemory::Handle>& inputs,
                                  const Check& check, const Spoil& spoil,
                                  RunReport& report) const {
  const FakeProgram& program = loaded.program;
  Places places;
  places.handles.resize(program.place_count);
  places.buffers.resize(program.place_count);
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    places.handles[program.inputs[i]] = inputs[i];
  }
  for (size_t i = 0; i < program.constants.size(); ++i) {
    places.handles[program.constants[i].place] = loaded.constants[i].handle();
  }
  report = RunReport();
  VariableValues variables = session.variables_;
  for (const FakeCommand& command : program.commands) {
    DOVETAIL_RETURN_IF_ERROR(check(*command.node));
    DOVETAIL_RETURN_IF_ERROR(
        RunCommand(command, spoil, variables, places, report));
  }
  session.pending_ = std::move(variables);
  for (const int place : program.outputs) {
    report.outputs.push_back(places.handles[place]);
  }
  report.buffers = std::move(places.buffers);
  return absl::OkStatus();
}

absl::Status DeviceProcessor::RunCommand(const FakeCommand& command,
                                         const Spoil& spoil,
                                         VariableValues& variables,
                                         Places& places,
                                         RunReport& report) const {
  int64_t bytes = 0;
  std::vector<Tensor> inputs;
  for (const int place : command.reads) {
    DOVETAIL_ASSIGN_OR_RETURN(Tensor input,
                              memory_->Read(places.handles[place]));
    bytes += input.byte_size();
    DOVETAIL_ASSIGN_OR_RETURN(inputs.emplace_back(), Rounded(input));
  }
  KernelEnvironment environment;
  environment.variables = &variables;
  environment.allocate = [this](const Node&, int, ElementType type,
                                const Shape& shape) -> absl::StatusOr<Tensor> {
    DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor,
                              Tensor::AllocateUninitialized(type, shape));
    DOVETAIL_RETURN_IF_ERROR(memory_->CheckRoom(tensor.byte_size()));
    return tensor;
  };
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<Tensor> outputs,
                            EvaluateNode(*command.node, inputs, environment));
  for (size_t i = 0; i < command.writes.size(); ++i) {
    bytes += outputs[i].byte_size();
    spoil(*command.node, outputs[i]);
    DOVETAIL_ASSIGN_OR_RETURN(outputs[i], Rounded(outputs[i]));
    DOVETAIL_ASSIGN_OR_RETURN(const FakeMemory::Handle handle,
                              memory_->Adopt(std::move(outputs[i])));
    places.handles[command.writes[i]] = handle;
    places.buffers[command.writes[i]] = FakeBuffer(memory_, handle);
  }
  for (const int place : command.frees) {
    places.buffers[place] = FakeBuffer();
  }
  report.cycles.push_back(kCyclesPerCommand + bytes / kBytesPerCycle);
  return absl::OkStatus();
}

absl::StatusOr<Tensor> DeviceProcessor::Rounded(const Tensor& tensor) const {
  const bool is_wider =
      tensor.type() == ElementType::kF32 || tensor.type() == ElementType::kF64;
  if (compute_type_ == ElementType::kF32 || !is_wider) return tensor;
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor narrow,
                            ConvertTensor(tensor, compute_type_));
  return ConvertTensor(narrow, tensor.type());
}

void DeviceProcessor::Commit(DeviceSession& session) {
  session.variables_ = std::move(session.pending_);
  session.pending_.clear();
}

absl::StatusOr<Tensor> DeviceProcessor::ReadVariable(
    const DeviceSession& session, absl::string_view id) {
  const auto it = session.variables_.find(std::string(id));
  if (it == session.variables_.end()) return Tensor();
  return it->second.Clone();
}

absl::Status DeviceProcessor::WriteVariable(DeviceSession& session,
                                            absl::string_view id,
                                            const Tensor& value) {
  if (!value.has_data()) {
    session.variables_.erase(std::string(id));
    return absl::OkStatus();
  }
  DOVETAIL_ASSIGN_OR_RETURN(session.variables_[std::string(id)], value.Clone());
  return absl::OkStatus();
}

}  // namespace dovetail
