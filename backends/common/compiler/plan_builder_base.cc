#include "dovetail/backends/common/compiler/plan_builder_base.h"

#include <optional>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/deferred_check.h"
#include "dovetail/core/graph/structural.h"

namespace dovetail {
namespace {

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

// What a step reads or writes of tensors.
int64_t TrafficOf(absl::Span<const PlanOperand> operands) {
  int64_t bytes = 0;
  for (const PlanOperand& operand : operands) {
    const bool is_tensor = operand.format.type != ElementType::kDynamic;
    if (operand.buffer != -1 && is_tensor) bytes += operand.byte_size();
  }
  return bytes;
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
    operand.buffer =
        buffers_.AddInput(static_cast<int>(i), operand.byte_size());
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
  if (IsConstant(value)) return format;
  const std::optional<Layout> wish = notes_.Wish();
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
  if (!IsConstant(value)) notes_.Read(value, format, stored.format.layout);
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
  if (notes_.is_draft()) return copy;
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<PlanStep> step,
                            MakeReorder(stored.shape, stored.format, format));
  std::vector<const Node*> fused = std::exchange(fused_, {});
  const DraftNotes::Pause pause(notes_);
  Add(*value.node, "reorder", std::move(step), {stored}, {copy});
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
  notes_.Write(value, format);
  return AddCopy(value, format);
}

// New memory for the value, besides the copies that there may be.
PlanOperand PlanBuilderBase::AddCopy(Value value, const Format& format) {
  PlanOperand operand;
  operand.shape = ShapeOf(value);
  operand.format = format;
  operand.buffer = buffers_.Add(operand.byte_size());
  states_.at(value.node).outputs[value.index].push_back(operand);
  return operand;
}

PlanOperand PlanBuilderBase::WritePlain(Value value) {
  return Write(value, {value.type(), Layout::kPlanar});
}

void PlanBuilderBase::View(Value value, const PlanOperand& of, int64_t offset,
                           const Format& format) {
  notes_.Write(value, format);
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
    places.push_back({part.place(), part.byte_size()});
  }
  PlanOperand joined;
  joined.shape = ShapeOf(value);
  joined.format = format;
  const std::optional<int> buffer =
      buffers_.ConcatInPlace(places, joined.byte_size());
  if (!buffer.has_value()) return false;
  notes_.Write(value, format);
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
  if (notes_.is_draft()) return AddConstant(nullptr, nullptr, bytes);
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
  in_place_.push_back({step_count(), output.buffer, input.place(), alone});
}

void PlanBuilderBase::ExtendLiveRange(const PlanOperand& operand, int step) {
  if (operand.buffer != -1) buffers_.ExtendLiveRange(operand.buffer, step);
}

// ---- Layouts ----

bool PlanBuilderBase::RepeatSite(const Node& node) {
  const LayoutDraft::Site* const site = notes_.Repeat(node);
  if (site == nullptr) return false;
  for (const Node* done : site->done) SetDone(*done);
  for (const auto& write : site->writes) AddCopy(write.value, write.format);
  return true;
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
  notes_.Traffic(TrafficOf(inputs) + TrafficOf(outputs));
  steps_.push_back(std::move(added));
}

void PlanBuilderBase::SetDone(const Node& node) {
  states_.at(&node).done = true;
  notes_.Done(node);
}

void PlanBuilderBase::Fuse(const Node& node) {
  SetDone(node);
  fused_.push_back(&node);
}

void PlanBuilderBase::Defer(std::function<absl::Status()> work) {
  if (notes_.is_draft()) return;
  deferred_.push_back(std::move(work));
}

}  // namespace dovetail
