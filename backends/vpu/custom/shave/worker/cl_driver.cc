#include "dovetail/backends/vpu/custom/shave/worker/cl_driver.h"

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/opencl/cl_status.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

using opencl::ClApi;
using opencl::ClStatus;

// Of globals of a program, which the prelude counts bytes in.
constexpr char kOptions[] = "-cl-std=CL2.0";

absl::StatusOr<cl_device_id> FindProcessor(const ClApi& api) {
  cl_uint count = 0;
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api.GetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs"));
  std::vector<cl_platform_id> platforms(count);
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api.GetPlatformIDs(count, platforms.data(), nullptr),
               "clGetPlatformIDs"));
  for (const cl_platform_id platform : platforms) {
    cl_device_id device = nullptr;
    if (api.GetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr) ==
        CL_SUCCESS) {
      return device;
    }
  }
  return Unavailable("custom kernels run on an OpenCL driver for processors, ",
                     "such as PoCL, and none of ", opencl::RegisteredDrivers(),
                     " has one");
}

std::string LogOf(const ClApi& api, cl_program program, cl_device_id device) {
  size_t bytes = 0;
  if (api.GetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr,
                              &bytes) != CL_SUCCESS) {
    return "no log";
  }
  std::string log(bytes, '\0');
  api.GetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes,
                          log.data(), nullptr);
  return std::string(absl::StripAsciiWhitespace(log.substr(0, log.find('\0'))));
}

std::string DeviceText(const ClDriver& driver, cl_device_info what) {
  size_t bytes = 0;
  if (driver.api->GetDeviceInfo(driver.device, what, 0, nullptr, &bytes) !=
      CL_SUCCESS) {
    return "";
  }
  std::string text(bytes, '\0');
  driver.api->GetDeviceInfo(driver.device, what, bytes, text.data(), nullptr);
  return text.substr(0, text.find('\0'));
}

}  // namespace

absl::StatusOr<ClDriver> ClDriver::Open(const std::string& prelude) {
  ClDriver driver;
  DOVETAIL_ASSIGN_OR_RETURN(driver.api, opencl::LoadClApi());
  DOVETAIL_ASSIGN_OR_RETURN(driver.device, FindProcessor(*driver.api));
  cl_int code = CL_SUCCESS;
  driver.context = opencl::Context(
      *driver.api, driver.api->CreateContext(nullptr, 1, &driver.device,
                                             nullptr, nullptr, &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateContext"));
  const auto built = driver.Build(prelude);
  if (built.ok()) return driver;
  return Unavailable("custom kernels need an OpenCL driver whose compiler ",
                     "takes numbers of half precision, such as PoCL 3.1: ",
                     built.status().message());
}

std::string ClDriver::Name() const {
  return absl::StrCat(DeviceText(*this, CL_DEVICE_NAME), "; ",
                      DeviceText(*this, CL_DEVICE_VERSION), "; ",
                      DeviceText(*this, CL_DRIVER_VERSION));
}

absl::StatusOr<opencl::Program> ClDriver::Build(const std::string& text) const {
  const char* source = text.c_str();
  const size_t length = text.size();
  cl_int code = CL_SUCCESS;
  opencl::Program program(*api, api->CreateProgramWithSource(
                                    context.get(), 1, &source, &length, &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateProgramWithSource"));
  code =
      api->BuildProgram(program.get(), 1, &device, kOptions, nullptr, nullptr);
  if (code == CL_SUCCESS) return program;
  return InvalidArgument("it does not compile: ",
                         LogOf(*api, program.get(), device));
}

absl::StatusOr<opencl::Program> ClDriver::Load(absl::string_view binary) const {
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  const size_t size = binary.size();
  cl_int state = CL_SUCCESS, code = CL_SUCCESS;
  opencl::Program program(
      *api, api->CreateProgramWithBinary(context.get(), 1, &device, &size,
                                         &bytes, &state, &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateProgramWithBinary"));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(state, "clCreateProgramWithBinary"));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(
      api->BuildProgram(program.get(), 1, &device, kOptions, nullptr, nullptr),
      "clBuildProgram"));
  return program;
}

absl::StatusOr<std::string> ClDriver::Binary(
    const opencl::Program& program) const {
  size_t size = 0;
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api->GetProgramInfo(program.get(), CL_PROGRAM_BINARY_SIZES,
                                   sizeof(size), &size, nullptr),
               "clGetProgramInfo"));
  std::string binary(size, '\0');
  unsigned char* bytes = reinterpret_cast<unsigned char*>(binary.data());
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api->GetProgramInfo(program.get(), CL_PROGRAM_BINARIES,
                                   sizeof(bytes), &bytes, nullptr),
               "clGetProgramInfo"));
  return binary;
}

absl::StatusOr<opencl::Kernel> ClDriver::NewKernel(
    const opencl::Program& program, const char* entry) const {
  cl_int code = CL_SUCCESS;
  opencl::Kernel kernel(*api, api->CreateKernel(program.get(), entry, &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateKernel"));
  return kernel;
}

absl::StatusOr<opencl::Mem> ClDriver::NewMemory(void* memory,
                                                size_t bytes) const {
  cl_int code = CL_SUCCESS;
  opencl::Mem made(
      *api, api->CreateBuffer(context.get(),
                              CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes,
                              memory, &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateBuffer"));
  return made;
}

absl::StatusOr<opencl::CommandQueue> ClDriver::NewQueue() const {
  cl_int code = CL_SUCCESS;
  opencl::CommandQueue queue(
      *api, api->CreateCommandQueue(context.get(), device, 0, &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateCommandQueue"));
  return queue;
}

}  // namespace dovetail::vpu
