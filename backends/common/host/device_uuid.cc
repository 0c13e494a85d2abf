#include "dovetail/backends/common/host/device_uuid.h"

#include <cstdint>
#include <fstream>

#include "absl/strings/str_cat.h"

namespace dovetail {
namespace {

// FNV-1a with a last mixing step, so that each bit depends on every byte. Fixed
// here because it must be the same in every build.
uint64_t StableHash(absl::string_view text, uint64_t seed) {
  uint64_t hash = 0xcbf29ce484222325u ^ seed;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdu;
  return hash ^ (hash >> 33);
}

}  // namespace

std::string DeviceUuid(absl::string_view device, absl::string_view processor,
                       const std::string& machine_id_file) {
  std::ifstream file(machine_id_file);
  std::string machine;
  std::getline(file, machine);
  const std::string all =
      absl::StrCat("dovetail device\n", device, "\n", processor, "\n", machine);
  return absl::StrCat(absl::Hex(StableHash(all, 1), absl::kZeroPad16),
                      absl::Hex(StableHash(all, 2), absl::kZeroPad16));
}

}  // namespace dovetail
