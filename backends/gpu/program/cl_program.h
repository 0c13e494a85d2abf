// Kernels that are built for a device.
#ifndef DOVETAIL_BACKENDS_GPU_PROGRAM_CL_PROGRAM_H_
#define DOVETAIL_BACKENDS_GPU_PROGRAM_CL_PROGRAM_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/driver/handle.h"
#include "dovetail/backends/gpu/program/build_options.h"
#include "dovetail/backends/gpu/program/joined_source.h"
#include "dovetail/backends/gpu/program/kernel_source.h"

namespace dovetail::gpu {

// All the kernels of a model, in as few programs of the driver as will do.
// Thread-safe; drivers compile one program at a time. Kernels outlive it.
class ClProgram {
 public:
  // kInternal when a text does not build: the kernel, the text around the error
  // and the driver's log. kInvalidArgument for a max_kernels_per_program below
  // one. No sources are a program without kernels.
  static absl::StatusOr<std::shared_ptr<const ClProgram>> Build(
      std::shared_ptr<ClDevice> device, absl::Span<const KernelSource> sources,
      const BuildOptions& options = {});

  // What Binary() gave, for the same device and driver: kFailedPrecondition
  // with what differs, or when the driver refuses it. kDataLoss when the bytes
  // are damaged. Build from source then.
  static absl::StatusOr<std::shared_ptr<const ClProgram>> FromBinary(
      std::shared_ptr<ClDevice> device, absl::string_view bytes);

  // For keys of caches: 32 hexadecimal digits of everything that the binary of
  // these sources depends on; max_kernels_per_program is one at least.
  static std::string Key(const ClDevice& device,
                         absl::Span<const KernelSource> sources,
                         const BuildOptions& options);

  // A kernel of its own, without arguments, of sources[index]; each request has
  // its own, as a launch takes the arguments that are set. kOutOfRange.
  absl::StatusOr<Kernel> NewKernel(int index) const;
  int kernel_count() const { return static_cast<int>(places_.size()); }
  // The function's name of sources[index].
  const std::string& kernel_name(int index) const {
    return places_[index].name;
  }

  // The compiled form. Some drivers finish compiling at the first launch of a
  // kernel: fetched after that, it has this in it as well.
  absl::StatusOr<std::string> Binary() const;

  // As Key() says it.
  const std::string& key() const { return key_; }
  const std::shared_ptr<ClDevice>& device() const { return device_; }

 private:
  ClProgram() = default;

  std::shared_ptr<ClDevice> device_;
  std::string key_;
  std::vector<Program> programs_;
  std::vector<JoinedSource::Place> places_;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PROGRAM_CL_PROGRAM_H_
