#include "dovetail/core/reference/control/loop.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "dovetail/core/ops/control/body_bindings.h"
#include "dovetail/core/ops/control/loop.h"
#include "dovetail/core/reference/control/joined_output.h"
#include "dovetail/core/reference/control/run_body.h"
#include "dovetail/core/reference/control/sliced_input.h"

namespace dovetail {
namespace {

// Whatever happens to a body from one iteration to the next.
class Iterations {
 public:
  static absl::StatusOr<Iterations> Make(KernelContext& context) {
    Iterations made(context);
    DOVETAIL_ASSIGN_OR_RETURN(made.body_, BodyOf(context.node(), 0, 1));
    DOVETAIL_ASSIGN_OR_RETURN(made.sources_,
                              ResolveBindings(context.node(), *made.body_));
    DOVETAIL_ASSIGN_OR_RETURN(
        made.parameters_,
        FirstParameters(context, *made.body_, made.sources_));
    for (const BodyInput& binding : made.body_->inputs) {
      if (!made.sources_[binding.parameter].is_sliced()) continue;
      DOVETAIL_ASSIGN_OR_RETURN(SlicedInput input,
                                SlicedInput::Make(context, binding));
      made.sliced_.push_back(std::move(input));
    }
    for (const BodyOutput& binding : made.body_->outputs) {
      if (binding.slicing.has_value()) made.joined_.emplace_back(binding);
    }
    return made;
  }

  // Of the sliced inputs; kMaxIterations when there are none, so that this is
  // no limit.
  int64_t FewestParts() const {
    int64_t parts = kMaxIterations;
    for (const SlicedInput& input : sliced_) {
      parts = std::min(parts, input.count());
    }
    return parts;
  }
  bool is_sliced() const { return !sliced_.empty(); }
  // Whether nothing can end a loop with that trip count.
  bool IsEndless(int64_t trips) const {
    return trips < 0 && !is_sliced() && AlwaysGoesOn(*body_);
  }

  // Runs the body; whether its condition holds afterwards.
  absl::StatusOr<bool> Run(int64_t iteration) {
    if (iteration >= kMaxIterations) {
      return ResourceExhausted(context_.node().Describe(), ": would run over ",
                               kMaxIterations, " iterations");
    }
    if (context_.environment().check_cancelled != nullptr) {
      DOVETAIL_RETURN_IF_ERROR(context_.environment().check_cancelled());
    }
    DOVETAIL_RETURN_IF_ERROR(SetParameters(iteration));
    DOVETAIL_ASSIGN_OR_RETURN(results_,
                              RunBody(context_, *body_, parameters_));
    for (JoinedOutput& output : joined_) {
      output.Add(results_[output.result()]);
    }
    for (size_t i = 0; i < sources_.size(); ++i) {
      const int result = sources_[i].back_edge_result;
      if (result >= 0) parameters_[i] = results_[result];
    }
    return ConditionHolds();
  }

  // Gives the node its outputs.
  absl::Status Finish() {
    if (results_.empty()) {
      DOVETAIL_RETURN_IF_ERROR(FinishEmpty());
    } else {
      for (JoinedOutput& output : joined_) {
        DOVETAIL_RETURN_IF_ERROR(output.Finish(context_));
      }
    }
    for (const BodyOutput& binding : body_->outputs) {
      if (binding.slicing.has_value()) continue;
      if (results_.empty()) {
        DOVETAIL_RETURN_IF_ERROR(SetToFirstValue(binding));
      } else {
        context_.SetOutput(binding.output, results_[binding.result]);
      }
    }
    return absl::OkStatus();
  }

 private:
  explicit Iterations(KernelContext& context) : context_(context) {}

