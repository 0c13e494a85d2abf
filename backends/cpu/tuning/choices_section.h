// Choices of kernels in exports.
#ifndef DOVETAIL_BACKENDS_CPU_TUNING_CHOICES_SECTION_H_
#define DOVETAIL_BACKENDS_CPU_TUNING_CHOICES_SECTION_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/compiler/kernel_choices.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"

namespace dovetail::cpu {

// For which machine and threads they were made, with whom they hold.
struct TunedFor {
  absl::string_view platform;  // see packing_platform.h
  int threads = 1;
};

// Nothing is written where nothing was chosen.
absl::Status WriteChoices(const KernelChoices& choices, const TunedFor& tuned,
                          BlobWriter& writer);

// None where none were written, or for another machine or number of threads.
// kDataLoss when the section is damaged.
absl::StatusOr<KernelChoices> ReadChoices(const BlobReader& reader,
                                          const TunedFor& tuned);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_TUNING_CHOICES_SECTION_H_
