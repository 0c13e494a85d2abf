#include "dovetail/backends/cpu/onednn/primitive_step.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/backends/cpu/onednn/guard.h"
#include "dovetail/backends/cpu/onednn/stream.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kBytesAtATime = 1 << 16;

struct Argument {
  int number;
  dnnl::memory::desc desc;
};

// Handles of the tensors of one context, and the list in which oneDNN wants
// them.
class PrimitiveState : public StepState {
 public:
  explicit PrimitiveState(const std::vector<Argument>& arguments) {
    for (const Argument& argument : arguments) {
      memories_.push_back(
          dnnl::memory(argument.desc, CpuEngine(), DNNL_MEMORY_NONE));
      list_.push_back({argument.number, memories_.back().get()});
    }
  }

  void Set(size_t i, void* data) {
    dnnl_memory_set_data_handle(list_[i].memory, data);
  }
  const std::vector<dnnl_exec_arg_t>& list() const { return list_; }

 private:
  std::vector<dnnl::memory> memories_;
  std::vector<dnnl_exec_arg_t> list_;
};

class PrimitiveStep : public Step {
 public:
  // Inputs, outputs and scratchpad, in this order. `initial_bytes` of another,
  // last input of the step have to be in the output before; 0: there is none.
  PrimitiveStep(std::shared_ptr<dnnl::primitive> primitive,
                std::vector<Argument> arguments, size_t inputs,
                int64_t initial_bytes = 0)
      : primitive_(std::move(primitive)),
        arguments_(std::move(arguments)),
        inputs_(inputs),
        initial_bytes_(initial_bytes) {}

  std::unique_ptr<StepState> NewState() const override {
    return std::make_unique<PrimitiveState>(arguments_);
  }

  absl::Status Run(const StepRun& run) const override {
    auto& state = static_cast<PrimitiveState&>(*run.state);
    const size_t tensors = inputs_ + run.outputs.size();
    for (size_t i = 0; i < inputs_; ++i) state.Set(i, run.inputs[i]);
    for (size_t i = inputs_; i < tensors; ++i) {
      state.Set(i, run.outputs[i - inputs_]);
    }
    if (tensors < arguments_.size()) state.Set(tensors, run.scratch);
    if (initial_bytes_ > 0) SetInitial(run);
    return Guarded("a primitive", [&] {
      const dnnl_status_t status = dnnl_primitive_execute(
          primitive_->get(), StreamOf(*run.environment).get(),
          static_cast<int>(state.list().size()), state.list().data());
      dnnl::error::wrap_c_api(status, "could not be executed");
    });
  }

 private:
  void SetInitial(const StepRun& run) const {
    const char* const from = run.input<char>(static_cast<int>(inputs_));
    char* const to = run.output<char>();
    if (from == to) return;
    ParallelFor(run.environment->team(), initial_bytes_, kBytesAtATime,
                [&](int64_t begin, int64_t end) {
                  std::memcpy(to + begin, from + begin, end - begin);
                });
  }

  const std::shared_ptr<dnnl::primitive> primitive_;  // empty until Finish
  const std::vector<Argument> arguments_;
  const size_t inputs_;
  const int64_t initial_bytes_;
};

// A reorder on its own, outside of any plan.
}  // namespace

dnnl::primitive_attr ScratchpadAttr() {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

std::string KernelName(const dnnl::primitive_desc_base& desc) {
  return absl::StrCat("onednn_", desc.impl_info_str());
}

void AddPrimitive(const Node& node, PlanBuilder& builder,
                  const dnnl::primitive_desc_base& desc,
                  std::vector<PrimitiveOperand> inputs,
                  std::vector<PrimitiveOperand> outputs) {
  AddAccumulating(node, builder, desc, std::move(inputs), std::move(outputs),
                  {});
}

void AddAccumulating(const Node& node, PlanBuilder& builder,
                     const dnnl::primitive_desc_base& desc,
                     std::vector<PrimitiveOperand> inputs,
                     std::vector<PrimitiveOperand> outputs,
                     const Operand& initial) {
  std::vector<Argument> arguments;
  std::vector<Operand> in, out;
  for (const PrimitiveOperand& input : inputs) {
    arguments.push_back({input.argument, input.desc});
    in.push_back(input.operand);
  }
  for (const PrimitiveOperand& output : outputs) {
    arguments.push_back({output.argument, output.desc});
    out.push_back(output.operand);
  }
  const dnnl::memory::desc scratchpad = desc.scratchpad_desc();
  Operand scratch;
  if (scratchpad.get_size() > 0) {
    arguments.push_back({DNNL_ARG_SCRATCHPAD, scratchpad});
    scratch = builder.Scratch(static_cast<int64_t>(scratchpad.get_size()));
  }
  auto primitive = std::make_shared<dnnl::primitive>();
  const int threads = builder.settings().threads;
  builder.Defer([primitive, desc, threads] {
    return Guarded("generating a kernel", [&] {
      SetPrimitiveThreads(threads);
      *primitive = dnnl::primitive(desc.get());
    });
  });
  int64_t initial_bytes = 0;
  if (initial.buffer != -1) {
    initial_bytes = StoredBytes(initial.shape, initial.format);
    builder.AllowInPlace(out[0], initial, /*alone=*/true);
    in.push_back(initial);
  }
  builder.Add(node, KernelName(desc),
              std::make_unique<PrimitiveStep>(primitive, std::move(arguments),
                                              inputs.size(), initial_bytes),
              in, out, scratch);
}

absl::StatusOr<std::unique_ptr<Step>> MakeOneDnnReorder(
    const Shape& shape, const Format& from, const Format& to,
    const CompileSettings& settings) {
  if (!OneDnnType(from.type) || !OneDnnType(to.type)) {
    return Unimplemented("oneDNN cannot copy ", ElementTypeName(from.type),
                         " to ", ElementTypeName(to.type));
  }
  std::unique_ptr<Step> step;
  DOVETAIL_RETURN_IF_ERROR(Guarded("a reorder", [&] {
    SetPrimitiveThreads(settings.threads);
    const auto source = Describe(shape, from), target = Describe(shape, to);
    const dnnl::reorder::primitive_desc desc(CpuEngine(), source, CpuEngine(),
                                             target);
    auto primitive = std::make_shared<dnnl::primitive>(desc.get());
    step = std::make_unique<PrimitiveStep>(
        std::move(primitive),
        std::vector<Argument>{{DNNL_ARG_FROM, source}, {DNNL_ARG_TO, target}},
        1);
  }));
  return step;
}

}  // namespace dovetail::cpu
