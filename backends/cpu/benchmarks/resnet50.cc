#include "dovetail/backends/cpu/benchmarks/resnet50.h"

#include <cmath>
#include <random>
#include <string>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/core/ops/linear/matmul.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/ops/pooling/max_pool.h"
#include "dovetail/core/ops/structural/structural.h"

namespace dovetail::cpu {
namespace {

constexpr int kBlocks[] = {3, 4, 6, 3};
constexpr int64_t kWidths[] = {64, 128, 256, 512};
constexpr int64_t kExpansion = 4;

class Builder {
 public:
  absl::StatusOr<std::unique_ptr<Model>> Build() {
    DOVETAIL_ASSIGN_OR_RETURN(
        Node * input,
        AddParameter(*model_, ElementType::kF32, {1, 3, 224, 224}, "picture"));
    DOVETAIL_ASSIGN_OR_RETURN(Value x, Convolve(input->output()));
    DOVETAIL_ASSIGN_OR_RETURN(x, Relu(x));
    DOVETAIL_ASSIGN_OR_RETURN(x, Pool(x));
    for (int stage = 0; stage < 4; ++stage) {
      for (int block = 0; block < kBlocks[stage]; ++block) {
        DOVETAIL_ASSIGN_OR_RETURN(x, Bottleneck(x, block == 0));
      }
    }
    DOVETAIL_ASSIGN_OR_RETURN(x, Classify(x));
    DOVETAIL_RETURN_IF_ERROR(AddResult(*model_, x).status());
    return std::move(model_);
  }

 private:
  absl::StatusOr<Value> Add(absl::string_view type, int version,
                            std::vector<Value> inputs,
                            std::unique_ptr<Attributes> attributes = nullptr) {
    const OpInfo& op = *FindOp(type, version);
    if (attributes == nullptr) attributes = op.make_attributes();
    DOVETAIL_ASSIGN_OR_RETURN(
        Node * node, model_->Add(op, inputs, std::move(attributes)));
    return node->output();
  }

  absl::StatusOr<Value> Weights(const Shape& shape, double scale) {
    DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor,
                              Tensor::Allocate(ElementType::kF32, shape));
    std::normal_distribution<float> normal(0, static_cast<float>(scale));
    for (float& value : tensor.mutable_span<float>()) value = normal(random_);
    DOVETAIL_ASSIGN_OR_RETURN(Node * node, AddConstant(*model_, tensor));
    return node->output();
  }

  absl::StatusOr<Value> Relu(Value x) { return Add("Relu", 0, {x}); }

  // The next convolution of the list, with its bias.
  absl::StatusOr<Value> Convolve(Value x) {
    const ResNetConvolution& layer = layers_[next_++];
    const int64_t pad = layer.kernel / 2;
    auto attributes = std::make_unique<ConvolutionAttributes>();
    attributes->window.strides = {layer.stride, layer.stride};
    attributes->window.dilations = {1, 1};
    attributes->window.pads_begin = attributes->window.pads_end = {pad, pad};
    const double window =
        static_cast<double>(layer.inputs * layer.kernel * layer.kernel);
    DOVETAIL_ASSIGN_OR_RETURN(
        const Value kernel,
        Weights({layer.outputs, layer.inputs, layer.kernel, layer.kernel},
                std::sqrt(1 / window)));
    DOVETAIL_ASSIGN_OR_RETURN(
        x, Add("Convolution", 1, {x, kernel}, std::move(attributes)));
    DOVETAIL_ASSIGN_OR_RETURN(const Value bias,
                              Weights({1, layer.outputs, 1, 1}, 0.1));
    return Add("Add", 1, {x, bias});
  }

  absl::StatusOr<Value> Pool(Value x) {
    auto attributes = std::make_unique<MaxPoolAttributes>();
    attributes->kernel = {3, 3};
    attributes->window.strides = {2, 2};
    attributes->window.pads_begin = attributes->window.pads_end = {1, 1};
    return Add("MaxPool", 1, {x}, std::move(attributes));
  }

  absl::StatusOr<Value> Bottleneck(Value x, bool projects) {
    Value shortcut = x;
    if (projects) {
      DOVETAIL_ASSIGN_OR_RETURN(shortcut, Convolve(x));
    }
    for (int i = 0; i < 2; ++i) {
      DOVETAIL_ASSIGN_OR_RETURN(x, Convolve(x));
      DOVETAIL_ASSIGN_OR_RETURN(x, Relu(x));
    }
    DOVETAIL_ASSIGN_OR_RETURN(x, Convolve(x));
    DOVETAIL_ASSIGN_OR_RETURN(x, Add("Add", 1, {x, shortcut}));
    return Relu(x);
  }

  absl::StatusOr<Value> Classify(Value x) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const Tensor axes,
        Tensor::FromDoubles(ElementType::kI64, {2}, {2, 3}));
    DOVETAIL_ASSIGN_OR_RETURN(Node * constant, AddConstant(*model_, axes));
    DOVETAIL_ASSIGN_OR_RETURN(x,
                              Add("ReduceMean", 1, {x, constant->output()}));
    DOVETAIL_ASSIGN_OR_RETURN(const Value matrix, Weights({2048, 1000}, 0.02));
    return Add("MatMul", 0, {x, matrix});
  }

  std::unique_ptr<Model> model_ = std::make_unique<Model>("resnet50");
  std::mt19937 random_{1};
  const std::vector<ResNetConvolution> layers_ = ResNet50Convolutions();
  size_t next_ = 0;
};

}  // namespace

std::vector<ResNetConvolution> ResNet50Convolutions() {
  std::vector<ResNetConvolution> layers = {{3, 64, 224, 7, 2}};
  int64_t channels = 64, size = 56;
  for (int stage = 0; stage < 4; ++stage) {
    const int64_t width = kWidths[stage], wide = kExpansion * width;
    for (int block = 0; block < kBlocks[stage]; ++block) {
      const int64_t stride = stage > 0 && block == 0 ? 2 : 1;
      if (block == 0) {
        layers.push_back({channels, wide, size, 1, stride, false, false});
      }
      layers.push_back({channels, width, size, 1, 1});
      layers.push_back({width, width, size, 3, stride});
      size /= stride;
      layers.push_back({width, wide, size, 1, 1, /*adds=*/true});
      channels = wide;
    }
  }
  return layers;
}

absl::StatusOr<std::unique_ptr<Model>> MakeResNet50() {
  return Builder().Build();
}

}  // namespace dovetail::cpu
