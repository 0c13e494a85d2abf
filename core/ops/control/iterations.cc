#include "dovetail/core/ops/control/iterations.h"

#include <algorithm>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

// Rounds in which the union of what came is taken, for loops that settle or
// end soon, and rounds after which nothing is assumed any more.
constexpr int kPlainRounds = 4;
constexpr int kMaxRounds = 12;

// Loops in loops multiply their rounds, so that a small file could keep us busy
// for years: within one outermost loop, so many times a body is inferred with
// what is known; after that, shapes of what goes round are given up at once.
class RoundBudget {
 public:
  RoundBudget() {
    if (depth_++ == 0) spent_ = 0;
  }
  ~RoundBudget() { --depth_; }
  RoundBudget(const RoundBudget&) = delete;
  RoundBudget& operator=(const RoundBudget&) = delete;

  bool Spend() { return ++spent_ <= kRounds; }

 private:
  static constexpr int kRounds = 1000;
  static thread_local int depth_, spent_;
};

thread_local int RoundBudget::depth_ = 0;
thread_local int RoundBudget::spent_ = 0;

Dimension Widened(const Dimension& from, const Dimension& to) {
  return Dimension(to.min() < from.min() ? 0 : to.min(),
                   to.max() > from.max() ? Dimension::kInfinity : to.max());
}

// Bounds that have moved go as far as they can, so that they cannot go on.
PartialShape Widened(const PartialShape& from, PartialShape to) {
  if (!from.rank_known() || !to.rank_known()) return PartialShape();
  for (int axis = 0; axis < to.rank(); ++axis) {
    to[axis] = Widened(from[axis], to[axis]);
  }
  return to;
}

bool IsKnownAndOther(ElementType a, ElementType b) {
  return a != b && a != ElementType::kDynamic && b != ElementType::kDynamic;
}

}  // namespace

IteratedBody::IteratedBody(InferContext& context, const Body& body,
                           std::vector<ParameterSource> sources)
    : context_(context),
      body_(body),
      sources_(std::move(sources)),
      shapes_(sources_.size()) {}

absl::StatusOr<IteratedBody> IteratedBody::Make(InferContext& context,
                                                const Body& body) {
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<ParameterSource> sources,
                            ResolveBindings(context.node(), body));
  return IteratedBody(context, body, std::move(sources));
}

absl::Status IteratedBody::Infer(const Dimension& iterations) {
  RoundBudget budget;
  DOVETAIL_RETURN_IF_ERROR(SetFirstShapes());
  for (int round = 1;; ++round) {
    const bool afford = budget.Spend() && round < kMaxRounds;
    if (!afford) ForgetShapes();
    DOVETAIL_RETURN_IF_ERROR(InferOnce());
    // The last round that there can be, checked for types only.
    const bool last = !afford || round >= iterations.max();
    DOVETAIL_ASSIGN_OR_RETURN(const bool changed,
                              GoRound(round >= kPlainRounds));
    if (last || !changed) return absl::OkStatus();
  }
}

absl::Status IteratedBody::SetFirstShapes() {
  for (size_t i = 0; i < sources_.size(); ++i) {
    const Node& parameter = *body_.model->parameters()[i];
    const BodyInput* input = sources_[i].input;
    shapes_[i] = input != nullptr ? context_.shape(input->input)
                                  : parameter.port().shape;
    if (sources_[i].is_iteration) {
      DOVETAIL_RETURN_IF_ERROR(CheckIterationParameter(static_cast<int>(i)));
    }
    if (!sources_[i].is_sliced() || !shapes_[i].rank_known()) continue;
    DOVETAIL_ASSIGN_OR_RETURN(
        const int axis,
        CheckedAxis(context_, input->slicing->axis, shapes_[i].rank(),
                    absl::StrCat("axis of input ", input->input)));
    if (input->slicing->part_size < 1) {
      return context_.Error("part_size of input ", input->input, " is ",
                            input->slicing->part_size, ", want at least 1");
    }
    shapes_[i][axis] = input->slicing->part_size;
  }
  return absl::OkStatus();
}

