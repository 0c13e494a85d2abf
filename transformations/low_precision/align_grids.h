// Rounds values that are concatenated to one grid.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ALIGN_GRIDS_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ALIGN_GRIDS_H_

#include "dovetail/core/pass/pass.h"
#include "dovetail/transformations/low_precision/integer_flow.h"

namespace dovetail {

// A convolution takes integers of one scale only, but networks concatenate
// values of several. Where a linear operation could compute with the integers
// otherwise, inputs of Concat are rounded to the grid of the widest range:
// those of finer grids lose precision, by at most half a step of the coarsest
// one. A FakeQuantize that nobody else reads is given the new grid itself, so
// that nothing is rounded twice; else there is a second one behind the value.
// Does nothing unless the options say so.
class AlignGrids : public Pass {
 public:
  explicit AlignGrids(const LowPrecisionOptions& options = {})
      : options_(options) {}

  absl::string_view name() const override { return "align-grids"; }
  absl::StatusOr<bool> Run(Model& model) override;

 private:
  LowPrecisionOptions options_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ALIGN_GRIDS_H_
