// One version of one operation: what the graph has to know of it. The rows are
// in core/ops; an extension may bring its own.
#ifndef DOVETAIL_CORE_GRAPH_OP_INFO_H_
#define DOVETAIL_CORE_GRAPH_OP_INFO_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {

class InferContext;
class KernelContext;
class Model;
class Node;

// A set of opset numbers 1 … 31.
class OpsetRange {
 public:
  static constexpr int kLatest = 17;
  // first … last, both included.
  static constexpr OpsetRange Between(int first, int last) {
    return OpsetRange(((~0u << first) & ~(~0u << (last + 1))));
  }
  static constexpr OpsetRange Since(int first) {
    return Between(first, kLatest);
  }
  static constexpr OpsetRange None() { return OpsetRange(0); }

  constexpr OpsetRange operator|(OpsetRange other) const {
    return OpsetRange(bits_ | other.bits_);
  }
  constexpr bool Contains(int opset) const {
    return opset > 0 && opset < 32 && (bits_ >> opset & 1u) != 0;
  }
  // The lowest number in it; 0 when empty.
  constexpr int first() const { return bits_ == 0 ? 0 : __builtin_ctz(bits_); }

 private:
  explicit constexpr OpsetRange(uint32_t bits) : bits_(bits) {}
  uint32_t bits_;
};

// How many inputs or outputs: min … max, both included.
struct Arity {
  static constexpr int kAny = 1 << 20;
  int min;
  int max;
  constexpr bool Contains(int count) const {
    return min <= count && count <= max;
  }
};

// The element types that an operation is defined for: what its main input can
// be of. Checked before inference (after it where that is the type of an
// output), so that no inference function does; a type that is not known yet
// passes. What the other inputs can be of is inference's to check.
struct OpTypes {
  // The type spoken of is that of output 0: it comes out of an attribute.
  static constexpr int kOutput = -1;

  constexpr OpTypes() = default;
  // Implicit, so that a row just names a set.
  constexpr OpTypes(ElementTypeSet types, int of_input = 0)  // NOLINT
      : allowed(types), input(of_input) {}

  ElementTypeSet allowed;  // empty: any type
  int input = 0;           // whose type this is: an input's, or kOutput
};

// Infers types, shapes and, where it can, values of a node's outputs from its
// inputs and attributes. kInvalidArgument says which input or attribute is
// wrong and what would be right.
using InferFn = absl::Status (*)(InferContext& context);
// A kernel: computes outputs from inputs (core/reference/kernel.h).
using KernelFn = absl::Status (*)(KernelContext& context);
// Puts nodes of other operations in the place of `node`, which is gone then.
using DecomposeFn = absl::Status (*)(Model& model, Node& node);
using MakeAttributesFn = std::unique_ptr<Attributes> (*)();

template <typename T>
std::unique_ptr<Attributes> MakeAttributes() {
  return std::make_unique<T>();
}

// Traits of an operation, as bits of OpInfo::traits.
enum OpTrait : uint32_t {
  kNoTraits = 0,
  kHasSideEffect = 1u << 0,       // Assign: stays although nothing reads it
  kNondeterministic = 1u << 1,    // RandomUniform: neither folded nor merged
  kReadsState = 1u << 2,          // ReadValue
  kHasBodies = 1u << 3,           // If, Loop, TensorIterator
  kDataDependentShape = 1u << 4,  // the kernel decides the output's shape
  kReadsOnlyShape = 1u << 5,  // ShapeOf: elements of the input do not matter
  kCommutative = 1u << 6,     // Add: the two inputs may change places
  kStructural = 1u << 7,      // Parameter, Constant, Result: nothing to run
};

// What a row of an extension has beside those of the built-in table. The
// functions lie in the row, so that a device in a shared library, which has a
// table of its own, runs them all the same.
struct ExtensionOp {
  absl::string_view extension;  // which brings it: "sample_operations"
  absl::string_view build;      // a hash over the sources of that
  KernelFn kernel = nullptr;    // null: it has none but what it decomposes into
  DecomposeFn decompose = nullptr;  // null: it does not
};

struct OpInfo {
  absl::string_view type;     // "Softmax"
  int version;                // 8, as in OpenVINO's C++ namespaces
  absl::string_view ir_type;  // as an IR spells it: "SoftMax", "Const"
  OpsetRange opsets;          // where an IR can name this version
  Arity inputs;
  Arity outputs;
  MakeAttributesFn make_attributes;  // never null
  InferFn infer;                     // null: not implemented yet
  OpTypes types = {};
  uint32_t traits = kNoTraits;
  absl::string_view custom_opset = {};     // of an extension's operation
  const ExtensionOp* extension = nullptr;  // of the same; lives as the row does

  // "Softmax-8"
  std::string ToString() const;
  bool Has(OpTrait trait) const { return (traits & trait) != 0; }
};

// Operations are compared by value: a shared plugin has its own copy of the
// table.
inline bool operator==(const OpInfo& a, const OpInfo& b) {
  return a.type == b.type && a.version == b.version &&
         a.custom_opset == b.custom_opset;
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_OP_INFO_H_
