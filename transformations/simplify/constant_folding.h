// Computes beforehand what does not depend on the inputs.
#ifndef DOVETAIL_TRANSFORMATIONS_SIMPLIFY_CONSTANT_FOLDING_H_
#define DOVETAIL_TRANSFORMATIONS_SIMPLIFY_CONSTANT_FOLDING_H_

#include <cstdint>

#include "dovetail/core/pass/pass.h"

namespace dovetail {

struct ConstantFoldingOptions {
  // A node is not folded when its outputs are larger than this and than its
  // inputs; in bytes.
  int64_t max_output_bytes = int64_t{64} << 20;
  // By how much all folding in one run may make the model larger; in bytes.
  int64_t max_growth_bytes = int64_t{256} << 20;
  // Whether conversions that the model marks as decompression of weights
  // (rt_info "decompression_0") are folded, so that weights get their full
  // size.
  bool fold_decompression = true;
};

// Folds with the reference kernels: nodes whose inputs are constants, ShapeOf
// of a known shape, and integers that inference knows exactly. Not folded: what
// is random, has state or bodies, what rt_info "DisableConstantFolding_0"
// excepts, and what has no kernel or fails, as it may never run. Constants that
// nobody reads any more are removed at once; a constant stands for all layers
// that were folded into it (fused_names.h).
class ConstantFolding : public Pass {
 public:
  explicit ConstantFolding(const ConstantFoldingOptions& options = {})
      : options_(options) {}

  absl::string_view name() const override { return "constant-folding"; }
  absl::StatusOr<bool> Run(Model& model) override;

 private:
  ConstantFoldingOptions options_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_SIMPLIFY_CONSTANT_FOLDING_H_
