// The programs of one compiled model: from an import, from a folder of the
// cache, or built.
#ifndef DOVETAIL_BACKENDS_GPU_PLAN_PROGRAM_STORE_H_
#define DOVETAIL_BACKENDS_GPU_PLAN_PROGRAM_STORE_H_

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

// Thread-safe.
class ProgramStore {
 public:
  // `folder` as of ProgramCache.
  explicit ProgramStore(const std::string& folder) : cache_(folder) {}

  // Binaries that do not fit, or are damaged, are passed over. Errors as of
  // ClProgram::Build.
  absl::StatusOr<ProgramCache::Found> FindOrBuild(
      const std::shared_ptr<ClDevice>& device,
      absl::Span<const KernelSource> sources);

  // Each kernel has been launched once, behind which the driver has nothing
  // left to compile: keeps the program for Export, and where `is_new` in the
  // folder.
  void Keep(std::shared_ptr<const ClProgram> program, bool is_new);

  // One section for each program that is kept.
  absl::Status Export(BlobWriter& writer) const;
  // What Export has written; nothing where there is none. kDataLoss when the
  // list of them is damaged.
  absl::Status Import(const BlobReader& reader);

 private:
  absl::StatusOr<std::shared_ptr<const ClProgram>> FindImported(
      const std::shared_ptr<ClDevice>& device, const std::string& key);

  const ProgramCache cache_;
  mutable std::mutex mutex_;  // guards what follows
  std::vector<std::shared_ptr<const ClProgram>> kept_;
  std::map<std::string, std::string> imported_;  // sections by key
  std::unique_ptr<BlobReader> source_;           // of these; null: none
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PLAN_PROGRAM_STORE_H_
