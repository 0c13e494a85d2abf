#include "dovetail/backends/gpu/program/kernel_arguments.h"

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/driver/cl_status.h"
#include "dovetail/backends/gpu/driver/kernel_name.h"

namespace dovetail::gpu {

absl::Status SetArgument(const Kernel& kernel, int index, const void* value,
                         size_t bytes) {
  const cl_int code = kernel.api().SetKernelArg(
      kernel.get(), static_cast<cl_uint>(index), bytes, value);
  if (code == CL_SUCCESS) return absl::OkStatus();
  return ClStatus(code, absl::StrCat("clSetKernelArg of argument ", index,
                                     " of kernel '", KernelName(kernel), "'"));
}

absl::Status SetArgument(const Kernel& kernel, int index,
                         const Buffer& buffer) {
  const cl_mem mem = buffer.mem().get();
  return SetArgument(kernel, index, &mem, sizeof(mem));
}

absl::Status SetLocalArgument(const Kernel& kernel, int index, int64_t bytes) {
  return SetArgument(kernel, index, nullptr, static_cast<size_t>(bytes));
}

absl::StatusOr<int> ArgumentCount(const Kernel& kernel) {
  cl_uint count = 0;
  const cl_int code = kernel.api().GetKernelInfo(
      kernel.get(), CL_KERNEL_NUM_ARGS, sizeof(count), &count, nullptr);
  if (code == CL_SUCCESS) return static_cast<int>(count);
  return ClStatus(code, "clGetKernelInfo");
}

}  // namespace dovetail::gpu