  absl::Status SetParameters(int64_t iteration) {
    for (const SlicedInput& input : sliced_) {
      DOVETAIL_ASSIGN_OR_RETURN(parameters_[input.parameter()],
                                input.Part(context_, iteration));
    }
    const int number = body_->current_iteration_parameter;
    if (number < 0) return absl::OkStatus();
    DOVETAIL_ASSIGN_OR_RETURN(
        parameters_[number],
        Tensor::FromDoubles(PortOf(number).type, IterationShape(number),
                            {static_cast<double>(iteration)}));
    return absl::OkStatus();
  }

  const OutputPort& PortOf(int parameter) const {
    return std::as_const(*body_->model->parameters()[parameter]).port();
  }

  // Of the parameter that is given the iteration's number.
  Shape IterationShape(int parameter) const {
    return PortOf(parameter).shape.Contains(Shape()) ? Shape() : Shape({1});
  }

  absl::StatusOr<bool> ConditionHolds() const {
    const int result = body_->execution_condition_result;
    if (result < 0) return true;
    const Tensor& condition = results_[result];
    if (condition.type() == ElementType::kBoolean &&
        condition.element_count() == 1) {
      return condition.ElementAsInt64(0) != 0;
    }
    return context_.Error("the body's condition is ",
                          ElementTypeName(condition.type()),
                          condition.shape().ToString(),
                          ", want one boolean");
  }

  // Joined outputs of a loop that has not run: of the shapes that the first
  // iteration would have given.
  absl::Status FinishEmpty() {
    if (joined_.empty()) return absl::OkStatus();
    std::vector<Shape> shapes(sources_.size());
    for (size_t i = 0; i < sources_.size(); ++i) {
      shapes[i] = sources_[i].is_iteration
                      ? IterationShape(static_cast<int>(i))
                      : parameters_[i].shape();
    }
    for (const SlicedInput& input : sliced_) {
      shapes[input.parameter()] = input.part_shape();
    }
    DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Body> body,
                              InferredBody(context_, *body_, shapes));
    for (const JoinedOutput& output : joined_) {
      DOVETAIL_RETURN_IF_ERROR(
          output.FinishEmpty(context_, ResultPort(*body, output.result())));
    }
    return absl::OkStatus();
  }

  // Of a loop that has not run: what would have gone into its first iteration.
  absl::Status SetToFirstValue(const BodyOutput& binding) {
    for (size_t i = 0; i < sources_.size(); ++i) {
      if (sources_[i].back_edge_result != binding.result) continue;
      context_.SetOutput(binding.output, parameters_[i]);
      return absl::OkStatus();
    }
    return context_.Error("runs no iteration, so that output ", binding.output,
                          " has no value");
  }

  KernelContext& context_;
  const Body* body_ = nullptr;
  std::vector<ParameterSource> sources_;
  std::vector<SlicedInput> sliced_;
  std::vector<JoinedOutput> joined_;
  std::vector<Tensor> parameters_, results_;
};

}  // namespace

absl::Status LoopKernel(KernelContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(Iterations iterations, Iterations::Make(context));
  const int64_t trips = context.input(0).ElementAsInt64(0);
  bool goes_on = context.input(1).ElementAsInt64(0) != 0;
  if (goes_on && iterations.IsEndless(trips)) {
    return context.Error("has no trip count and a condition that always "
                         "holds, so that it would never end");
  }
  const int64_t parts = iterations.FewestParts();
  for (int64_t i = 0; goes_on && (trips < 0 || i < trips); ++i) {
    if (iterations.is_sliced() && i == parts) {
      if (trips < 0) break;
      return context.Error("the trip count is ", trips,
                           ", a sliced input has only ", parts, " parts");
    }
    DOVETAIL_ASSIGN_OR_RETURN(goes_on, iterations.Run(i));
  }
  return iterations.Finish();
}

absl::Status TensorIteratorKernel(KernelContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(Iterations iterations, Iterations::Make(context));
  const int64_t count = iterations.is_sliced() ? iterations.FewestParts() : 1;
  for (int64_t i = 0; i < count; ++i) {
    DOVETAIL_RETURN_IF_ERROR(iterations.Run(i).status());
  }
  return iterations.Finish();
}

}  // namespace dovetail
