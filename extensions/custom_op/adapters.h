// From the structs of custom_op.h to the functions of a row: which element type
// is at hand, what is optional, and that nothing is thrown on.
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_OP_ADAPTERS_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_OP_ADAPTERS_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/graph/op_info.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// C++ types of elements.
template <typename... Ts>
struct ElementTypes {};

// A kernel for some processors: an instruction set, say.
struct Implementation {
  absl::string_view name;  // "avx2"
  bool (*usable)();        // cheap; asked before each run
  KernelFn kernel;
};

namespace internal {

// What `body` answers. Errors begin with the node; what is thrown, of whatever
// type, is kInternal (kResourceExhausted for memory that is out).
absl::Status Guarded(const Node& node, absl::FunctionRef<absl::Status()> body);

// Applies `formula` to the node, which is gone then. kInvalidArgument where it
// declines.
absl::Status ReplaceByFormula(Model& model, Node& node, NodeRule::MakeFn make);

// ---- What a struct may leave out ----

template <typename Op>
struct AttributesType {
  using type = NoAttributes;
};
template <typename Op>
requires requires { typename Op::Attributes; }
struct AttributesType<Op> {
  using type = typename Op::Attributes;
};
template <typename Op>
using AttributesOfOp = typename AttributesType<Op>::type;

template <typename Op>
constexpr Arity InputsOf() {
  if constexpr (requires { Op::kInputs; }) {
    return Op::kInputs;
  } else {
    return {1, 1};
  }
}

template <typename Op>
constexpr Arity OutputsOf() {
  if constexpr (requires { Op::kOutputs; }) {
    return Op::kOutputs;
  } else {
    return {1, 1};
  }
}

template <typename Op>
constexpr uint32_t TraitsOf() {
  if constexpr (requires { Op::kTraits; }) {
    return Op::kTraits;
  } else {
    return kNoTraits;
  }
}

template <typename... Ts>
constexpr ElementTypeSet SetOf(ElementTypes<Ts...>) {
  return {ElementTypeOf<Ts>()...};
}

template <typename Op>
constexpr OpTypes TypesOf() {
  return OpTypes(SetOf(typename Op::Types{}),
                 InputsOf<Op>().min > 0 ? 0 : OpTypes::kOutput);
}

template <typename First, typename... Rest>
First FirstOf(ElementTypes<First, Rest...>);

template <typename Op>
concept HasCompute = requires(KernelContext& context) {
  Op::template Compute<decltype(FirstOf(typename Op::Types{}))>(context);
};
template <typename Op>
concept HasImplementations = requires {
  Op::Implementations();
};
template <typename Op>
concept HasFormula = requires(NodeBuilder& b, const Node& node) {
  Op::Decompose(b, node);
};

// ---- The functions ----

template <typename Op>
absl::Status InferOp(InferContext& context) {
  return Guarded(context.node(), [&]() -> absl::Status {
    const absl::Status status = Op::Infer(context);
    if (!status.ok() || OutputsOf<Op>().Contains(context.output_count())) {
      return status;
    }
    return context.Error("inference gave ", context.output_count(),
                         " outputs, which the operation cannot have");
  });
}

// The type that Types speak of.
inline ElementType TypeAtHand(const KernelContext& context) {
  return context.input_count() > 0 ? context.input(0).type()
                                   : context.output(0).type();
}

template <typename Op, typename... Ts>
absl::Status ComputeAs(KernelContext& context, ElementTypes<Ts...>) {
  const ElementType type = TypeAtHand(context);
  absl::Status status =
      context.Unsupported("the kernel has no code for ", ElementTypeName(type));
  // At most one of them is the type at hand.
  (void)((ElementTypeOf<Ts>() == type &&
          (status = Op::template Compute<Ts>(context), true)) ||
         ...);
  return status;
}

template <typename Op>
absl::Status ComputeOp(KernelContext& context) {
  return Guarded(context.node(), [&]() -> absl::Status {
    if constexpr (HasImplementations<Op>) {
      for (const Implementation& one : Op::Implementations()) {
        if (!one.usable()) continue;
        const absl::Status status = one.kernel(context);
        if (!absl::IsUnimplemented(status)) return status;
      }
    }
    return ComputeAs<Op>(context, typename Op::Types{});
  });
}

template <typename Op>
constexpr KernelFn KernelOf() {
  if constexpr (HasCompute<Op>) {
    return &ComputeOp<Op>;
  } else {
    static_assert(HasFormula<Op>,
                  "an operation needs Compute<T>, Decompose or both");
    return nullptr;
  }
}

template <typename Op>
absl::Status DecomposeOp(Model& model, Node& node) {
  return ReplaceByFormula(model, node, &Op::Decompose);
}

template <typename Op>
constexpr DecomposeFn DecomposeOf() {
  if constexpr (HasFormula<Op>) {
    return &DecomposeOp<Op>;
  } else {
    return nullptr;
  }
}

}  // namespace internal
}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_OP_ADAPTERS_H_
