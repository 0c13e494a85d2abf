// The making of packed weights, part by part.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_WEIGHTS_PACKING_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_WEIGHTS_PACKING_H_

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/compiler/weights/packed_weights.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Writes part number `part` of the packed form of `constants` to `packed`,
// where that form begins.
using PackFn = std::function<absl::Status(absl::Span<const Tensor> constants,
                                          void* packed, int part)>;

// Where constants lie that are packed. Files have them at any address, so
// kOfType costs a copy of all of those whose address is none of their type's.
enum class Alignment { kOfType, kAny };

// What one plan does for weights that it has found empty.
class Packing {
 public:
  Packing(std::shared_ptr<PackedWeights> packed, std::vector<Tensor> constants,
          PackFn pack, int parts, Alignment alignment = Alignment::kOfType)
      : packed_(std::move(packed)),
        stored_(std::move(constants)),
        pack_(std::move(pack)),
        parts_(parts),
        alignment_(alignment),
        left_(parts) {}

  // Packs that part, unless another plan packs these weights. Thread-safe; each
  // part once, also when another one has failed.
  absl::Status Run(int part);
  // After all parts: waits for the plan that packs these weights, and packs
  // them in its place if it could not. Not within a loop of a team's, whose
  // threads the other plan may need.
  absl::Status Finish();

 private:
  absl::Status Prepare();
  absl::Status RunMine(int part);
  void ClaimPart(int part) const;
  void End();

  const std::shared_ptr<PackedWeights> packed_;
  const std::vector<Tensor> stored_;
  const PackFn pack_;
  const int parts_;
  const Alignment alignment_;
  std::once_flag claim_, prepare_;
  bool is_mine_ = false;
  absl::Status prepared_;
  std::vector<Tensor> prepared_constants_;  // while the packing takes
  std::atomic<int> left_;
  std::atomic<bool> has_failed_ = false;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_WEIGHTS_PACKING_H_
