#include "dovetail/core/reference/control/run_body.h"

#include <utility>

namespace dovetail {
namespace {

// A value for a parameter that nothing reads.
absl::StatusOr<Tensor> Zeros(const KernelContext& context, const Body& body,
                             int parameter) {
  const Node& node = *body.model->parameters()[parameter];
  const std::vector<int64_t> least = node.port().shape.MinDims();
  absl::StatusOr<Tensor> zeros =
      Tensor::Allocate(node.port().type, Shape(least));
  if (zeros.ok()) return zeros;
  return context.Error("the body's parameter ", parameter, " '", node.name(),
                       "', which nothing feeds: ", zeros.status().message());
}

class Depth {
 public:
  Depth() { ++depth_; }
  ~Depth() { --depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
  bool too_deep() const { return depth_ > kMaxBodyDepth; }

 private:
  static thread_local int depth_;
};

thread_local int Depth::depth_ = 0;

}  // namespace

absl::StatusOr<std::vector<Tensor>> FirstParameters(
    const KernelContext& context, const Body& body,
    const std::vector<ParameterSource>& sources) {
  std::vector<Tensor> parameters(sources.size());
  for (size_t i = 0; i < sources.size(); ++i) {
    const ParameterSource& source = sources[i];
    if (source.is_sliced() || source.is_iteration) continue;
    if (source.input != nullptr) {
      parameters[i] = context.input(source.input->input);
      continue;
    }
    DOVETAIL_ASSIGN_OR_RETURN(parameters[i],
                              Zeros(context, body, static_cast<int>(i)));
  }
  return parameters;
}

absl::StatusOr<std::unique_ptr<Body>> InferredBody(
    const KernelContext& context, const Body& body,
    absl::Span<const Shape> parameters) {
  std::unique_ptr<Body> copy = body.Clone();
  for (size_t i = 0; i < parameters.size(); ++i) {
    Node& parameter = *copy->model->parameters()[i];
    DOVETAIL_RETURN_IF_ERROR(
        DeclareParameter(parameter, parameter.port().type,
                         PartialShape(parameters[i])));
  }
  const absl::Status inferred = copy->model->Infer();
  if (!inferred.ok()) return Annotate(inferred, context.node().Describe());
  return copy;
}

absl::StatusOr<std::vector<Tensor>> RunBody(const KernelContext& context,
                                            const Body& body,
                                            absl::Span<const Tensor> inputs) {
  const Depth depth;
  if (depth.too_deep()) {
    return context.Error("bodies are nested over ", kMaxBodyDepth, " deep");
  }
  auto results = context.EvaluateBody(*body.model, inputs);
  if (!results.ok()) {
    return Annotate(results.status(), context.node().Describe());
  }
  return results;
}

}  // namespace dovetail
