// Layer times of a real processor, as tables.
#ifndef DOVETAIL_BENCH_VPU_DUMP_H_
#define DOVETAIL_BENCH_VPU_DUMP_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/compiler/network.h"

namespace dovetail::vpu {

struct Dump {
  Network network;
  std::vector<double>
      microseconds;  // of each layer; 0 where the table has none
};

// Reads a table of tab-separated values with the columns of layer times. A
// table has no edges: a layer reads the last one before it whose output has its
// input's shape, one that nobody has read yet if there is; where the outputs
// that nobody has read make up its channels, they are concatenated for it.
// Layers of a table stand where their first stage ran, which may be before
// their inputs: they move behind these. kInvalidArgument, with the line, for a
// number that is none.
absl::StatusOr<Dump> ParseDump(absl::string_view text);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BENCH_VPU_DUMP_H_
