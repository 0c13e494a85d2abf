#include "dovetail/backends/cpu/compiler/plan_builder.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "dovetail/backends/cpu/plan/arena_planner.h"
#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"

namespace dovetail::cpu {
namespace {

bool SameFormat(const Shape& shape, const Format& a, const Format& b) {
  return a.type == b.type && SameOrder(shape, a.layout, b.layout);
}

}  // namespace

PlanBuilder::PlanBuilder(const Model& model, const CompileSettings& settings,
                         WeightsCache& weights, MakeReorderFn make_reorder)
    : model_(model),
      settings_(settings),
      weights_(weights),
      make_reorder_(make_reorder) {
  for (const auto& node : model.nodes()) {
    states_[node.get()].outputs.resize(node->output_count());
  }
  AddParameters();
}

void PlanBuilder::AddParameters() {
  const auto& parameters = model_.parameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Value value = OutputOf(*parameters[i]);
    Operand operand = WritePlain(value);
    Buffer& buffer = buffers_[operand.buffer];
    buffer.kind = Buffer::Kind::kInput;
    buffer.index = static_cast<int>(i);
    SetDone(*parameters[i]);
  }
}

// ---- Values ----

Shape PlanBuilder::ShapeOf(Value value) {
  return value.shape().ToShape().value_or(Shape());
}

const Tensor* PlanBuilder::ConstantOf(Value value) {
  const auto* constant = value.node->As<ConstantAttributes>();
  return constant == nullptr ? nullptr : &constant->value;
}

const std::vector<Operand>& PlanBuilder::Copies(Value value) const {
  return states_.at(value.node).outputs[value.index];
}

bool PlanBuilder::IsReady(Value value) const {
  return ConstantOf(value) != nullptr || !Copies(value).empty();
}

Format PlanBuilder::FormatOf(Value value) const {
  const std::vector<Operand>& copies = Copies(value);
  if (!copies.empty()) return copies.front().format;
  return {value.type(), Layout::kPlanar};
}

absl::StatusOr<Operand> PlanBuilder::Constant(Value value) {
  const Tensor& tensor = *ConstantOf(value);
  Operand operand = Hold(tensor);
  states_.at(value.node).outputs[value.index].push_back(operand);
  return operand;
}

absl::StatusOr<Operand> PlanBuilder::Read(Value value) {
  const std::vector<Operand>& copies = Copies(value);
  if (!copies.empty()) return copies.front();
  if (ConstantOf(value) != nullptr) return Constant(value);
  return Internal(value.node->Describe(), ": output ", value.index,
                  " is read before it is computed");
}

absl::StatusOr<Operand> PlanBuilder::Read(Value value, const Format& format) {
  DOVETAIL_ASSIGN_OR_RETURN(const Operand stored, Read(value));
  for (const Operand& copy : Copies(value)) {
    if (!SameFormat(copy.shape, copy.format, format)) continue;
    Operand operand = copy;
    operand.format = format;
    return operand;
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      std::unique_ptr<Step> step,
      make_reorder_(stored.shape, stored.format, format, settings_));
  std::vector<std::string> fused = std::exchange(fused_, {});
  const Operand copy = Write(value, format);
  Add(*value.node, "reorder", std::move(step), {stored}, {copy});
  fused_ = std::move(fused);
  PlannedStep& planned = steps_.back().planned;
  planned.type = "Reorder";
  planned.name += "/reorder";
  return copy;
}

absl::StatusOr<Operand> PlanBuilder::ReadPlain(Value value) {
  return Read(value, {value.type(), Layout::kPlanar});
}

Operand PlanBuilder::Write(Value value, const Format& format) {
  Operand operand;
  operand.shape = ShapeOf(value);
  operand.format = format;
  operand.buffer = NewBuffer(StoredBytes(operand.shape, format));
  states_.at(value.node).outputs[value.index].push_back(operand);
  return operand;
}

Operand PlanBuilder::WritePlain(Value value) {
  return Write(value, {value.type(), Layout::kPlanar});
}

void PlanBuilder::View(Value value, const Operand& of, int64_t offset,
                       const Format& format) {
  Operand operand;
  operand.buffer = of.buffer;
  operand.offset = of.offset + offset;
  operand.format = format;
  operand.shape = ShapeOf(value);
  states_.at(value.node).outputs[value.index].push_back(operand);
}

