// Built programs in a folder, so that a model's kernels are compiled once.
#ifndef DOVETAIL_BACKENDS_GPU_PROGRAM_PROGRAM_CACHE_H_
#define DOVETAIL_BACKENDS_GPU_PROGRAM_PROGRAM_CACHE_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/program/build_options.h"
#include "dovetail/backends/gpu/program/cl_program.h"
#include "dovetail/backends/gpu/program/kernel_source.h"
#include "dovetail/core/cache/cache_folder.h"

namespace dovetail::gpu {

// Nothing that happens to the folder makes an error: what cannot be read is
// built from source and stored again, what cannot be stored is not.
// Thread-safe, also for several processes with one folder.
class ProgramCache {
 public:
  // "" for none: always builds. `size_limit` as of CacheFolder.
  explicit ProgramCache(const std::string& folder, uint64_t size_limit = 0);

  bool has_folder() const { return folder_.has_value(); }

  struct Found {
    std::shared_ptr<const ClProgram> program;
    bool from_cache = false;
  };
  // Errors as of ClProgram::Build. What was built is not stored yet: Store it
  // when each kernel was launched once, as some drivers compile only then.
  absl::StatusOr<Found> FindOrBuild(const std::shared_ptr<ClDevice>& device,
                                    absl::Span<const KernelSource> sources,
                                    const BuildOptions& options = {}) const;

  // Why the program was not stored; most callers have no use for it.
  absl::Status Store(const ClProgram& program) const;

 private:
  absl::StatusOr<std::shared_ptr<const ClProgram>> Find(
      const std::shared_ptr<ClDevice>& device, const std::string& key) const;

  std::optional<CacheFolder> folder_;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PROGRAM_PROGRAM_CACHE_H_
