#include "dovetail/backends/cpu/steps/elementwise/convert_integers.h"

#include <memory>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"
#include "dovetail/core/tensor/types/element_cast.h"

namespace dovetail::cpu {
namespace {

// What is worth waking a thread for.
constexpr int64_t kElementsAtATime = 1 << 15;

template <typename From, typename To>
class ConvertStep : public Step {
 public:
  explicit ConvertStep(int64_t count) : count_(count) {}

  absl::Status Run(const StepRun& run) const override {
    const From* const from = run.input<From>(0);
    To* const to = run.output<To>();
    ParallelFor(run.environment->team(), count_, kElementsAtATime,
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    to[i] = CastElement<To>(from[i]);
                  }
                });
    return absl::OkStatus();
  }

 private:
  const int64_t count_;
};

template <typename From>
std::unique_ptr<Step> StepTo(ElementType to, int64_t count) {
  switch (to) {
    case ElementType::kI32:
      return std::make_unique<ConvertStep<From, int32_t>>(count);
    case ElementType::kI64:
      return std::make_unique<ConvertStep<From, int64_t>>(count);
    case ElementType::kBoolean:
      return std::make_unique<ConvertStep<From, bool>>(count);
    default:
      return nullptr;
  }
}

std::unique_ptr<Step> StepFor(ElementType from, ElementType to, int64_t count) {
  switch (from) {
    case ElementType::kI32:
      return StepTo<int32_t>(to, count);
    case ElementType::kI64:
      return StepTo<int64_t>(to, count);
    case ElementType::kBoolean:
      return StepTo<bool>(to, count);
    default:
      return nullptr;
  }
}

}  // namespace

absl::StatusOr<bool> EmitConvertIntegers(const Node& node,
                                         PlanBuilder& builder) {
  const Value data = node.input(0);
  const ElementType to = node.port().type;
  std::unique_ptr<Step> step =
      StepFor(data.type(), to, PlanBuilder::ShapeOf(data).Count());
  if (step == nullptr) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input, builder.ReadPlain(data));
  const Operand output = builder.WritePlain(PlanBuilder::OutputOf(node));
  builder.Add(node, "convert", std::move(step), {input}, {output});
  return true;
}

}  // namespace dovetail::cpu