bool PlanBuilder::Join(Value value, absl::Span<const Operand> parts,
                       const Format& format) {
  struct Piece {
    int root;
    int64_t begin, end;  // of the root within the joined memory
  };
  std::vector<Piece> pieces;
  const int64_t total = StoredBytes(ShapeOf(value), format);
  int64_t begin = 0;
  for (const Operand& part : parts) {
    const Place place = Root(part.buffer, part.offset);
    const Buffer& root = buffers_[place.buffer];
    const int64_t root_begin = begin - place.offset;
    if (root.kind != Buffer::Kind::kArena || root_begin < 0 ||
        root_begin + root.bytes > total) {
      return false;
    }
    const Piece piece = {place.buffer, root_begin, root_begin + root.bytes};
    bool known = false;
    for (const Piece& other : pieces) {
      if (other.root == piece.root) {
        if (other.begin != piece.begin) return false;
        known = true;
      } else if (piece.begin < other.end && other.begin < piece.end) {
        return false;
      }
    }
    if (!known) pieces.push_back(piece);
    begin += StoredBytes(part.shape, part.format);
  }
  const Operand joined = Write(value, format);
  for (const Piece& piece : pieces) {
    Buffer& root = buffers_[piece.root];
    root.parent = joined.buffer;
    root.parent_offset = piece.begin;
    Buffer& whole = buffers_[joined.buffer];
    if (whole.first == -1 || root.first < whole.first) whole.first = root.first;
    whole.last = std::max(whole.last, root.last);
  }
  return true;
}

// ---- Other memory ----

int PlanBuilder::NewBuffer(int64_t bytes) {
  Buffer buffer;
  buffer.bytes = bytes;
  buffers_.push_back(buffer);
  return static_cast<int>(buffers_.size()) - 1;
}

Operand PlanBuilder::Scratch(int64_t bytes) {
  if (bytes <= 0) return {};
  Operand operand;
  operand.buffer = NewBuffer(bytes);
  operand.shape = {bytes};
  operand.format.type = ElementType::kU8;
  return operand;
}

Operand PlanBuilder::Hold(std::shared_ptr<const void> owner, const void* data) {
  kept_alive_.push_back(std::move(owner));
  Operand operand;
  operand.buffer = NewBuffer(0);
  Buffer& buffer = buffers_[operand.buffer];
  buffer.kind = Buffer::Kind::kConstant;
  buffer.constant = data;
  return operand;
}

Operand PlanBuilder::Hold(const Tensor& tensor) {
  const auto owner = std::make_shared<Tensor>(tensor);
  Operand operand = Hold(owner, owner->raw_data());
  operand.shape = tensor.shape();
  operand.format = {tensor.type(), Layout::kPlanar};
  return operand;
}

void PlanBuilder::AllowInPlace(const Operand& output, const Operand& input,
                               bool alone) {
  in_place_.push_back(
      {step_count(), output.buffer, input.buffer, input.offset, alone});
}

// Where a buffer is in the end: in which one that lies in no other, and how far
// into it.
PlanBuilder::Place PlanBuilder::Root(int buffer, int64_t offset) const {
  while (buffers_[buffer].parent != -1) {
    offset += buffers_[buffer].parent_offset;
    buffer = buffers_[buffer].parent;
  }
  return {buffer, offset};
}

void PlanBuilder::Touch(const Operand& operand, int step) {
  if (operand.buffer == -1) return;
  Buffer& root = buffers_[Root(operand.buffer).buffer];
  if (root.first == -1) root.first = step;
  root.last = std::max(root.last, step);
}

// ---- Steps ----

void PlanBuilder::Add(const Node& node, absl::string_view kernel,
                      std::unique_ptr<Step> step,
                      absl::Span<const Operand> inputs,
                      absl::Span<const Operand> outputs,
                      const Operand& scratch) {
  Added added;
  added.planned.step = std::move(step);
  added.planned.name = node.name();
  added.planned.type = std::string(node.op().type);
  added.planned.kernel = std::string(kernel);
  added.planned.fused = std::exchange(fused_, {});
  added.inputs.assign(inputs.begin(), inputs.end());
  added.outputs.assign(outputs.begin(), outputs.end());
  added.scratch = scratch;
  const int number = step_count();
  for (const Operand& operand : added.inputs) Touch(operand, number);
  for (const Operand& operand : added.outputs) Touch(operand, number);
  Touch(scratch, number);
  steps_.push_back(std::move(added));
}

void PlanBuilder::Fuse(const Node& node) {
  SetDone(node);
  fused_.push_back(node.name());
}

void PlanBuilder::Defer(std::function<absl::Status()> work) {
  deferred_.push_back(std::move(work));
}

// ---- The end ----

bool PlanBuilder::BindResult(int i, const Operand& operand) {
  const Place place = Root(operand.buffer, operand.offset);
  Buffer& root = buffers_[place.buffer];
  const bool whole =
      place.offset == 0 &&
      root.bytes == StoredBytes(operand.shape, operand.format);
  if (root.kind != Buffer::Kind::kArena || !whole) return false;
  root.kind = Buffer::Kind::kOutput;
  root.index = i;
  return true;
}

