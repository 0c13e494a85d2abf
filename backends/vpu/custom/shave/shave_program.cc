#include "dovetail/backends/vpu/custom/shave/shave_program.h"

#include <mutex>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/common/opencl/cl_status.h"
#include "dovetail/backends/vpu/custom/shave/child_process.h"
#include "dovetail/backends/vpu/custom/source/counted_source.h"
#include "dovetail/backends/vpu/custom/source/prelude.h"
#include "dovetail/backends/vpu/custom/source/signature.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/checksum.h"
#include "dovetail/extensions/custom_kernels/includes.h"
#include "dovetail/extensions/custom_kernels/shave/kernel_file.h"

namespace dovetail::vpu {
namespace {

using opencl::ClApi;
using opencl::ClStatus;

// Of globals of a program, which the prelude counts bytes in.
constexpr char kOptions[] = "-cl-std=CL2.0";
constexpr char kEntry[] = "dovetail_run_group";
constexpr char kFirst[] =
    "  if (get_local_id(0) + get_local_id(1) + get_local_id(2) == 0) ";
constexpr char kBarrier[] =
    "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n";

// The first processor among all devices.
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

absl::StatusOr<opencl::Program> BuildText(const ClApi& api,
                                          const opencl::Context& context,
                                          cl_device_id device,
                                          const std::string& text) {
  const char* source = text.c_str();
  const size_t length = text.size();
  cl_int code = CL_SUCCESS;
  opencl::Program program(api, api.CreateProgramWithSource(
                                   context.get(), 1, &source, &length, &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateProgramWithSource"));
  code =
      api.BuildProgram(program.get(), 1, &device, kOptions, nullptr, nullptr);
  if (code == CL_SUCCESS) return program;
  return InvalidArgument("it does not compile: ",
                         LogOf(api, program.get(), device));
}

struct Processor {
  const ClApi* api = nullptr;
  cl_device_id device = nullptr;
  opencl::Context context;
};

absl::StatusOr<Processor> OpenProcessor() {
  Processor processor;
  DOVETAIL_ASSIGN_OR_RETURN(processor.api, opencl::LoadClApi());
  DOVETAIL_ASSIGN_OR_RETURN(processor.device, FindProcessor(*processor.api));
  cl_int code = CL_SUCCESS;
  processor.context = opencl::Context(
      *processor.api,
      processor.api->CreateContext(nullptr, 1, &processor.device, nullptr,
                                   nullptr, &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateContext"));
  const auto prelude =
      BuildText(*processor.api, processor.context, processor.device, kPrelude);
  if (prelude.ok()) return processor;
  return Unavailable("custom kernels need an OpenCL driver whose compiler ",
                     "takes numbers of half precision, such as PoCL 3.1: ",
                     prelude.status().message());
}

// One a process, so that kernels share buffers; the next call looks again where
// there was none.
absl::StatusOr<Processor> SharedProcessor() {
  static auto& mutex = *new std::mutex;
  static auto& shared = *new std::optional<Processor>;
  std::lock_guard<std::mutex> lock(mutex);
  if (!shared.has_value()) {
    DOVETAIL_ASSIGN_OR_RETURN(shared, OpenProcessor());
  }
  return *shared;
}

std::string DeviceText(const Processor& processor, cl_device_info what) {
  size_t bytes = 0;
  if (processor.api->GetDeviceInfo(processor.device, what, 0, nullptr,
                                   &bytes) != CL_SUCCESS) {
    return "";
  }
  std::string text(bytes, '\0');
  processor.api->GetDeviceInfo(processor.device, what, bytes, text.data(),
                               nullptr);
  return text.substr(0, text.find('\0'));
}

// What a binary depends on beside its source.
std::string CompilerOf(const Processor& processor) {
  return absl::StrCat(DeviceText(processor, CL_DEVICE_NAME), "; ",
                      DeviceText(processor, CL_DEVICE_VERSION), "; ",
                      DeviceText(processor, CL_DRIVER_VERSION), "; ",
                      HexHash128(kPrelude));
}

absl::StatusOr<opencl::Program> LoadBinary(const Processor& processor,
                                           const std::string& binary) {
  const ClApi& api = *processor.api;
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  const size_t size = binary.size();
  cl_int state = CL_SUCCESS, code = CL_SUCCESS;
  opencl::Program program(
      api,
      api.CreateProgramWithBinary(processor.context.get(), 1, &processor.device,
                                  &size, &bytes, &state, &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateProgramWithBinary"));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(state, "clCreateProgramWithBinary"));
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api.BuildProgram(program.get(), 1, &processor.device, kOptions,
                                nullptr, nullptr),
               "clBuildProgram"));
  return program;
}

// Of a compiled kernel what it holds; of sources only the text.
absl::StatusOr<ShaveKernelFile> FileOf(const ShaveKernel& kernel) {
  ShaveKernelFile file;
  file.entry = kernel.entry;
  for (const CustomSource& source : kernel.sources) {
    if (!IsShaveKernelFile(source.text)) {
      absl::StrAppend(&file.text, LineDirective(1, source.name), source.text,
                      "\n");
      continue;
    }
    DOVETAIL_ASSIGN_OR_RETURN(file, ReadShaveKernelFile(source.text));
    if (file.entry == kernel.entry) return file;
    return InvalidArgument(source.name, " is kernel '", file.entry, "', not '",
                           kernel.entry, "'");
  }
  return file;
}

// A call of a side kernel, which one item of the group makes; none where the
// source has no such function.
absl::StatusOr<std::string> SideCall(const std::string& source,
                                     const std::string& entry,
                                     const Signature& signature) {
  const std::optional<Signature> side = FindSignature(source, entry);
  if (!side.has_value()) return "";
  if (side->names.size() != signature.names.size()) {
    return InvalidArgument("its side kernel ", entry, " has ",
                           side->names.size(), " parameters; want the same ",
                           signature.names.size());
  }
  return absl::StrCat(kFirst, entry, "(", absl::StrJoin(signature.names, ", "),
                      ");\n", kBarrier);
}

absl::StatusOr<std::string> GroupText(const std::string& source,
                                      const std::string& entry,
                                      const Signature& signature) {
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::string before,
      SideCall(source, absl::StrCat("__dma_preload_", entry), signature));
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::string behind,
      SideCall(source, absl::StrCat("__dma_postwrite_", entry), signature));
  return absl::StrCat(
      LineDirective(1, "dovetail"), "kernel void ", kEntry, "(",
      signature.parameters, signature.parameters.empty() ? "" : ", ",
      "global ulong* dovetail_memory) {\n  dovetail_begin(dovetail_memory);\n",
      before, "  ", entry, "(", absl::StrJoin(signature.names, ", "), ");\n",
      kBarrier, behind, "}\n");
}

// First in another process: compilers of drivers crash over some texts that are
// wrong. What went well there, drivers find in their caches here.
absl::StatusOr<opencl::Program> BuildKernel(const Processor& processor,
                                            const std::string& source,
                                            const std::string& entry,
                                            const Signature& signature) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::string group,
                            GroupText(source, entry, signature));
  const auto build = [&](const std::string& text) {
    return BuildText(*processor.api, processor.context, processor.device,
                     absl::StrCat(kPrelude, text, group));
  };
  const std::string counted = CountedSource(source);
  const ChildOutcome tried = RunInChild([&]() -> std::string {
    const absl::Status status = build(counted).status();
    if (status.ok()) return "";
    // The source as it is has the clearer log.
    const absl::Status plain = build(source).status();
    return std::string((plain.ok() ? status : plain).message());
  });
  if (tried.end == ChildOutcome::End::kCrashed) {
    return InvalidArgument("the driver's compiler crashed over it: ",
                           tried.text);
  }
  if (tried.end == ChildOutcome::End::kDone && !tried.text.empty()) {
    return InvalidArgument(tried.text);
  }
  return build(counted);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const ShaveProgram>> ShaveProgram::Build(
    const ShaveKernel& kernel) {
  DOVETAIL_ASSIGN_OR_RETURN(const Processor processor, SharedProcessor());
  DOVETAIL_ASSIGN_OR_RETURN(const ShaveKernelFile file, FileOf(kernel));
  const std::optional<Signature> signature =
      FindSignature(file.text, kernel.entry);
  if (!signature.has_value()) {
    return InvalidArgument("no source has a function 'void ", kernel.entry,
                           "(...)'");
  }
  std::shared_ptr<ShaveProgram> program(new ShaveProgram);
  program->context_ = processor.context;
  program->device_ = processor.device;
  program->parameters_ = signature->names;
  program->file_ = {kernel.entry, file.text, CompilerOf(processor), ""};
  if (!file.binary.empty() && file.compiler == program->file_.compiler) {
    auto loaded = LoadBinary(processor, file.binary);
    if (loaded.ok()) {
      program->program_ = *std::move(loaded);
      return std::shared_ptr<const ShaveProgram>(std::move(program));
    }
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      program->program_,
      BuildKernel(processor, file.text, kernel.entry, *signature));
  return std::shared_ptr<const ShaveProgram>(std::move(program));
}

absl::StatusOr<std::string> ShaveProgram::File() const {
  size_t bytes = 0;
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api().GetProgramInfo(program_.get(), CL_PROGRAM_BINARY_SIZES,
                                    sizeof(bytes), &bytes, nullptr),
               "clGetProgramInfo"));
  ShaveKernelFile file = file_;
  file.binary.resize(bytes);
  unsigned char* binary = reinterpret_cast<unsigned char*>(file.binary.data());
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api().GetProgramInfo(program_.get(), CL_PROGRAM_BINARIES,
                                    sizeof(binary), &binary, nullptr),
               "clGetProgramInfo"));
  return WriteShaveKernelFile(file);
}

absl::StatusOr<opencl::Kernel> ShaveProgram::NewKernel() const {
  cl_int code = CL_SUCCESS;
  opencl::Kernel kernel(api(),
                        api().CreateKernel(program_.get(), kEntry, &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateKernel"));
  return kernel;
}

}  // namespace dovetail::vpu
