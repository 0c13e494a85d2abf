// The table of emitters. Each family of operations has its rows in a file of
// its own (convolution/table.cc, …); this is where they come together.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_TABLE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_TABLE_H_

#include <string>

#include "dovetail/backends/cpu/compiler/compile_plan.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail::cpu {

// Whether the operation has steps of this backend's own, for some of its forms
// at least; any other runs by its reference kernel. What is no computation
// (parameters, constants, results) needs none.
bool IsNative(const OpInfo& op);
// The operations of which it is so: "Abs-0 Acos-0 …".
std::string NativeOperations();

// The tables that the compiler needs.
const CompilerTables& AllTables();

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_TABLE_H_