// The steps that compute results write them where the user wants them, as far
// as that is possible; the others are copied there.
absl::Status PlanBuilder::BindResults() {
  const auto& results = model_.results();
  for (size_t i = 0; i < results.size(); ++i) {
    const Value value = results[i]->input(0);
    DOVETAIL_ASSIGN_OR_RETURN(const Operand operand, ReadPlain(value));
    SetDone(*results[i]);
    if (BindResult(static_cast<int>(i), operand)) continue;
    DOVETAIL_ASSIGN_OR_RETURN(
        std::unique_ptr<Step> step,
        make_reorder_(operand.shape, operand.format, operand.format,
                      settings_));
    Operand copy = operand;
    copy.buffer = NewBuffer(StoredBytes(operand.shape, operand.format));
    copy.offset = 0;
    buffers_[copy.buffer].kind = Buffer::Kind::kOutput;
    buffers_[copy.buffer].index = static_cast<int>(i);
    Add(*results[i], "copy", std::move(step), {operand}, {copy});
  }
  return absl::OkStatus();
}

bool PlanBuilder::IsAlone(const InPlace& wish, int root) const {
  int there = 0;
  for (const Operand& input : steps_[wish.step].inputs) {
    if (input.buffer != -1 && Root(input.buffer).buffer == root) ++there;
  }
  return there == 1;
}

// Only now it is known who reads what last.
void PlanBuilder::PlaceInPlace() {
  for (const InPlace& wish : in_place_) {
    const Place place = Root(wish.input, wish.input_offset);
    Buffer& root = buffers_[place.buffer];
    Buffer& output = buffers_[wish.output];
    const bool dead = root.kind == Buffer::Kind::kArena &&
                      root.last == wish.step && place.buffer != wish.output;
    const bool free = output.kind == Buffer::Kind::kArena &&
                      output.parent == -1 && output.first == wish.step &&
                      output.last > wish.step;
    if (!dead || !free || place.offset + output.bytes > root.bytes) continue;
    if (wish.alone && !IsAlone(wish, place.buffer)) continue;
    output.parent = place.buffer;
    output.parent_offset = place.offset;
    root.last = std::max(root.last, output.last);
  }
}

Address PlanBuilder::AddressOf(const Operand& operand) const {
  Address address;
  if (operand.buffer == -1) return address;
  const Place place = Root(operand.buffer, operand.offset);
  const Buffer& root = buffers_[place.buffer];
  address.index = root.index;
  address.offset = place.offset;
  address.constant = root.constant;
  switch (root.kind) {
    case Buffer::Kind::kArena:
      address.place = Address::Place::kArena;
      address.offset += root.parent_offset;  // of a root: in the arena
      break;
    case Buffer::Kind::kInput:
      address.place = Address::Place::kInput;
      break;
    case Buffer::Kind::kOutput:
      address.place = Address::Place::kOutput;
      break;
    case Buffer::Kind::kConstant:
      address.place = Address::Place::kConstant;
      break;
  }
  return address;
}

void PlanBuilder::PlanMemory(Plan& plan) {
  std::vector<ArenaRequest> requests;
  std::vector<int> which;
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const Buffer& buffer = buffers_[i];
    if (buffer.kind != Buffer::Kind::kArena || buffer.parent != -1) continue;
    if (buffer.first == -1) continue;
    requests.push_back({buffer.bytes, buffer.first, buffer.last});
    which.push_back(static_cast<int>(i));
  }
  const ArenaPlan arena = PlanArena(requests);
  for (size_t i = 0; i < which.size(); ++i) {
    buffers_[which[i]].parent_offset = arena.offsets[i];
  }
  plan.arena_bytes = arena.bytes;
}

absl::Status PlanBuilder::RunDeferred(WorkTeam& team) {
  std::mutex mutex;
  absl::Status failed;
  team.Run(static_cast<int>(deferred_.size()), [&](int i) {
    const absl::Status status =
        CatchExceptions([] { return "preparing the plan"; }, deferred_[i]);
    if (status.ok()) return;
    std::lock_guard<std::mutex> lock(mutex);
    failed.Update(status);
  });
  deferred_.clear();
  return failed;
}

absl::StatusOr<std::shared_ptr<const Plan>> PlanBuilder::Finish(
    WorkTeam& team) {
  DOVETAIL_RETURN_IF_ERROR(BindResults());
  DOVETAIL_RETURN_IF_ERROR(RunDeferred(team));
  PlaceInPlace();
  auto plan = std::make_shared<Plan>();
  PlanMemory(*plan);
  const auto port = [](Value value) {
    return PlanPort{value.type(), ShapeOf(value)};
  };
  for (const Node* node : model_.parameters()) {
    plan->inputs.push_back(port(OutputOf(*node)));
  }
  for (const Node* node : model_.results()) {
    plan->outputs.push_back(port(node->input(0)));
  }
  for (Added& added : steps_) {
    PlannedStep& planned = added.planned;
    for (const Operand& operand : added.inputs) {
      planned.inputs.push_back(AddressOf(operand));
    }
    for (const Operand& operand : added.outputs) {
      planned.outputs.push_back(AddressOf(operand));
    }
    planned.scratch = AddressOf(added.scratch);
    plan->steps.push_back(std::move(planned));
  }
  plan->kept_alive = std::move(kept_alive_);
  return plan;
}

}  // namespace dovetail::cpu
