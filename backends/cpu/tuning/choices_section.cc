#include "dovetail/backends/cpu/tuning/choices_section.h"

#include <cstdint>
#include <string>

#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

constexpr absl::string_view kSection = "tuned_kernels";

}  // namespace

absl::Status WriteChoices(const KernelChoices& choices, const TunedFor& tuned,
                          BlobWriter& writer) {
  if (choices.empty()) return absl::OkStatus();
  ByteWriter bytes;
  bytes.Text(tuned.platform);
  bytes.Number(static_cast<uint64_t>(tuned.threads));
  bytes.Number(choices.kernels().size());
  for (const auto& [node, kernel] : choices.kernels()) {
    bytes.Text(node);
    bytes.Text(kernel);
  }
  return writer.AddSection(kSection, bytes.bytes());
}

absl::StatusOr<KernelChoices> ReadChoices(const BlobReader& reader,
                                          const TunedFor& tuned) {
  KernelChoices choices;
  if (!reader.HasSection(kSection)) return choices;
  DOVETAIL_ASSIGN_OR_RETURN(const BlobBytes section, reader.Section(kSection));
  ByteReader bytes(section.view());
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view platform, bytes.Text());
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t threads, bytes.Number());
  if (platform != tuned.platform ||
      threads != static_cast<uint64_t>(tuned.threads)) {
    return choices;
  }
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, bytes.Count());
  for (size_t i = 0; i < count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view node, bytes.Text());
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view kernel, bytes.Text());
    choices.Choose(std::string(node), std::string(kernel));
  }
  DOVETAIL_RETURN_IF_ERROR(bytes.Finish());
  return choices;
}

}  // namespace dovetail::cpu
