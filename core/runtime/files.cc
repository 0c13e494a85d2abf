#include "dovetail/core/runtime/files.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

absl::Status WriteTo(const std::string& path, absl::string_view bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return Unavailable(std::strerror(errno));
  const bool written =
      std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const int error = errno;
  if (std::fclose(file) == 0 && written) return absl::OkStatus();
  return Unavailable(std::strerror(written ? errno : error));
}

}  // namespace

absl::Status WriteFileAtomically(const std::string& path,
                                 absl::string_view bytes) {
  static std::atomic<int> counter = 0;
  const std::string temporary =
      absl::StrCat(path, ".", getpid(), ".", counter.fetch_add(1), ".tmp");
  absl::Status status = WriteTo(temporary, bytes);
  if (status.ok() && std::rename(temporary.c_str(), path.c_str()) != 0) {
    status = Unavailable(std::strerror(errno));
  }
  if (status.ok()) return status;
  std::remove(temporary.c_str());
  return Annotate(status, absl::StrCat("'", path, "' cannot be written"));
}

}  // namespace dovetail
