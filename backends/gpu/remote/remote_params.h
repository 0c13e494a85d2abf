// Parameters of remote contexts and tensors, read by name.
#ifndef DOVETAIL_BACKENDS_GPU_REMOTE_REMOTE_PARAMS_H_
#define DOVETAIL_BACKENDS_GPU_REMOTE_REMOTE_PARAMS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/plugin/remote_context.h"

namespace dovetail::gpu {

inline constexpr absl::string_view kContextType = "CONTEXT_TYPE";
inline constexpr absl::string_view kOclContext = "OCL_CONTEXT";
inline constexpr absl::string_view kOclContextDeviceId =
    "OCL_CONTEXT_DEVICE_ID";
inline constexpr absl::string_view kOclQueue = "OCL_QUEUE";
inline constexpr absl::string_view kSharedMemType = "SHARED_MEM_TYPE";
inline constexpr absl::string_view kMemHandle = "MEM_HANDLE";

// kNotFound for a parameter that is none of `known`.
absl::Status CheckNames(const RemoteParams& params,
                        absl::Span<const absl::string_view> known);

// A handle of OpenCL; null where it is not there. kInvalidArgument for a value
// that is no pointer, or null.
absl::StatusOr<void*> HandleParam(const RemoteParams& params,
                                  absl::string_view name);

// A number, also as text; 0 where it is not there.
absl::StatusOr<int64_t> NumberParam(const RemoteParams& params,
                                    absl::string_view name);

// kInvalidArgument for a text other than `only`.
absl::Status CheckText(const RemoteParams& params, absl::string_view name,
                       absl::string_view only);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_REMOTE_REMOTE_PARAMS_H_
