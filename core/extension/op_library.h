// Description of a library of operations, the same whether a program links it
// or loads it when it runs: what extensions/custom_op makes of somebody's
// classes, and Core::AddExtension takes.
//
// As a file of its own it exports the C function dovetail_op_library and
// nothing else. It is made from the same headers of core, by the same compiler
// and with the same Abseil as the program that loads it.
#ifndef DOVETAIL_CORE_EXTENSION_OP_LIBRARY_H_
#define DOVETAIL_CORE_EXTENSION_OP_LIBRARY_H_

#include "absl/types/span.h"
#include "dovetail/core/graph/op_info.h"
#include "dovetail/core/plugin/registry/manifest.h"

namespace dovetail {

// A kernel in the place of that of an operation of the built-in table.
struct ReplacedKernel {
  absl::string_view type;  // "Gelu"
  int version;             // 7
  KernelFn kernel;
};

// The head's name is that of the extension: "sample_operations". Everything in
// it lives as long as the process.
struct OpLibrary : ManifestHead {
  // Rows with a custom_opset, with inference and an `extension`.
  absl::Span<const OpInfo* const> operations;
  absl::Span<const ReplacedKernel> kernels;
};

// The name of the function of a shared library and its type.
inline constexpr char kOpLibraryFunction[] = "dovetail_op_library";
using OpLibraryFunction = const OpLibrary* (*)();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXTENSION_OP_LIBRARY_H_
