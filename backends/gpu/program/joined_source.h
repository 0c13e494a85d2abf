// Kernels as the texts of programs: each once, a few dozen a program.
#ifndef DOVETAIL_BACKENDS_GPU_PROGRAM_JOINED_SOURCE_H_
#define DOVETAIL_BACKENDS_GPU_PROGRAM_JOINED_SOURCE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/backends/gpu/program/kernel_source.h"

namespace dovetail::gpu {

struct JoinedSource {
  struct Kernel {
    std::string name;    // of the function
    int first_line = 0;  // in the program's text, from 1
    int last_line = 0;
  };
  struct Program {
    std::string text;
    std::string binary;  // not empty: in place of the text
    std::vector<Kernel> kernels;

    // The kernel that a line belongs to, or null: a helper's.
    const Kernel* KernelAt(int line) const;
  };
  // Where kernel `i` of the span is.
  struct Place {
    int program = 0;
    std::string name;
  };

  std::vector<Program> programs;
  std::vector<Place> places;
};

// `max_kernels` (one at least) of a program. The same for the same kernels.
JoinedSource JoinSources(absl::Span<const KernelSource> sources,
                         int max_kernels);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PROGRAM_JOINED_SOURCE_H_
