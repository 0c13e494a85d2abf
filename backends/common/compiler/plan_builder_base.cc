#include "dovetail/backends/common/compiler/plan_builder_base.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/deferred_check.h"
#include "dovetail/core/graph/structural.h"

namespace dovetail {
namespace {

int64_t BytesOf(const PlanOperand& operand) {
  return StoredBytes(operand.shape, operand.format);
}

Buffers::Place PlaceOf(const PlanOperand& operand) {
  return {operand.buffer, operand.offset};
}

// Whether there are copies between layouts for such elements.
bool HasReorders(ElementType type) {
  switch (type) {
    case ElementType::kF32:
    case ElementType::kBf16:
    case ElementType::kI8:
    case ElementType::kU8:
      return true;
    default:
      return false;
  }
}

// A step computes in the type in which it reads its first operand.
ElementType PrecisionOf(absl::Span<const PlanOperand> inputs,
                        absl::Span<const PlanOperand> outputs) {
  for (const auto& operands : {inputs, outputs}) {
    for (const PlanOperand& operand : operands) {
      if (operand.buffer != -1) return operand.format.type;
    }
  }
  return ElementType::kDynamic;
}

}  // namespace

PlanBuilderBase::PlanBuilderBase(const Model& model, WeightsCache& weights)
    : model_(model), weights_(weights) {
  for (const auto& node : model.nodes()) {
    states_[node.get()].outputs.resize(node->output_count());
  }
  AddParameters();
}

void PlanBuilderBase::AddParameters() {
  const auto& parameters = model_.parameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Value value = OutputOf(*parameters[i]);
    PlanOperand operand;
    operand.shape = ShapeOf(value);
    operand.format = {value.type(), Layout::kPlanar};
    operand.buffer = buffers_.AddInput(static_cast<int>(i), BytesOf(operand));
    states_.at(value.node).outputs[value.index].push_back(operand);
    SetDone(*parameters[i]);
  }
}

// ---- Values ----

Shape PlanBuilderBase::ShapeOf(Value value) {
  return value.shape().ToShape().value_or(Shape());
}

const Tensor* PlanBuilderBase::PackableConstantOf(Value value) {
  const auto* constant = value.node->As<ConstantAttributes>();
  return constant == nullptr ? nullptr : &constant->value;
}

const Tensor* PlanBuilderBase::ConstantOf(Value value) {
  const Tensor* const constant = PackableConstantOf(value);
  // Emitters look at constants in many places where no error can be told.
  if (constant != nullptr) CheckDeferred(constant->address()).IgnoreError();
  return constant;
}

// Whether none that was read is damaged.
absl::Status PlanBuilderBase::CheckConstants() const {
  for (const auto& node : model_.nodes()) {
    const Tensor* const constant = PackableConstantOf(OutputOf(*node));
    if (constant == nullptr) continue;
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(KnownDamage(constant->address()), node->Describe()));
  }
  return absl::OkStatus();
}

const std::vector<PlanOperand>& PlanBuilderBase::Copies(Value value) const {
  return states_.at(value.node).outputs[value.index];
}

bool PlanBuilderBase::IsReady(Value value) const {
  return IsConstant(value) || !Copies(value).empty();
}

Format PlanBuilderBase::FormatOf(Value value) const {
  const std::vector<PlanOperand>& copies = Copies(value);
  if (copies.empty()) return {value.type(), Layout::kPlanar};
  Format format = copies.front().format;
  if (emitted_ == nullptr || IsConstant(value)) return format;
  const std::optional<Layout> wish = wishes_.Of(*emitted_);
  if (wish.has_value() && HasReorders(format.type) &&
      CanHaveLayout(copies.front().shape, *wish)) {
    format.layout = *wish;
  }
  return format;
}

absl::StatusOr<PlanOperand> PlanBuilderBase::Constant(Value value) {
  const Tensor& tensor = *ConstantOf(value);
  PlanOperand operand = AddConstant(tensor);
  states_.at(value.node).outputs[value.index].push_back(operand);
  return operand;
}

absl::StatusOr<PlanOperand> PlanBuilderBase::Stored(Value value) {
  const std::vector<PlanOperand>& copies = Copies(value);
  if (!copies.empty()) return copies.front();
  if (IsConstant(value)) return Constant(value);
  return Internal(value.node->Describe(), ": output ", value.index,
                  " is read before it is computed");
}

absl::StatusOr<PlanOperand> PlanBuilderBase::Read(Value value) {
  return Read(value, FormatOf(value));
}

