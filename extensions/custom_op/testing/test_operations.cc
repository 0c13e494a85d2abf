#include "extensions/custom_op/testing/test_operations.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include "dovetail/core/base/status.h"
#include "dovetail/extensions/custom_op/custom_op.h"

namespace dovetail {
namespace {

absl::Status SameAsInput(InferContext& context) {
  context.SetOutput(0, context.type(0), context.shape(0));
  return absl::OkStatus();
}

// ---- scale * x / (1 + |x|) ----

struct SquashAttributes : AttributesOf<SquashAttributes> {
  double scale = 1;
  bool rounded = false;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("scale", scale);
    visitor.Visit("rounded", rounded);
  }
};

// A kernel for some processors: leaves what is not to be rounded to the other.
absl::Status RoundedSquash(KernelContext& context) {
  const auto& attributes = context.attributes<SquashAttributes>();
  if (!attributes.rounded || context.input(0).type() != ElementType::kF32) {
    return context.Unsupported("only f32, rounded");
  }
  const absl::Span<const float> x = context.input(0).span<float>();
  const absl::Span<float> y = context.output(0).mutable_span<float>();
  for (size_t i = 0; i < x.size(); ++i) {
    y[i] = std::round(
        static_cast<float>(attributes.scale * x[i] / (1 + std::abs(x[i]))));
  }
  return absl::OkStatus();
}

struct Squash {
  static constexpr char kName[] = "Squash";
  static constexpr char kOpset[] = "test";
  using Attributes = SquashAttributes;
  using Types = ElementTypes<float, int32_t>;

  static absl::Status Infer(InferContext& context) {
    return SameAsInput(context);
  }

  static absl::Span<const Implementation> Implementations() {
    static constexpr Implementation kAll[] = {
        {"never", +[] { return false; }, nullptr},
        {"rounded", +[] { return true; }, &RoundedSquash},
    };
    return kAll;
  }

  template <typename T>
  static absl::Status Compute(KernelContext& context) {
    const double scale = context.attributes<SquashAttributes>().scale;
    const absl::Span<const T> x = context.input(0).span<T>();
    const absl::Span<T> y = context.output(0).mutable_span<T>();
    ParallelFor(context.executor(), static_cast<int64_t>(x.size()), 1024,
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    const double value = static_cast<double>(x[i]);
                    y[i] =
                        static_cast<T>(scale * value / (1 + std::abs(value)));
                  }
                });
    return absl::OkStatus();
  }
};

// ---- x / 2, as a formula alone ----

struct Halve {
  static constexpr char kName[] = "Halve";
  static constexpr char kOpset[] = "test";
  using Types = ElementTypes<float>;
  static absl::Status Infer(InferContext& context) {
    return SameAsInput(context);
  }
  static Replacement Decompose(NodeBuilder& b, const Node&) {
    return {b.Multiply(b.input(0), 0.5)};
  }
};

// ---- 2x, both ways ----

struct Twice {
  static constexpr char kName[] = "Twice";
  static constexpr char kOpset[] = "test";
  using Types = ElementTypes<float>;
  static absl::Status Infer(InferContext& context) {
    return SameAsInput(context);
  }
  template <typename T>
  static absl::Status Compute(KernelContext& context) {
    const absl::Span<const T> x = context.input(0).span<T>();
    const absl::Span<T> y = context.output(0).mutable_span<T>();
    for (size_t i = 0; i < x.size(); ++i) y[i] = x[i] + x[i];
    return absl::OkStatus();
  }
  static Replacement Decompose(NodeBuilder& b, const Node&) {
    return {b.Add(b.Multiply(b.input(0), 2.0), 0.0)};
  }
};

// ---- Where its tensors are ----

struct Where {
  static constexpr char kName[] = "Where";
  static constexpr char kOpset[] = "test";
  using Types = ElementTypes<int64_t>;
  static absl::Status Infer(InferContext& context) {
    return SameAsInput(context);
  }
  template <typename T>
  static absl::Status Compute(KernelContext& context) {
    T* const y = context.output(0).mutable_data<T>();
    y[0] = reinterpret_cast<intptr_t>(context.input(0).address());
    y[1] = reinterpret_cast<intptr_t>(y);
    return absl::OkStatus();
  }
};

// ---- What must not bring anything down ----

struct MisbehaveAttributes : AttributesOf<MisbehaveAttributes> {
  std::string how = "none";
  void Visit(AttributeVisitor& visitor) override { visitor.Visit("how", how); }
};

struct Misbehave {
  static constexpr char kName[] = "Misbehave";
  static constexpr char kOpset[] = "test";
  static constexpr OpTrait kTraits = kDataDependentShape;
  using Attributes = MisbehaveAttributes;
  using Types = ElementTypes<float>;

  static absl::Status Infer(InferContext& context) {
    const std::string& how = context.attributes<MisbehaveAttributes>().how;
    if (how == "infer_throw") throw std::runtime_error("thrown by Infer");
    if (how == "infer_error") return context.Error("refused by Infer");
    if (how == "outputs") context.SetOutputCount(2);
    // At most as many as there are.
    context.SetOutput(0, ElementType::kF32, PartialShape({Dimension(0, 4)}));
    return absl::OkStatus();
  }

  template <typename T>
  static absl::Status Compute(KernelContext& context) {
    const std::string& how = context.attributes<MisbehaveAttributes>().how;
    if (how == "throw") throw std::runtime_error("thrown by Compute");
    if (how == "throw_int") throw 7;
    if (how == "error") return InvalidArgument("refused by Compute");
    if (how == "unset") return absl::OkStatus();
    return context.AllocateOutput(0, ElementType::kF32,
                                  Shape({how == "shape" ? 5 : 3}));
  }
};

// ---- In the place of a known one ----

struct NewGelu {
  static constexpr char kReplaces[] = "Gelu";
  static constexpr int kVersion = 7;
  using Types = ElementTypes<float>;
  template <typename T>
  static absl::Status Compute(KernelContext& context) {
    const absl::Span<const T> x = context.input(0).span<T>();
    const absl::Span<T> y = context.output(0).mutable_span<T>();
    for (size_t i = 0; i < x.size(); ++i) y[i] = x[i] + 100;
    return absl::OkStatus();
  }
};

}  // namespace

DOVETAIL_OP_LIBRARY(TestOperations, "test_operations", "operations for tests",
                    Operation<Squash>(), Operation<Halve>(), Operation<Twice>(),
                    Operation<Where>(), Operation<Misbehave>(),
                    Kernel<NewGelu>());

}  // namespace dovetail
