#include "dovetail/backends/gpu/program/cl_program.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/driver/cl_status.h"
#include "dovetail/backends/gpu/program/driver_program.h"
#include "dovetail/backends/gpu/program/program_binary.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/checksum.h"

namespace dovetail::gpu {
namespace {

std::string KeyOf(const ClDevice& device, const JoinedSource& joined,
                  const BuildOptions& options) {
  std::string text =
      absl::StrCat(kBinaryFormatVersion, "\n", device.traits().BinaryIdentity(),
                   "\n", options.flags, "\n");
  for (const JoinedSource::Program& program : joined.programs) {
    absl::StrAppend(&text, program.text.size(), "\n", program.text);
    if (program.binary.empty()) continue;
    absl::StrAppend(&text, "binary ", HexHash128(program.binary), "\n");
  }
  // Two models with the same kernels may have them in different orders.
  for (const JoinedSource::Place& place : joined.places) {
    absl::StrAppend(&text, place.program, " ", place.name, "\n");
  }
  return HexHash128(text);
}

}  // namespace

std::string ClProgram::Key(const ClDevice& device,
                           absl::Span<const KernelSource> sources,
                           const BuildOptions& options) {
  return KeyOf(device, JoinSources(sources, options.max_kernels_per_program),
               options);
}

absl::StatusOr<std::shared_ptr<const ClProgram>> ClProgram::Build(
    std::shared_ptr<ClDevice> device, absl::Span<const KernelSource> sources,
    const BuildOptions& options) {
  if (options.max_kernels_per_program < 1) {
    return InvalidArgument("max_kernels_per_program is ",
                           options.max_kernels_per_program,
                           "; it has to be one at least");
  }
  JoinedSource joined = JoinSources(sources, options.max_kernels_per_program);
  std::shared_ptr<ClProgram> built(new ClProgram);
  for (const JoinedSource::Program& source : joined.programs) {
    DOVETAIL_ASSIGN_OR_RETURN(
        Program program,
        source.binary.empty() ? BuildFromSource(*device, source, options.flags)
                              : BuildFromBinary(*device, source.binary));
    built->programs_.push_back(std::move(program));
  }
  built->key_ = KeyOf(*device, joined, options);
  built->places_ = std::move(joined.places);
  built->device_ = std::move(device);
  return built;
}

absl::StatusOr<std::shared_ptr<const ClProgram>> ClProgram::FromBinary(
    std::shared_ptr<ClDevice> device, absl::string_view bytes) {
  DOVETAIL_ASSIGN_OR_RETURN(ProgramBinary binary, ParseProgramBinary(bytes));
  const std::string identity = device->traits().BinaryIdentity();
  if (binary.device != identity) {
    return FailedPrecondition("the binary is of '", binary.device,
                              "', the device is '", identity, "'");
  }
  std::shared_ptr<ClProgram> built(new ClProgram);
  for (const std::string& code : binary.programs) {
    DOVETAIL_ASSIGN_OR_RETURN(Program program, BuildFromBinary(*device, code));
    built->programs_.push_back(std::move(program));
  }
  built->key_ = std::move(binary.key);
  built->places_ = std::move(binary.places);
  built->device_ = std::move(device);
  return built;
}

absl::StatusOr<std::string> ClProgram::Binary() const {
  ProgramBinary binary;
  binary.device = device_->traits().BinaryIdentity();
  binary.key = key_;
  binary.places = places_;
  for (const Program& program : programs_) {
    DOVETAIL_ASSIGN_OR_RETURN(std::string code, BinaryOf(*device_, program));
    binary.programs.push_back(std::move(code));
  }
  return WriteProgramBinary(binary);
}

absl::StatusOr<Kernel> ClProgram::NewKernel(int index) const {
  if (index < 0 || index >= kernel_count()) {
    return OutOfRange("kernel ", index, " of a program that has ",
                      kernel_count());
  }
  const JoinedSource::Place& place = places_[index];
  const ClApi& api = device_->api();
  cl_int code = CL_SUCCESS;
  Kernel kernel(api, api.CreateKernel(programs_[place.program].get(),
                                      place.name.c_str(), &code));
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(code, absl::StrCat("clCreateKernel of '", place.name, "'")));
  return kernel;
}

}  // namespace dovetail::gpu