absl::Status IteratedBody::CheckIterationParameter(int parameter) {
  const OutputPort& port =
      std::as_const(*body_.model->parameters()[parameter]).port();
  const bool type = port.type == ElementType::kI32 ||
                    port.type == ElementType::kI64;
  const bool shape = port.shape.Contains(Shape()) ||
                     port.shape.Contains(Shape({1}));
  if (type && shape) return absl::OkStatus();
  return context_.Error("the body's parameter ", parameter,
                        " for the iteration's number is ",
                        ElementTypeName(port.type), port.shape.ToString(),
                        ", want i32 or i64, [] or [1]");
}

absl::Status IteratedBody::InferOnce() {
  for (size_t i = 0; i < sources_.size(); ++i) {
    const BodyInput* input = sources_[i].input;
    if (input == nullptr) continue;
    DOVETAIL_RETURN_IF_ERROR(
        DeclareParameter(*body_.model->parameters()[i],
                         context_.type(input->input), shapes_[i]));
  }
  return body_.model->Infer();
}

// Takes what the results give into the shapes of the parameters that they go
// back to; whether that changed any.
absl::StatusOr<bool> IteratedBody::GoRound(bool widen) {
  bool changed = false;
  for (size_t i = 0; i < sources_.size(); ++i) {
    const int result = sources_[i].back_edge_result;
    if (result < 0) continue;
    const Node& parameter = *body_.model->parameters()[i];
    const OutputPort& port = ResultPort(body_, result);
    if (IsKnownAndOther(port.type, parameter.port().type)) {
      return context_.Error("the back edge to parameter ", i, " '",
                            parameter.name(), "' brings ",
                            ElementTypeName(port.type), ", it is ",
                            ElementTypeName(parameter.port().type));
    }
    PartialShape next = Union(shapes_[i], port.shape);
    if (widen && next != shapes_[i]) {
      next = Widened(shapes_[i], std::move(next));
    }
    changed |= next != shapes_[i];
    shapes_[i] = std::move(next);
  }
  return changed;
}

void IteratedBody::ForgetShapes() {
  for (size_t i = 0; i < sources_.size(); ++i) {
    if (sources_[i].back_edge_result >= 0) shapes_[i] = PartialShape();
  }
}

absl::Status IteratedBody::SetOutputs(const Dimension& iterations) {
  for (const BodyOutput& binding : body_.outputs) {
    PartialShape shape;
    if (binding.slicing.has_value()) {
      DOVETAIL_ASSIGN_OR_RETURN(shape, JoinedShape(binding, iterations));
    } else {
      shape = LastShape(binding, iterations);
    }
    context_.SetOutput(binding.output, ResultPort(body_, binding.result).type,
                       std::move(shape));
  }
  return absl::OkStatus();
}

absl::StatusOr<PartialShape> IteratedBody::JoinedShape(
    const BodyOutput& binding, const Dimension& iterations) const {
  PartialShape shape = ResultPort(body_, binding.result).shape;
  if (!shape.rank_known()) return shape;
  if (shape.rank() == 0) shape = PartialShape{1};
  DOVETAIL_ASSIGN_OR_RETURN(
      const int axis,
      CheckedAxis(context_, binding.slicing->axis, shape.rank(),
                  absl::StrCat("axis of output ", binding.output)));
  shape[axis] = shape[axis] * iterations;
  return shape;
}

PartialShape IteratedBody::LastShape(const BodyOutput& binding,
                                     const Dimension& iterations) const {
  const PartialShape& last = ResultPort(body_, binding.result).shape;
  if (iterations.min() > 0) return last;
  for (const ParameterSource& source : sources_) {
    if (source.back_edge_result != binding.result) continue;
    const PartialShape& first = context_.shape(source.input->input);
    return iterations.max() == 0 ? first : Union(first, last);
  }
  return last;
}

}  // namespace dovetail
