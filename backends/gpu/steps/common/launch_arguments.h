// What launches of all families share: arguments with their values, operands,
// and work items that find their places.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_COMMON_LAUNCH_ARGUMENTS_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_COMMON_LAUNCH_ARGUMENTS_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::gpu {

// The unsigned integer that moves elements of a format's type.
absl::string_view ClMoved(ElementType type);

// An operand as the launch's next input (or output), which the kernel knows as
// `name`, of OpenCL C's type.
void AddInput(Launch& launch, absl::string_view name, absl::string_view type,
              const Operand& operand);
void AddOutput(Launch& launch, absl::string_view name, absl::string_view type,
               const Operand& operand);
// An int argument with its value, below 2^31.
void AddInt(Launch& launch, absl::string_view name, int64_t value);
// A number as an argument of its type.
void AddScalar(Launch& launch, absl::string_view name,
               const ScalarArgument& value);

// One work item for each number below the argument `items`: the body begins
// with it, an int of that name. After all operands have been added. Heavy items
// are groups of their own on processors.
void AddItems(Launch& launch, const PlanBuilder& builder, int64_t items,
              absl::string_view name = "i", bool is_heavy = false);

// How runs of elements that lie side by side are cut among work items: item i
// has the elements [first, first + n) of run number r.
void AddRuns(Launch& launch, const PlanBuilder& builder, int64_t runs,
             int64_t run);

// Adds a function `copy_run(from, to, n)` for elements of that type to the
// writer, and gives its name.
std::string CopyRun(Launch& launch, const PlanBuilder& builder,
                    absl::string_view type);
// The same for `fill_run(value, to, n)`.
std::string FillRun(Launch& launch, const PlanBuilder& builder,
                    absl::string_view type);

// Whether kernels read elements of that type as indices.
bool IsIndexType(ElementType type);

// "<name>_<type>" and the like.
std::string KernelName(absl::string_view name, ElementType type);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_COMMON_LAUNCH_ARGUMENTS_H_
