// Gathers rows of compressed tables before they become floats.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_GATHER_COMPRESSED_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_GATHER_COMPRESSED_H_

#include "dovetail/core/pass/pass.h"

namespace dovetail {

// Gather((c - z) * s, i), for constants c of at most 8 bits, z and s, along the
// first axis, becomes (Gather(c, i) - Gather(z, i)) * Gather(s, i), so that
// constant folding leaves the table as it is stored. The scale has to be that
// of a row, or of a part of it: what indices outside of the table give is 0.
// Tables of fewer bits than `least_bits` are left alone, for devices that
// gather whole bytes.
class GatherCompressed : public Pass {
 public:
  explicit GatherCompressed(int least_bits = 1) : least_bits_(least_bits) {}

  absl::string_view name() const override { return "gather-compressed"; }
  absl::StatusOr<bool> Run(Model& model) override;

 private:
  const int least_bits_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_WEIGHTS_GATHER_COMPRESSED_H_
