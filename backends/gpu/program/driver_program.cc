#include "dovetail/backends/gpu/program/driver_program.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/driver/cl_status.h"
#include "dovetail/backends/gpu/program/build_error.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

std::string LogOf(const ClDevice& device, const Program& program) {
  const ClApi& api = device.api();
  size_t size = 0;
  if (api.GetProgramBuildInfo(program.get(), device.id(), CL_PROGRAM_BUILD_LOG,
                              0, nullptr, &size) != CL_SUCCESS) {
    return "";
  }
  std::string log(size, '\0');
  api.GetProgramBuildInfo(program.get(), device.id(), CL_PROGRAM_BUILD_LOG,
                          size, log.data(), nullptr);
  log.resize(std::min(log.size(), log.find('\0')));
  return log;
}

cl_int CallBuild(const ClDevice& device, const Program& program,
                 const char* flags) {
  const cl_device_id id = device.id();
  return device.api().BuildProgram(program.get(), 1, &id, flags, nullptr,
                                   nullptr);
}

// A context of the application may have several devices: a program has a binary
// of each.
absl::StatusOr<std::vector<cl_device_id>> DevicesOf(const ClApi& api,
                                                    const Program& program) {
  size_t bytes = 0;
  DOVETAIL_RETURN_IF_ERROR(ClStatus(
      api.GetProgramInfo(program.get(), CL_PROGRAM_DEVICES, 0, nullptr, &bytes),
      "clGetProgramInfo"));
  std::vector<cl_device_id> devices(bytes / sizeof(cl_device_id));
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api.GetProgramInfo(program.get(), CL_PROGRAM_DEVICES, bytes,
                                  devices.data(), nullptr),
               "clGetProgramInfo"));
  return devices;
}

}  // namespace

absl::StatusOr<Program> BuildFromSource(const ClDevice& device,
                                        const JoinedSource::Program& source,
                                        const std::string& flags) {
  const ClApi& api = device.api();
  const char* text = source.text.data();
  const size_t size = source.text.size();
  cl_int code = CL_SUCCESS;
  Program program(api, api.CreateProgramWithSource(device.context().get(), 1,
                                                   &text, &size, &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateProgramWithSource"));
  code = CallBuild(device, program, flags.c_str());
  if (code == CL_SUCCESS) return program;
  return Annotate(
      ClStatus(code, absl::StrCat("clBuildProgram with '", flags, "'")),
      absl::StrCat("'", device.traits().name, "' does not build",
                   BuildErrorMessage(source, LogOf(device, program))));
}

absl::StatusOr<Program> BuildFromBinary(const ClDevice& device,
                                        absl::string_view binary) {
  const ClApi& api = device.api();
  const cl_device_id id = device.id();
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  const size_t size = binary.size();
  cl_int accepted = CL_SUCCESS;
  cl_int code = CL_SUCCESS;
  Program program(
      api, api.CreateProgramWithBinary(device.context().get(), 1, &id, &size,
                                       &bytes, &accepted, &code));
  if (code == CL_SUCCESS) code = accepted;
  if (code == CL_SUCCESS) code = CallBuild(device, program, "");
  if (code == CL_SUCCESS) return program;
  return FailedPrecondition(
      "'", device.traits().name,
      "' refuses the binary of a program: ", ClCodeName(code));
}

absl::StatusOr<std::string> BinaryOf(const ClDevice& device,
                                     const Program& program) {
  const ClApi& api = device.api();
  DOVETAIL_ASSIGN_OR_RETURN(const auto devices, DevicesOf(api, program));
  std::vector<size_t> sizes(devices.size());
  DOVETAIL_RETURN_IF_ERROR(ClStatus(
      api.GetProgramInfo(program.get(), CL_PROGRAM_BINARY_SIZES,
                         sizes.size() * sizeof(size_t), sizes.data(), nullptr),
      "clGetProgramInfo"));
  const size_t own =
      std::find(devices.begin(), devices.end(), device.id()) - devices.begin();
  if (own == devices.size() || sizes[own] == 0) {
    return Unavailable("'", device.traits().name,
                       "' gives no binary of a program");
  }
  std::string binary(sizes[own], '\0');
  // Of null the driver writes nothing.
  std::vector<unsigned char*> bytes(devices.size(), nullptr);
  bytes[own] = reinterpret_cast<unsigned char*>(binary.data());
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api.GetProgramInfo(program.get(), CL_PROGRAM_BINARIES,
                                  bytes.size() * sizeof(unsigned char*),
                                  bytes.data(), nullptr),
               "clGetProgramInfo"));
  return binary;
}

}  // namespace dovetail::gpu
