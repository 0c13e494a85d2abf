// The table of emitters. Each family of operations has its rows in a file of
// its own (convolution/table.cc, …); this is where they come together.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_TABLE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_TABLE_H_

#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/compiler/compile_plan.h"

namespace dovetail::cpu {

// Whether the operation has steps of this backend's own; any other runs by its
// reference kernel.
bool HasEmitter(absl::string_view type);

// The tables that the compiler needs.
const CompilerTables& AllTables();

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_TABLE_H_