absl::StatusOr<PlanOperand> PlanBuilderBase::Read(Value value,
                                                  const Format& format) {
  DOVETAIL_ASSIGN_OR_RETURN(const PlanOperand stored, Stored(value));
  NoteRead(value, format, stored.format.layout);
  for (const PlanOperand& copy : Copies(value)) {
    if (!SameFormat(copy.shape, copy.format, format)) continue;
    PlanOperand operand = copy;
    operand.format = format;
    return operand;
  }
  return AddReorder(value, stored, format);
}

absl::StatusOr<PlanOperand> PlanBuilderBase::AddReorder(
    Value value, const PlanOperand& stored, const Format& format) {
  const PlanOperand copy = AddCopy(value, format);
  if (what_ == EmitFor::kDraft) return copy;
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<PlanStep> step,
                            MakeReorder(stored.shape, stored.format, format));
  std::vector<const Node*> fused = std::exchange(fused_, {});
  const Node* const emitted = std::exchange(emitted_, nullptr);
  Add(*value.node, "reorder", std::move(step), {stored}, {copy});
  emitted_ = emitted;
  fused_ = std::move(fused);
  PlannedStep& planned = steps_.back().planned;
  planned.node = nullptr;
  planned.type = "Reorder";
  planned.name += "/reorder";
  planned.declined.clear();
  return copy;
}

absl::StatusOr<PlanOperand> PlanBuilderBase::ReadPlain(Value value) {
  return Read(value, {value.type(), Layout::kPlanar});
}

PlanOperand PlanBuilderBase::Write(Value value, const Format& format) {
  NoteWrite(value, format);
  return AddCopy(value, format);
}

// New memory for the value, besides the copies that there may be.
PlanOperand PlanBuilderBase::AddCopy(Value value, const Format& format) {
  PlanOperand operand;
  operand.shape = ShapeOf(value);
  operand.format = format;
  operand.buffer = buffers_.Add(BytesOf(operand));
  states_.at(value.node).outputs[value.index].push_back(operand);
  return operand;
}

PlanOperand PlanBuilderBase::WritePlain(Value value) {
  return Write(value, {value.type(), Layout::kPlanar});
}

void PlanBuilderBase::View(Value value, const PlanOperand& of, int64_t offset,
                           const Format& format) {
  NoteWrite(value, format);
  PlanOperand operand;
  operand.buffer = of.buffer;
  operand.offset = of.offset + offset;
  operand.format = format;
  operand.shape = ShapeOf(value);
  states_.at(value.node).outputs[value.index].push_back(operand);
  views_.push_back(value.node);
}

bool PlanBuilderBase::ConcatInPlace(Value value,
                                    absl::Span<const PlanOperand> parts,
                                    const Format& format) {
  std::vector<Buffers::Part> places;
  for (const PlanOperand& part : parts) {
    places.push_back({PlaceOf(part), BytesOf(part)});
  }
  PlanOperand joined;
  joined.shape = ShapeOf(value);
  joined.format = format;
  const std::optional<int> buffer =
      buffers_.ConcatInPlace(places, BytesOf(joined));
  if (!buffer.has_value()) return false;
  NoteWrite(value, format);
  joined.buffer = *buffer;
  states_.at(value.node).outputs[value.index].push_back(joined);
  views_.push_back(value.node);
  return true;
}

// ---- Other memory ----

PlanOperand PlanBuilderBase::Scratch(int64_t bytes) {
  if (bytes <= 0) return {};
  PlanOperand operand;
  operand.buffer = buffers_.Add(bytes);
  operand.shape = {bytes};
  operand.format.type = ElementType::kU8;
  return operand;
}

PlanOperand PlanBuilderBase::AddConstant(std::shared_ptr<const void> owner,
                                         const void* data, int64_t bytes) {
  kept_alive_.push_back(std::move(owner));
  constants_.push_back({data, bytes});
  PlanOperand operand;
  operand.buffer = buffers_.AddConstant(data);
  return operand;
}

PlanOperand PlanBuilderBase::AddConstant(const Tensor& tensor) {
  CheckDeferred(tensor.address()).IgnoreError();  // as in ConstantOf
  const auto owner = std::make_shared<Tensor>(tensor);
  PlanOperand operand =
      AddConstant(owner, owner->raw_data(), owner->byte_size());
  operand.shape = tensor.shape();
  operand.format = {tensor.type(), Layout::kPlanar};
  return operand;
}

