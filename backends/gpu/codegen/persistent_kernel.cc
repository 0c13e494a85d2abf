#include "dovetail/backends/gpu/codegen/persistent_kernel.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/group_text.h"

namespace dovetail::gpu {
namespace {

// What a kernel of KernelWriter's has where its arguments begin.
constexpr absl::string_view kBegin = "void KERNEL_NAME(";

// Kernels ask for their item by functions, which know of the driver's range
// alone. `__sync` is not OpenCL C, but drivers for processors compile with
// clang, and version 1.2 of the language orders no memory between groups.
constexpr char kPrologue[] = R"(
#define get_global_id(axis) item_id##axis
#define get_global_size(axis) item_size##axis
#ifdef __clang__
#define KERNEL_NAME_ADD(to, count) __sync_fetch_and_add(to, count)
#define KERNEL_NAME_FENCE() __sync_synchronize()
#else
#define KERNEL_NAME_ADD(to, count) atomic_add(to, count)
#define KERNEL_NAME_FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif
)";

constexpr char kItem[] =
    "static inline __attribute__((always_inline)) void KERNEL_NAME(\n"
    "    const int item_id0, const int item_id1, const int item_id2,\n"
    "    const int item_size0, const int item_size1, const int item_size2,";

// Units of a step of function $0. Functions of their own, as a compiler takes
// long for one that has all of them. $1: declarations of operands, $2: these
// as arguments.
constexpr char kUnits[] = R"(
__attribute__((noinline)) void KERNEL_NAME_units$0(
    __global char* const* buffers, __global const int* step, int unit,
    int last) {
  const int size0 = step[4], size1 = step[5], size2 = step[6];
$1  int item = unit * step[2];
  const int end = last == step[1] ? step[3] : last * step[2];
  while (item < end) {
    const int first = item % size0, row = item / size0;
    const int count = min(size0 - first, end - item);
    for (int i = 0; i < count; ++i) {
      KERNEL_NAME_item$0(first + i, row % size1, row / size1, size0, size1,
                         size2$2);
    }
    item += count;
  }
}
)";

// $0: buffers as parameters, $1: as a list, $2: the cases of the functions.
// Of what is left of a slot a group takes a quarter at a time: few takings, and
// small ones at the end. A group that waits for long, some 50 us, gives its
// thread back, as another program may have the processor of who it waits for.
// The last group leaves the state as it was.
constexpr char kKernel[] = R"(
static void KERNEL_NAME_run(__global char* const* buffers,
                            __global const int* step, int unit, int last) {
  switch (step[0]) {
$2  }
}
static int KERNEL_NAME_slot(__global char* const* buffers,
                            __global const int* step, int begin, int end,
                            volatile __global int* next) {
  int done = 0;
  for (;;) {
    const int left = end - begin - *next;
    if (left <= 0) break;
    const int count = (left + 3) / 4;
    const int at = begin + KERNEL_NAME_ADD(next, count);
    if (at >= end) break;
    const int last = min(at + count, end);
    KERNEL_NAME_run(buffers, step, at, last);
    done += last - at;
  }
  return done;
}
__kernel GROUP_OF_ONE void KERNEL_NAME(
$0    __global const int* steps, volatile __global int* state,
    const int16 numbers) {
  __global char* const buffers[] = {$1};
  const int first = numbers.s0, count = numbers.s1, slots = numbers.s2;
  const int stride = numbers.s3;
  volatile __global int* const done = state + 2 * $3;
  const int own = KERNEL_NAME_ADD(state, 1);
  for (int s = 0; s < count; ++s) {
    __global const int* const step = steps + steps[first + s];
    const int units = step[1];
    int mine = 0;
    for (int i = 0; i < slots; ++i) {
      const int slot = (own + i) % slots;
      mine += KERNEL_NAME_slot(buffers, step, (long)units * slot / slots,
                               (long)units * (slot + 1) / slots,
                               done + stride * (slot + 1) + s);
    }
    if (mine > 0) KERNEL_NAME_ADD(done + s, mine);
    int spins = 0;
    while (done[s] != units && ++spins < (1 << 15)) {}
    if (done[s] != units) break;
    KERNEL_NAME_FENCE();
  }
  if (KERNEL_NAME_ADD(state + $3, 1) + 1 < numbers.s4) return;
  for (int i = 0; i < stride * (slots + 1); ++i) done[i] = 0;
  state[0] = state[$3] = 0;
}
)";

constexpr char kEpilogue[] = R"(
#undef get_global_id
#undef get_global_size
)";

std::string ItemFunction(const KernelSource& source, int number) {
  const size_t arguments =
      absl::string_view(source.text).find(kBegin) + kBegin.size();
  return absl::StrReplaceAll(
      absl::StrCat(kItem, source.text.substr(arguments)),
      {{"KERNEL_NAME", absl::StrCat("KERNEL_NAME_item", number)}});
}

std::string UnitsFunction(const KernelSource& source, int number) {
  std::string declarations, arguments;
  int operand = 0;
  for (const std::string& type : source.buffer_types) {
    const int at = sizeof(StepEntry) / sizeof(int32_t) + 2 * operand;
    absl::StrAppend(&declarations, "  __global ", type, "* const buffer",
                    operand, " = (__global ", type, "*)buffers[step[", at,
                    "]];\n  const int at", operand, " = step[", at + 1, "];\n");
    absl::StrAppend(&arguments, ", buffer", operand, ", at", operand);
    ++operand;
  }
  for (int i = 0; i < source.number_vectors; ++i) {
    absl::StrAppend(&declarations, "  const int16 numbers", i, " = vload16(", i,
                    ", step + step[7]);\n");
    absl::StrAppend(&arguments, ", numbers", i);
  }
  return absl::Substitute(kUnits, number, declarations, arguments);
}

}  // namespace

bool CanBeStep(const KernelSource& source) {
  return !source.buffer_types.empty() && !source.is_alone();
}

KernelSource PersistentKernel(absl::Span<const KernelSource* const> sources,
                              int buffers) {
  KernelSource kernel;
  kernel.name = "persistent";
  kernel.helpers = {kGroupOfOne};
  kernel.text = kPrologue;
  std::string cases, parameters, list;
  int number = 0;
  for (const KernelSource* const source : sources) {
    kernel.helpers.insert(kernel.helpers.end(), source->helpers.begin(),
                          source->helpers.end());
    absl::StrAppend(&kernel.text, ItemFunction(*source, number),
                    UnitsFunction(*source, number));
    absl::StrAppend(&cases, "    case ", number, ": KERNEL_NAME_units", number,
                    "(buffers, step, unit, last); break;\n");
    ++number;
  }
  for (int i = 0; i < buffers; ++i) {
    absl::StrAppend(&parameters, "    __global char* buffer", i, ",\n");
    absl::StrAppend(&list, i == 0 ? "" : ", ", "buffer", i);
  }
  absl::StrAppend(
      &kernel.text,
      absl::Substitute(kKernel, parameters, list, cases, kStatePadding),
      kEpilogue);
  return kernel;
}

}  // namespace dovetail::gpu
