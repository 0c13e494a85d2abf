#include "dovetail/backends/vpu/simulator/engine_step.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/backends/common/kernels/dense/dense_convolution.h"
#include "dovetail/backends/common/steps/step.h"
#include "dovetail/backends/vpu/simulator/post_operations.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/window.h"
#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/core/ops/linear/matmul.h"

namespace dovetail::vpu {
namespace {

using host::DenseConvolution;
using host::DenseShape;

class EngineStep : public Step {
 public:
  explicit EngineStep(DenseConvolution convolution)
      : convolution_(std::move(convolution)) {}

  absl::Status Run(const StepRun& run) const override {
    convolution_.Run(run.input<uint16_t>(0), run.output<uint16_t>(),
                     static_cast<float*>(run.scratch), run.environment->team());
    return absl::OkStatus();
  }

 private:
  const DenseConvolution convolution_;
};

// A layer as products of blocks.
struct EngineLayer {
  DenseShape shape;
  std::vector<float> weights;  // as DenseConvolution takes them
  int channel_axis = 1;        // of the output
};

std::vector<float> Floats(const Tensor& tensor) {
  std::vector<float> numbers(tensor.element_count());
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    numbers[i] = static_cast<float>(tensor.ElementAsDouble(i));
  }
  return numbers;
}

std::optional<EngineLayer> ConvolutionLayer(const Node& node,
                                            const Tensor& weights) {
  const SlidingWindow& window = node.As<ConvolutionAttributes>()->window;
  const Shape data = PlanBuilderBase::ShapeOf(node.input(0));
  const Shape output =
      PlanBuilderBase::ShapeOf(PlanBuilderBase::OutputOf(node));
  const Shape& kernel = weights.shape();
  const int spatial = data.rank() - 2;
  if (spatial < 1 || spatial > 2) return std::nullopt;
  const int leading = kernel.rank() - spatial;  // 3 with groups
  EngineLayer layer;
  layer.shape.images = data[0];
  layer.shape.groups = leading == 3 ? kernel[0] : 1;
  layer.shape.outputs = kernel[leading - 2];
  layer.shape.inputs = kernel[leading - 1];
  const auto axis = [&](int i) {
    return ResolveWindow(window, i, data[2 + i], kernel[leading + i],
                         output[2 + i]);
  };
  if (spatial == 2) layer.shape.y = axis(0);
  layer.shape.x = axis(spatial - 1);
  layer.weights = Floats(weights);
  return layer;
}

// Rows of the first factor are pixels.
std::optional<EngineLayer> MatMulLayer(const Node& node,
                                       const Tensor& weights) {
  const auto* const attributes = node.As<MatMulAttributes>();
  const Shape data = PlanBuilderBase::ShapeOf(node.input(0));
  const Shape& matrix = weights.shape();
  if (data.rank() < 2 || matrix.rank() != 2 || attributes->transpose_a) {
    return std::nullopt;
  }
  const bool transposed = attributes->transpose_b;
  EngineLayer layer;
  layer.shape.pixels_first = true;
  layer.shape.inputs = data[data.rank() - 1];
  layer.shape.outputs = matrix[transposed ? 0 : 1];
  layer.shape.x.input = layer.shape.x.output =
      data.Count() / layer.shape.inputs;
  layer.channel_axis = data.rank() - 1;
  const std::vector<float> numbers = Floats(weights);
  if (transposed) {
    layer.weights = numbers;
    return layer;
  }
  layer.weights.resize(numbers.size());
  for (int64_t k = 0; k < layer.shape.inputs; ++k) {
    for (int64_t o = 0; o < layer.shape.outputs; ++o) {
      layer.weights[o * layer.shape.inputs + k] =
          numbers[k * layer.shape.outputs + o];
    }
  }
  return layer;
}

std::optional<EngineLayer> LayerOf(const Node& node) {
  const bool is_convolution =
      node.Is("Convolution") || node.Is("GroupConvolution");
  if (!is_convolution && !node.Is("MatMul")) return std::nullopt;
  const Tensor* const weights = PlanBuilderBase::ConstantOf(node.input(1));
  const Value output = PlanBuilderBase::OutputOf(node);
  if (weights == nullptr || output.type() != ElementType::kF16 ||
      PlanBuilderBase::ShapeOf(output).Count() == 0 ||
      PlanBuilderBase::ShapeOf(node.input(0)).Count() == 0 ||
      weights->element_count() == 0) {
    return std::nullopt;
  }
  return is_convolution ? ConvolutionLayer(node, *weights)
                        : MatMulLayer(node, *weights);
}

}  // namespace

absl::StatusOr<bool> AddEngineStep(const Node& node, absl::string_view kernel,
                                   const Program& program,
                                   Accumulation accumulation,
                                   PlanBuilderBase& builder) {
  std::optional<EngineLayer> layer = LayerOf(node);
  if (!layer.has_value()) return false;
  PostOperations post(layer->shape.groups * layer->shape.outputs,
                      layer->channel_axis);
  const PostOperations::Chain chain =
      post.TakeChain(PlanBuilderBase::OutputOf(node));
  DOVETAIL_ASSIGN_OR_RETURN(const PlanOperand input,
                            builder.ReadPlain(node.input(0)));
  DenseConvolution convolution(
      layer->shape, layer->weights.data(), post.epilogues(),
      SumsOf(accumulation, program.machine(), program.Find(node.name()),
             layer->shape.inputs));
  const PlanOperand scratch = builder.Scratch(
      convolution.scratch_count() * static_cast<int64_t>(sizeof(float)));
  builder.Fuse(chain.nodes);
  const PlanOperand result = builder.WritePlain(chain.output);
  builder.Add(node, kernel,
              std::make_unique<EngineStep>(std::move(convolution)), {input},
              {result}, scratch);
  return true;
}

}  // namespace dovetail::vpu