absl::StatusOr<PlanOperand> PlanBuilderBase::GetOrPack(const PackingKey& key,
                                                       int64_t bytes,
                                                       PackFn pack, int parts,
                                                       Alignment alignment) {
  if (what_ == EmitFor::kDraft) return AddConstant(nullptr, nullptr, bytes);
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<PackedWeights> packed,
                            weights_.Get(key, bytes));
  if (!packed->is_filled() && asked_.insert(packed.get()).second) {
    const auto packing = std::make_shared<Packing>(
        packed, key.constants, std::move(pack), parts, alignment);
    for (int part = 0; part < parts; ++part) {
      Defer([packing, part] { return packing->Run(part); });
    }
    packings_.push_back(packing);
  }
  return AddConstant(packed, packed->data(), bytes);
}

void PlanBuilderBase::AllowInPlace(const PlanOperand& output,
                                   const PlanOperand& input, bool alone) {
  in_place_.push_back({step_count(), output.buffer, PlaceOf(input), alone});
}

void PlanBuilderBase::ExtendLiveRange(const PlanOperand& operand, int step) {
  if (operand.buffer != -1) buffers_.ExtendLiveRange(operand.buffer, step);
}

// ---- Layouts ----

void PlanBuilderBase::BeginSite(const Node& node) {
  emitted_ = &node;
  draft_.sites.push_back({&node});
}

void PlanBuilderBase::Repeat(const LayoutDraft::Site& site) {
  emitted_ = nullptr;
  for (const Node* node : site.done) SetDone(*node);
  for (const auto& write : site.writes) AddCopy(write.value, write.format);
  draft_.sites.push_back(site);
}

void PlanBuilderBase::NoteRead(Value value, const Format& format,
                               Layout stored) {
  if (emitted_ == nullptr || IsConstant(value)) return;
  draft_.sites.back().reads.push_back({value, format, stored});
}

void PlanBuilderBase::NoteWrite(Value value, const Format& format) {
  if (emitted_ == nullptr) return;
  draft_.sites.back().writes.push_back({value, format, format.layout});
}

// ---- Steps ----

void PlanBuilderBase::Add(const Node& node, absl::string_view kernel,
                          std::unique_ptr<PlanStep> step,
                          absl::Span<const PlanOperand> inputs,
                          absl::Span<const PlanOperand> outputs,
                          const PlanOperand& scratch) {
  Added added;
  added.planned.step = std::move(step);
  added.planned.name = node.name();
  added.planned.type = std::string(node.op().type);
  added.planned.kernel = std::string(kernel);
  added.planned.node = &node;
  added.planned.fused = std::exchange(fused_, {});
  added.planned.declined = states_.at(&node).declined;
  added.planned.precision = PrecisionOf(inputs, outputs);
  for (const PlanOperand& output : outputs) {
    added.planned.stored.push_back({output.format, output.shape.rank()});
  }
  added.inputs.assign(inputs.begin(), inputs.end());
  added.outputs.assign(outputs.begin(), outputs.end());
  added.scratch = scratch;
  const int number = step_count();
  for (const PlanOperand& operand : added.inputs)
    ExtendLiveRange(operand, number);
  for (const PlanOperand& operand : added.outputs)
    ExtendLiveRange(operand, number);
  ExtendLiveRange(scratch, number);
  NoteTraffic(added);
  steps_.push_back(std::move(added));
}

void PlanBuilderBase::NoteTraffic(const Added& added) {
  if (emitted_ == nullptr) return;
  int64_t& bytes = draft_.sites.back().bytes;
  for (const auto& operands : {added.inputs, added.outputs}) {
    for (const PlanOperand& operand : operands) {
      const bool is_tensor = operand.format.type != ElementType::kDynamic;
      if (operand.buffer != -1 && is_tensor) bytes += BytesOf(operand);
    }
  }
}

void PlanBuilderBase::SetDone(const Node& node) {
  states_.at(&node).done = true;
  if (emitted_ != nullptr) draft_.sites.back().done.push_back(&node);
}

void PlanBuilderBase::Fuse(const Node& node) {
  SetDone(node);
  fused_.push_back(&node);
}

void PlanBuilderBase::Defer(std::function<absl::Status()> work) {
  if (what_ == EmitFor::kDraft) return;
  deferred_.push_back(std::move(work));
}

// ---- The end ----

// The steps that compute results write them where the user wants them, as far
// as that is possible; the others are copied there.
absl::Status PlanBuilderBase::BindResults() {
  const auto& results = model_.results();
  for (size_t i = 0; i < results.size(); ++i) {
    const Value value = results[i]->input(0);
    DOVETAIL_ASSIGN_OR_RETURN(const PlanOperand operand, ReadPlain(value));
    SetDone(*results[i]);
    const int index = static_cast<int>(i);
    if (buffers_.BindOutput({PlaceOf(operand), BytesOf(operand)}, index)) {
      continue;
    }
    DOVETAIL_ASSIGN_OR_RETURN(
        std::unique_ptr<PlanStep> step,
        MakeReorder(operand.shape, operand.format, operand.format));
    PlanOperand copy = operand;
    copy.buffer = buffers_.AddOutput(index, BytesOf(operand));
    copy.offset = 0;
    Add(*results[i], "copy", std::move(step), {operand}, {copy});
  }
  return absl::OkStatus();
}

