#include "dovetail/core/ops/control/loop.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/control/body_bindings.h"
#include "dovetail/core/ops/control/iterations.h"
#include "dovetail/core/ops/control/slices.h"

namespace dovetail {
namespace {

// The number of parts that a sliced input has.
absl::StatusOr<Dimension> PartsOfInput(const InferContext& context,
                                       const BodyInput& binding) {
  const PartialShape& shape = context.shape(binding.input);
  if (!shape.rank_known()) return Dimension();
  DOVETAIL_ASSIGN_OR_RETURN(
      const int axis,
      CheckedAxis(context, binding.slicing->axis, shape.rank(),
                  absl::StrCat("axis of input ", binding.input)));
  absl::StatusOr<Dimension> count = CountParts(*binding.slicing, shape[axis]);
  if (count.ok()) return count;
  return context.Error("input ", binding.input, ": ", count.status().message());
}

// The number of parts that all sliced inputs have; nothing without any. When
// they need not agree it is the least.
absl::StatusOr<std::optional<Dimension>> PartsOfInputs(
    const InferContext& context, const Body& body, bool must_agree) {
  std::optional<Dimension> all;
  for (const BodyInput& binding : body.inputs) {
    if (!binding.slicing.has_value()) continue;
    DOVETAIL_ASSIGN_OR_RETURN(const Dimension count,
                              PartsOfInput(context, binding));
    if (!all.has_value()) {
      all = count;
    } else if (!must_agree) {
      all = Dimension(std::min(all->min(), count.min()),
                      std::min(all->max(), count.max()));
    } else if (const auto both = Intersect(*all, count); both.has_value()) {
      all = both;
    } else {
      return context.Error("input ", binding.input, " has ", count.ToString(),
                           " parts, those before it have ", all->ToString());
    }
  }
  return all;
}

// How often the body of a Loop runs if its condition goes on to hold.
absl::StatusOr<Dimension> MostIterations(const InferContext& context,
                                         const Body& body) {
  DOVETAIL_ASSIGN_OR_RETURN(const auto parts,
                            PartsOfInputs(context, body, false));
  const std::optional<int64_t> trips = context.scalar_int(0);
  if (trips.has_value() && *trips >= 0) return Dimension(*trips);
  if (trips.has_value() && parts.has_value()) return *parts;
  return Dimension();
}

}  // namespace

bool AlwaysGoesOn(const Body& body) {
  if (body.execution_condition_result < 0) return true;
  const OutputPort& port =
      ResultPort(body, body.execution_condition_result);
  return port.value.has_value() && port.value->size() == 1 &&
         port.value->elements()[0].lower > 0;
}

absl::Status InferLoop(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 0));
  DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, 0));
  DOVETAIL_RETURN_IF_ERROR(RequireBoolean(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, 1));
  DOVETAIL_ASSIGN_OR_RETURN(const Body* body, BodyOf(context.node(), 0, 1));
  DOVETAIL_ASSIGN_OR_RETURN(IteratedBody iterated,
                            IteratedBody::Make(context, *body));
  context.SetOutputCount(static_cast<int>(body->outputs.size()));
  if (context.mutable_bodies() == nullptr) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension most,
                            MostIterations(context, *body));
  DOVETAIL_RETURN_IF_ERROR(iterated.Infer(most));
  const std::optional<int64_t> condition = context.scalar_int(1);
  const bool starts = condition.has_value() && *condition != 0;
  if (condition.has_value() && !starts) return iterated.SetOutputs(0);
  if (starts && AlwaysGoesOn(*body)) return iterated.SetOutputs(most);
  const int64_t least = starts ? std::min<int64_t>(most.min(), 1) : 0;
  return iterated.SetOutputs(Dimension(least, most.max()));
}

absl::Status InferTensorIterator(InferContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const Body* body, BodyOf(context.node(), 0, 1));
  DOVETAIL_ASSIGN_OR_RETURN(IteratedBody iterated,
                            IteratedBody::Make(context, *body));
  DOVETAIL_ASSIGN_OR_RETURN(const auto parts,
                            PartsOfInputs(context, *body, true));
  const Dimension count = parts.value_or(Dimension(1));
  context.SetOutputCount(static_cast<int>(body->outputs.size()));
  if (context.mutable_bodies() == nullptr) return absl::OkStatus();
  DOVETAIL_RETURN_IF_ERROR(iterated.Infer(count));
  return iterated.SetOutputs(count);
}

}  // namespace dovetail
