#include "dovetail/backends/gpu/remote/remote_params.h"

#include <algorithm>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

const RemoteParams::mapped_type* FindParam(const RemoteParams& params,
                                           absl::string_view name) {
  const auto it = params.find(std::string(name));
  return it == params.end() ? nullptr : &it->second;
}

}  // namespace

absl::Status CheckNames(const RemoteParams& params,
                        absl::Span<const absl::string_view> known) {
  for (const auto& [name, value] : params) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    return NotFound("there is no parameter '", name,
                    "'; there are: ", absl::StrJoin(known, ", "));
  }
  return absl::OkStatus();
}

absl::StatusOr<void*> HandleParam(const RemoteParams& params,
                                  absl::string_view name) {
  const auto* const value = FindParam(params, name);
  if (value == nullptr) return nullptr;
  if (void* const* const handle = std::get_if<void*>(value)) {
    if (*handle != nullptr) return *handle;
  }
  return InvalidArgument("parameter ", name, ": want a handle of OpenCL's");
}

absl::StatusOr<int64_t> NumberParam(const RemoteParams& params,
                                    absl::string_view name) {
  const auto* const value = FindParam(params, name);
  if (value == nullptr) return 0;
  if (const int64_t* const number = std::get_if<int64_t>(value)) {
    return *number;
  }
  int64_t number = 0;
  const std::string* const text = std::get_if<std::string>(value);
  if (text != nullptr && absl::SimpleAtoi(*text, &number)) return number;
  return InvalidArgument("parameter ", name, ": want a number");
}

absl::Status CheckText(const RemoteParams& params, absl::string_view name,
                       absl::string_view only) {
  const auto* const value = FindParam(params, name);
  if (value == nullptr) return absl::OkStatus();
  const std::string* const text = std::get_if<std::string>(value);
  if (text != nullptr && *text == only) return absl::OkStatus();
  return InvalidArgument("parameter ", name, ": want '", only, "'");
}

}  // namespace dovetail::gpu
