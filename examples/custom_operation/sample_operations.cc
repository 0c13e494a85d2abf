#include "sample_operations.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace {

using namespace dovetail;  // NOLINT: most names here are Dovetail's

// ---- Squash: two element types, an attribute, and a formula ----

struct SquashAttributes : AttributesOf<SquashAttributes> {
  double scale = 1;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("scale", scale);
  }
};

struct Squash {
  static constexpr char kName[] = "Squash";
  static constexpr char kOpset[] = "sample";
  using Attributes = SquashAttributes;
  using Types = ElementTypes<float, int32_t>;

  static absl::Status Infer(InferContext& context) {
    context.SetOutput(0, context.type(0), context.shape(0));
    return absl::OkStatus();
  }

  template <typename T>
  static absl::Status Compute(KernelContext& context) {
    const double scale = context.attributes<SquashAttributes>().scale;
    const absl::Span<const T> x = context.input(0).span<T>();
    const absl::Span<T> y = context.output(0).mutable_span<T>();
    // In parts of at least 4096 elements, by the threads of the request.
    ParallelFor(context.executor(), static_cast<int64_t>(x.size()), 4096,
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    const double value = static_cast<double>(x[i]);
                    y[i] =
                        static_cast<T>(scale * value / (1 + std::abs(value)));
                  }
                });
    return absl::OkStatus();
  }

  // For devices that cannot run the kernel, such as GPU. Of f32 alone, since
  // integers are divided otherwise.
  static Replacement Decompose(NodeBuilder& b, const Node& node) {
    if (b.type() != ElementType::kF32) return {};
    const double scale = node.As<SquashAttributes>()->scale;
    const Value x = b.input(0);
    return {b.Divide(b.Multiply(x, scale), b.Add(b.Make("Abs", {x}), 1.0))};
  }
};

// ---- KeepAbove: two outputs, whose shape depends on the data ----

struct KeepAboveAttributes : AttributesOf<KeepAboveAttributes> {
  double threshold = 0;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("threshold", threshold);
  }
};

struct KeepAbove {
  static constexpr char kName[] = "KeepAbove";
  static constexpr char kOpset[] = "sample";
  static constexpr Arity kOutputs{2, 2};
  static constexpr OpTrait kTraits = kDataDependentShape;
  using Attributes = KeepAboveAttributes;
  using Types = ElementTypes<float>;

  static absl::Status Infer(InferContext& context) {
    Dimension kept = Dimension::Unknown();
    if (context.shape(0).rank_known()) {
      if (context.shape(0).rank() != 1) {
        return context.Error("input 0 is ", context.shape(0).ToString(),
                             ", want a vector");
      }
      // From none of the elements to all of them.
      kept = Dimension(0, context.shape(0)[0].max());
    }
    context.SetOutput(0, context.type(0), PartialShape({kept}));
    context.SetOutput(1, ElementType::kI64, PartialShape({kept}));
    return absl::OkStatus();
  }

  template <typename T>
  static absl::Status Compute(KernelContext& context) {
    const auto& attributes = context.attributes<KeepAboveAttributes>();
    const absl::Span<const T> x = context.input(0).span<T>();
    std::vector<int64_t> places;
    for (size_t i = 0; i < x.size(); ++i) {
      if (x[i] > attributes.threshold) places.push_back(i);
    }
    const Shape shape({static_cast<int64_t>(places.size())});
    absl::Status status = context.AllocateOutput(0, ElementTypeOf<T>(), shape);
    status.Update(context.AllocateOutput(1, ElementType::kI64, shape));
    if (!status.ok()) return status;
    for (size_t i = 0; i < places.size(); ++i) {
      context.output(0).mutable_span<T>()[i] = x[places[i]];
      context.output(1).mutable_span<int64_t>()[i] = places[i];
    }
    return absl::OkStatus();
  }
};

// ---- A kernel in the place of Gelu's, by its sigmoid approximation ----

struct FastGelu {
  static constexpr char kReplaces[] = "Gelu";
  static constexpr int kVersion = 7;
  using Types = ElementTypes<float>;

  template <typename T>
  static absl::Status Compute(KernelContext& context) {
    const absl::Span<const T> x = context.input(0).span<T>();
    const absl::Span<T> y = context.output(0).mutable_span<T>();
    for (size_t i = 0; i < x.size(); ++i) {
      y[i] = x[i] / (1 + std::exp(-1.702f * x[i]));
    }
    return absl::OkStatus();
  }
};

}  // namespace

DOVETAIL_OP_LIBRARY(SampleOperations, "sample_operations",
                    "operations of the example",
                    ::dovetail::Operation<Squash>(),
                    ::dovetail::Operation<KeepAbove>(),
                    ::dovetail::Kernel<FastGelu>());
