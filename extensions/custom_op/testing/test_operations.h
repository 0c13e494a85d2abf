// Operations of a library for tests: some good ones, some that misbehave.
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_OP_TESTING_TEST_OPERATIONS_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_OP_TESTING_TEST_OPERATIONS_H_

#include "dovetail/core/extension/op_library.h"

namespace dovetail {

// Of opset "test": Squash (f32, i32; attributes scale and rounded), Halve
// (a formula, no kernel), Twice (a kernel and a formula, which differ: 2x and
// 2x + 0), Where (of i64: the addresses of its input and output), Misbehave
// (attribute how: none, throw, throw_int, error, shape, unset, infer_throw,
// infer_error, outputs); and a kernel of Gelu-7 that gives x + 100.
const OpLibrary& TestOperations();

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_OP_TESTING_TEST_OPERATIONS_H_
