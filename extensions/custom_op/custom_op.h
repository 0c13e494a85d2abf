// Operations of one's own: a struct an operation, a library of them.
//
//   struct SquashAttributes : AttributesOf<SquashAttributes> {
//     double scale = 1;
//     void Visit(AttributeVisitor& visitor) override {
//       visitor.Visit("scale", scale);
//     }
//   };
//
//   // scale * x / (1 + |x|)
//   struct Squash {
//     static constexpr char kName[] = "Squash";
//     static constexpr char kOpset[] = "sample";
//     using Attributes = SquashAttributes;
//     using Types = ElementTypes<float, int32_t>;
//
//     static absl::Status Infer(InferContext& context) {
//       context.SetOutput(0, context.type(0), context.shape(0));
//       return absl::OkStatus();
//     }
//
//     template <typename T>
//     static absl::Status Compute(KernelContext& context) { … }
//   };
//
//   DOVETAIL_OP_LIBRARY(SampleOperations, "sample_operations",
//                       "operations of the sample",
//                       ::dovetail::Operation<Squash>());
//
// A model's file says type="Squash" version="sample". Types are those of input
// 0 (of output 0, where there are no inputs), and Compute is called with the
// C++ type of the tensor at hand: float, double, Float16, BFloat16, integers,
// bool or std::string. A type that is not among them is an error before
// anything runs. A struct may also have
//
//   static constexpr Arity kInputs{1, 2};    // else one input
//   static constexpr Arity kOutputs{2, 2};   // else one output
//   static constexpr OpTrait kTraits = kDataDependentShape;
//   // Kernels that are tried before Compute, where `usable` says so; one that
//   // answers kUnimplemented leaves the tensors at hand to the next.
//   static absl::Span<const Implementation> Implementations();
//   // The formula in other operations, for devices that cannot run the kernel;
//   // with it there need be no Compute.
//   static Replacement Decompose(NodeBuilder& b, const Node& node);
//
// With kDataDependentShape, Infer leaves dimensions of outputs dynamic, and the
// kernel calls AllocateOutput for them. The others are allocated before it is
// called. Functions may throw: the inference then fails with what they threw.
//
// A kernel in the place of a known operation's is Kernel<NewGelu>(), with
//
//   struct NewGelu {
//     static constexpr char kReplaces[] = "Gelu";
//     static constexpr int kVersion = 7;
//     using Types = ElementTypes<float>;
//     template <typename T>
//     static absl::Status Compute(KernelContext& context) { … }
//   };
//
// whose attributes and inference are those of the operation. Where the kernel
// has not the type at hand, tensors are converted around it to one that is
// wider.
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_OP_CUSTOM_OP_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_OP_CUSTOM_OP_H_

#include <initializer_list>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/executor/parallel_for.h"
#include "dovetail/core/extension/op_library.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/graph/op_info.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/narrow_float.h"
#include "dovetail/extensions/custom_op/adapters.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// One line of DOVETAIL_OP_LIBRARY: an operation, or a kernel for a known one.
struct LibraryEntry {
  OpInfo row = {.opsets = OpsetRange::None()};  // no type: it is a kernel
  ExtensionOp functions = {};
  ReplacedKernel kernel = {};
};

// An operation that is a struct as above.
template <typename Op>
LibraryEntry Operation() {
  return {
      .row = {.type = Op::kName,
              .version = 1,
              .ir_type = Op::kName,
              .opsets = OpsetRange::None(),
              .inputs = internal::InputsOf<Op>(),
              .outputs = internal::OutputsOf<Op>(),
              .make_attributes = &MakeAttributes<internal::AttributesOfOp<Op>>,
              .infer = &internal::InferOp<Op>,
              .types = internal::TypesOf<Op>(),
              .traits = internal::TraitsOf<Op>(),
              .custom_opset = Op::kOpset},
      .functions = {.kernel = internal::KernelOf<Op>(),
                    .decompose = internal::DecomposeOf<Op>()}};
}

// A kernel for a known operation.
template <typename Op>
LibraryEntry Kernel() {
  return {.kernel = {Op::kReplaces, Op::kVersion, internal::KernelOf<Op>()}};
}

// What DOVETAIL_OP_LIBRARY makes. The texts live as long as the process.
OpLibrary MakeOpLibrary(const char* name, const char* description,
                        const char* build,
                        std::initializer_list<LibraryEntry> entries);

}  // namespace dovetail

// Defines `const OpLibrary& Function()`, for Core::AddExtension, and in a
// shared library the C function by which that is found there. In the source
// that dovetail_op_library() of tools/build_rules/op_library.bzl compiles
// twice, at the namespace of Function, with entries as above behind the
// description.
#define DOVETAIL_OP_LIBRARY(Function, name, description, ...)              \
  const ::dovetail::OpLibrary& Function() {                                \
    static const ::dovetail::OpLibrary& library =                          \
        *new ::dovetail::OpLibrary(::dovetail::MakeOpLibrary(              \
            name, description, DOVETAIL_OP_LIBRARY_BUILD, {__VA_ARGS__})); \
    return library;                                                        \
  }                                                                        \
  DOVETAIL_OP_LIBRARY_SYMBOL_(Function)                                    \
  static_assert(true, "so that a semicolon can follow")
#ifdef DOVETAIL_OP_LIBRARY_SHARED
#define DOVETAIL_OP_LIBRARY_SYMBOL_(Function)       \
  extern "C" __attribute__((visibility("default"))) \
  const ::dovetail::OpLibrary*                      \
  dovetail_op_library() {                           \
    return &Function();                             \
  }
#else
#define DOVETAIL_OP_LIBRARY_SYMBOL_(Function)
#endif

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_OP_CUSTOM_OP_H_