// Whether no other operand of the step lies in the memory of that one.
bool PlanBuilderBase::IsAlone(const InPlace& candidate) const {
  const int root = buffers_.Root(candidate.input).buffer;
  int there = 0;
  for (const PlanOperand& input : steps_[candidate.step].inputs) {
    if (input.buffer == -1) continue;
    if (buffers_.Root(PlaceOf(input)).buffer == root) ++there;
  }
  return there == 1;
}

// Only now it is known who reads what last.
void PlanBuilderBase::AliasInPlace() {
  for (const InPlace& candidate : in_place_) {
    if (candidate.alone && !IsAlone(candidate)) continue;
    buffers_.Alias(candidate.output, candidate.input, candidate.step);
  }
}

Address PlanBuilderBase::AddressOf(const PlanOperand& operand) const {
  return operand.buffer == -1 ? Address()
                              : buffers_.AddressOf(PlaceOf(operand));
}

// Steps in order, so that who writes a piece of memory first gives it its name.
std::vector<MemoryRegion> PlanBuilderBase::DescribeMemory() const {
  std::unordered_map<int, std::pair<std::string, std::string>> writers;
  for (const Added& added : steps_) {
    const PlannedStep& step = added.planned;
    const auto note = [&](const PlanOperand& operand, const std::string& type) {
      if (operand.buffer == -1) return;
      const int root = buffers_.Root(PlaceOf(operand)).buffer;
      writers.try_emplace(root, step.name, type);
    };
    for (const PlanOperand& output : added.outputs) note(output, step.type);
    note(added.scratch, "scratch");
  }
  std::vector<MemoryRegion> memory;
  for (const Buffers::Region& region : buffers_.Regions()) {
    const auto& [name, type] = writers[region.buffer];
    memory.push_back({region.arena, region.offset, region.bytes, region.first,
                      region.last, name, type});
  }
  return memory;
}

absl::Status PlanBuilderBase::RunDeferred(WorkTeam& team) {
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
  for (const auto& packing : packings_) failed.Update(packing->Finish());
  packings_.clear();
  return failed;
}

absl::StatusOr<std::shared_ptr<const Plan>> PlanBuilderBase::Finish(
    WorkTeam& team, absl::Span<const ArenaOptions> arenas,
    const BesidePacking& beside) {
  emitted_ = nullptr;
  DOVETAIL_RETURN_IF_ERROR(BindResults());
  DOVETAIL_RETURN_IF_ERROR(CheckConstants());
  DOVETAIL_ASSIGN_OR_RETURN(std::shared_ptr<const Plan> plan, MakePlan(arenas));
  // First, as nothing else takes as long.
  if (beside != nullptr) {
    deferred_.insert(deferred_.begin(), [&] { return beside(plan); });
  }
  DOVETAIL_RETURN_IF_ERROR(RunDeferred(team));
  return plan;
}

absl::StatusOr<std::shared_ptr<const Plan>> PlanBuilderBase::MakePlan(
    absl::Span<const ArenaOptions> arenas) {
  AliasInPlace();
  auto plan = std::make_shared<Plan>();
  DOVETAIL_ASSIGN_OR_RETURN(plan->arena_bytes, buffers_.PlanArenas(arenas));
  while (plan->arena_bytes.size() > 1 && plan->arena_bytes.back() == 0) {
    plan->arena_bytes.pop_back();
  }
  const auto port = [](Value value) {
    return PlanPort{value.type(), ShapeOf(value)};
  };
  for (const Node* node : model_.parameters()) {
    plan->inputs.push_back(port(OutputOf(*node)));
  }
  for (const Node* node : model_.results()) {
    plan->outputs.push_back(port(node->input(0)));
  }
  plan->memory = DescribeMemory();
  for (Added& added : steps_) {
    PlannedStep& planned = added.planned;
    for (const PlanOperand& operand : added.inputs) {
      planned.inputs.push_back(AddressOf(operand));
    }
    for (const PlanOperand& operand : added.outputs) {
      planned.outputs.push_back(AddressOf(operand));
    }
    planned.scratch = AddressOf(added.scratch);
    plan->steps.push_back(std::move(planned));
  }
  plan->views = std::move(views_);
  plan->kept_alive = std::move(kept_alive_);
  plan->constants = std::move(constants_);
  return plan;
}

}  // namespace dovetail
