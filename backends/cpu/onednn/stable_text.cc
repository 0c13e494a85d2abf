#include "dovetail/backends/cpu/onednn/stable_text.h"

#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace dovetail::cpu {
namespace {

// What oneDNN's interface does not tell of a description, such as sums that
// stand behind packed integers, is at the end of its blob. Of these bytes some
// only align others. Another version of oneDNN may have them elsewhere; then
// the whole blob counts.
constexpr size_t kBlobBytes = 768;
constexpr size_t kExtraBytes = 128;
constexpr size_t kPaddingBegin = 20, kPaddingEnd = 24;

std::string ExtraText(const dnnl::memory::desc& desc) {
  const std::vector<uint8_t> blob = dnnl::memory::desc(desc).get_blob();
  std::string bytes(blob.begin(), blob.end());
  if (bytes.size() != kBlobBytes) return bytes;
  bytes = bytes.substr(kBlobBytes - kExtraBytes);
  bytes.erase(kPaddingBegin, kPaddingEnd - kPaddingBegin);
  return bytes;
}

}  // namespace

std::string StableText(const dnnl::memory::desc& desc) {
  const auto list = [](const dnnl::memory::dims& numbers) {
    return absl::StrJoin(numbers, ",");
  };
  std::string text = absl::StrCat(
      static_cast<int>(desc.get_format_kind()), " ",
      static_cast<int>(desc.get_data_type()), " [", list(desc.get_dims()),
      "] padded ", list(desc.get_padded_dims()), " from ",
      list(desc.get_padded_offsets()), " at ", desc.get_submemory_offset(), " ",
      desc.get_size(), " bytes");
  // Of other kinds nothing more can be told.
  if (desc.get_format_kind() == dnnl::memory::format_kind::blocked) {
    absl::StrAppend(&text, " strides ", list(desc.get_strides()), " blocks ",
                    list(desc.get_inner_blks()), " of ",
                    list(desc.get_inner_idxs()));
    return text + ExtraText(desc);
  }
  const std::vector<uint8_t> blob = dnnl::memory::desc(desc).get_blob();
  return text + std::string(blob.begin(), blob.end());
}

}  // namespace dovetail::cpu
