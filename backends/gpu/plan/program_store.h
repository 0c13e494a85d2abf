// The kernels of one compiled model: from an import, from a folder of the
// cache, or built.
#ifndef DOVETAIL_BACKENDS_GPU_PLAN_PROGRAM_STORE_H_
#define DOVETAIL_BACKENDS_GPU_PLAN_PROGRAM_STORE_H_

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/program/cl_program.h"
#include "dovetail/backends/gpu/program/kernel_source.h"
#include "dovetail/backends/gpu/program/program_cache.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"

namespace dovetail::gpu {

// A kernel and the program that it is in.
struct BuiltKernel {
  std::shared_ptr<const ClProgram> program;
  int index = 0;
};

// Plans for new shapes, and bodies, mostly have kernels that others had before
// them: each text is built once. Thread-safe.
class ProgramStore {
 public:
  // `folder` as of ProgramCache. Without one the process keeps what is built,
  // as RecentPrograms of `kept_text` bytes of source.
  ProgramStore(const std::string& folder, size_t kept_text)
      : cache_(folder), kept_text_(kept_text) {}

  struct Found {
    std::vector<BuiltKernel> kernels;  // one a source
    // What was built for those that were not there yet, by this store or, of
    // the same text, for another model: launches of other sizes may still have
    // something to compile.
    std::vector<std::shared_ptr<const ClProgram>> built;
  };
  // Binaries that do not fit, or are damaged, are passed over. Errors as of
  // ClProgram::Build.
  absl::StatusOr<Found> FindOrBuild(const std::shared_ptr<ClDevice>& device,
                                    absl::Span<const KernelSource> sources);

  // Each kernel of `built` has been launched once, behind which the driver has
  // nothing left to compile: writes it to the folder. Where that fails, a
  // warning in the log says why, once.
  void Store(const ClProgram& built) const;

  // A section for each program.
  absl::Status Export(BlobWriter& writer) const;
  // What Export has written; nothing where there is none. kDataLoss when the
  // list of them is damaged.
  absl::Status Import(const BlobReader& reader);

 private:
  // A program, and what tells each of its kernels from others.
  struct Program {
    std::shared_ptr<const ClProgram> program;
    std::vector<std::string> ids;
  };

  // Builds those, or finds them in the folder, or without a folder among what
  // the process has built lately; their ids.
  absl::Status Build(const std::shared_ptr<ClDevice>& device,
                     const std::vector<KernelSource>& sources,
                     std::vector<std::string> ids, Found& found);
  void Add(Program program);
  void Load(const std::shared_ptr<ClDevice>& device, const std::string& id);

  const ProgramCache cache_;
  const size_t kept_text_;
  mutable std::once_flag one_is_told_;
  mutable std::mutex mutex_;  // guards what follows
  std::vector<Program> programs_;
  std::map<std::string, BuiltKernel> kernels_;  // by id
  // Of an import: the sections by id, and the ids of each section.
  std::map<std::string, std::string> sections_;
  std::map<std::string, std::vector<std::string>> ids_;
  std::unique_ptr<BlobReader> source_;  // null: none
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PLAN_PROGRAM_STORE_H_
