#include "dovetail/tools/cli/input/exported_model.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "absl/strings/string_view.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/blob_reader.h"

namespace dovetail::cli {

bool IsExportedModel(const std::string& path) {
  // Opening a pipe would wait for somebody who writes to it.
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::array<char, 64> first;
  std::ifstream file(path, std::ios::binary);
  file.read(first.data(), first.size());
  return BlobReader::IsContainer(
      {first.data(), static_cast<size_t>(file.gcount())});
}

absl::StatusOr<std::string> DeviceOfExport(const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(const BlobReader blob, BlobReader::Open(path));
  const std::optional<absl::string_view> device = blob.Header("device");
  if (device.has_value() && !device->empty()) return std::string(*device);
  return InvalidArgument("'", path,
                         "' is no exported model: its header names no device");
}

absl::Status CheckIsSource(const std::string& path) {
  if (!IsExportedModel(path)) return absl::OkStatus();
  return InvalidArgument(
      "'", path,
      "' is an exported model, which is no model's source: want the ",
      "file that it was compiled from");
}

absl::Status CheckNoSourceFlags(const Arguments& arguments,
                                const std::string& path) {
  for (const absl::string_view flag :
       {"weights", "shape", "batch", "resize", "picture-size", "color",
        "layout", "output-layout"}) {
    if (!arguments.Has(flag)) continue;
    return InvalidArgument("--", flag, ": '", path, "' is an exported model, ",
                           "compiled already; give --", flag,
                           " to dovetail compile");
  }
  return absl::OkStatus();
}

}  // namespace dovetail::cli
