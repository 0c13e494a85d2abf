#include "dovetail/backends/gpu/program/cl_program.h"

#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/backends/gpu/driver/cl_status.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

// One text of all kernels, and the name of each.
std::string Join(absl::Span<const KernelSource> sources,
                 std::vector<std::string>& names) {
  std::string text;
  std::set<std::string> helpers;
  std::map<std::string, std::string> known;
  for (const KernelSource& source : sources) {
    for (const std::string& helper : source.helpers) {
      if (helpers.insert(helper).second) absl::StrAppend(&text, helper, "\n");
    }
    std::string& name = known[source.text];
    if (name.empty()) {
      name = absl::StrCat("kernel_", known.size());
      absl::StrAppend(&text,
                      absl::StrReplaceAll(source.text, {{"KERNEL_NAME", name}}),
                      "\n");
    }
    names.push_back(name);
  }
  return text;
}

std::string BuildLog(const ClDevice& device, cl_program program) {
  const ClApi& api = device.api();
  size_t bytes = 0;
  api.GetProgramBuildInfo(program, device.id(), CL_PROGRAM_BUILD_LOG, 0,
                          nullptr, &bytes);
  std::string log(bytes, '\0');
  api.GetProgramBuildInfo(program, device.id(), CL_PROGRAM_BUILD_LOG, bytes,
                          log.data(), nullptr);
  return std::string(log.c_str());
}

}  // namespace

absl::StatusOr<std::shared_ptr<const ClProgram>> ClProgram::Build(
    std::shared_ptr<ClDevice> device, absl::Span<const KernelSource> sources,
    const BuildOptions& options) {
  std::shared_ptr<ClProgram> made(new ClProgram(std::move(device)));
  const ClApi& api = made->device_->api();
  const std::string text = Join(sources, made->names_);
  const char* begin = text.c_str();
  const size_t size = text.size();
  cl_int code = CL_SUCCESS;
  made->program_ =
      BuiltProgram(&api, api.CreateProgramWithSource(made->device_->context(), 1,
                                                &begin, &size, &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateProgramWithSource"));
  const cl_device_id id = made->device_->id();
  code = api.BuildProgram(made->program_.get(), 1, &id, options.flags.c_str(),
                          nullptr, nullptr);
  if (code != CL_SUCCESS) {
    return Internal(made->device_->traits().name,
                    " cannot build the kernels: ", ClErrorName(code), "\n",
                    BuildLog(*made->device_, made->program_.get()), "\n", text);
  }
  return made;
}

absl::StatusOr<Kernel> ClProgram::NewKernel(int i) const {
  const ClApi& api = device_->api();
  cl_int code = CL_SUCCESS;
  Kernel kernel(&api,
                api.CreateKernel(program_.get(), names_[i].c_str(), &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateKernel"));
  return kernel;
}

}  // namespace dovetail::gpu
