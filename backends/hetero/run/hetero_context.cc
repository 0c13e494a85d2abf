#include "dovetail/backends/hetero/run/hetero_context.h"

#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/ports/port_tensors.h"

namespace dovetail::hetero {

absl::StatusOr<std::unique_ptr<ExecutionContext>> HeteroContext::Create(
    const Executable& whole, const Wiring& wiring,
    const std::vector<std::shared_ptr<const Executable>>& parts) {
  std::unique_ptr<HeteroContext> context(
      new HeteroContext(whole, wiring, parts));
  DOVETAIL_RETURN_IF_ERROR(context->Prepare());
  return std::unique_ptr<ExecutionContext>(std::move(context));
}

HeteroContext::HeteroContext(
    const Executable& whole, const Wiring& wiring,
    const std::vector<std::shared_ptr<const Executable>>& parts)
    : ExecutionContext(whole),
      wiring_(wiring),
      parts_(parts),
      inputs_(whole.inputs().size()),
      passed_(parts.size()) {}

// ---- What is prepared ----

absl::Status HeteroContext::Prepare() {
  for (size_t p = 0; p < parts_.size(); ++p) {
    auto context = parts_[p]->NewContext();
    if (!context.ok()) {
      return Annotate(context.status(), wiring_.parts[p].device);
    }
    contexts_.push_back(std::move(*context));
  }
  for (size_t p = 0; p < parts_.size(); ++p) {
    DOVETAIL_RETURN_IF_ERROR(Connect(p));
    AddStages(p);
  }
  // Several parts that read an input read the same memory.
  for (size_t i = 0; i < inputs_.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(SetInput(static_cast<int>(i), Tensor()));
  }
  return absl::OkStatus();
}

absl::Status HeteroContext::Connect(size_t part) {
  const std::vector<Source>& sources = wiring_.parts[part].inputs;
  for (size_t i = 0; i < sources.size(); ++i) {
    const Place place = {part, static_cast<int>(i)};
    if (sources[i].part < 0) {
      inputs_[sources[i].index].push_back(place);
      continue;
    }
    const Connection connection = {sources[i], place};
    const PortInfo& port = parts_[sources[i].part]->outputs()[sources[i].index];
    if (!port.shape.is_static()) {
      passed_[part].push_back(connection);
      continue;
    }
    // Whoever is first to read it has made the memory the producer's own.
    DOVETAIL_ASSIGN_OR_RETURN(
        const Tensor shared,
        contexts_[connection.from.part]->Output(connection.from.index));
    DOVETAIL_RETURN_IF_ERROR(contexts_[connection.from.part]->SetOutput(
        connection.from.index, shared));
    DOVETAIL_RETURN_IF_ERROR(
        contexts_[part]->SetInput(connection.to.input, shared));
  }
  return absl::OkStatus();
}

void HeteroContext::AddStages(size_t part) {
  if (!passed_[part].empty()) {
    stages_.push_back(SynchronousStage(absl::StrCat("part ", part, ": pass on"),
                                       nullptr,
                                       [this, part] { return PassOn(part); }));
  }
  for (const Stage& stage : contexts_[part]->stages()) {
    stages_.push_back(stage);
    stages_.back().name = absl::StrCat("part ", part, ": ", stage.name);
  }
}

absl::Status HeteroContext::PassOn(size_t part) {
  for (const Connection& connection : passed_[part]) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const Tensor tensor,
        contexts_[connection.from.part]->Output(connection.from.index));
    DOVETAIL_RETURN_IF_ERROR(
        contexts_[part]->SetInput(connection.to.input, tensor));
  }
  return absl::OkStatus();
}

// ---- Tensors ----

absl::Status HeteroContext::SetInput(int i, const Tensor& tensor) {
  const std::vector<Place>& places = inputs_[i];
  Tensor shared = tensor;
  for (size_t k = 0; k < places.size(); ++k) {
    ExecutionContext& context = *contexts_[places[k].part];
    DOVETAIL_RETURN_IF_ERROR(context.SetInput(places[k].input, shared));
    if (tensor.has_data() || k > 0 || places.size() == 1) continue;
    // The first one's own memory is that of the others.
    const auto own = context.Input(places[k].input);
    if (own.ok()) shared = *own;
  }
  return input_tensors().Set(i, tensor);
}

absl::StatusOr<Tensor> HeteroContext::Input(int i) {
  if (inputs_[i].empty()) return input_tensors().Get(i);
  const Place& place = inputs_[i].front();
  return contexts_[place.part]->Input(place.input);
}

absl::Status HeteroContext::SetOutput(int i, const Tensor& tensor) {
  const Source& source = wiring_.results[i];
  return contexts_[source.part]->SetOutput(source.index, tensor);
}

absl::StatusOr<Tensor> HeteroContext::Output(int i) {
  const Source& source = wiring_.results[i];
  return contexts_[source.part]->Output(source.index);
}

// Any part may be the one that reads it.
bool HeteroContext::Takes(const DeviceMemory& memory) const {
  for (const auto& context : contexts_) {
    if (!context->Takes(memory)) return false;
  }
  return true;
}

// ---- An inference ----

void HeteroContext::Begin(bool synchronous) {
  for (const auto& context : contexts_) context->Begin(synchronous);
}

void HeteroContext::End(const absl::Status& status) {
  for (const auto& context : contexts_) context->End(status);
}

void HeteroContext::Cancel() {
  for (const auto& context : contexts_) context->Cancel();
}

std::vector<ProfilingRecord> HeteroContext::profiling() const {
  std::vector<ProfilingRecord> all;
  for (size_t p = 0; p < contexts_.size(); ++p) {
    for (ProfilingRecord& record : contexts_[p]->profiling()) {
      if (record.device.empty()) record.device = wiring_.parts[p].device;
      all.push_back(std::move(record));
    }
  }
  return all;
}

// ---- Variables ----

std::vector<Variable> HeteroContext::variables() const {
  std::vector<Variable> all;
  for (const auto& context : contexts_) {
    for (Variable& variable : context->variables()) {
      all.push_back(std::move(variable));
    }
  }
  return all;
}

absl::Status HeteroContext::SetVariable(absl::string_view id,
                                        const Tensor& value) {
  for (const auto& context : contexts_) {
    const absl::Status status = context->SetVariable(id, value);
    if (!absl::IsNotFound(status)) return status;
  }
  return ExecutionContext::SetVariable(id, value);
}

}  // namespace dovetail::hetero
