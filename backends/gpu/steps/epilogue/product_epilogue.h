// The epilogue of a convolution or of a matrix product as text.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_EPILOGUE_PRODUCT_EPILOGUE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_EPILOGUE_PRODUCT_EPILOGUE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/layout.h"
#include "dovetail/backends/common/fusion/epilogue.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"

namespace dovetail::gpu {

class ProductEpilogue {
 public:
  // Looks for what follows `anchor`, an f32 value of static shape, whose
  // channels lie along `channel_axis`.
  static ProductEpilogue Find(Value anchor, int channel_axis,
                              const PlanBuilder& builder);

  // What the kernel writes, instead of the anchor.
  Value result() const { return epilogue_.result(); }

  // In which type the kernel stores that, and reads residuals.
  ElementType stored() const { return stored_; }

  // Adds the operands, residuals in `layout`, to the launch: as inputs, of its
  // writer too. The kernel's own inputs are there already, and its outputs are
  // not.
  absl::Status AddOperands(Layout layout, PlanBuilder& builder,
                           Launch& launch) const;
  // The nodes need no steps of their own.
  void Fuse(PlanBuilder& builder) const { builder.Fuse(epilogue_.nodes()); }

  // Statements on `v`, a vector of `lanes` channels. They read these ints:
  // `channel`, that of the first lane, a multiple of `lanes`; `at`, where the
  // first lane is in the result; `left`, how many lanes are elements. Adds the
  // numbers and functions that they need to the launch, which has its buffers;
  // LaneFunctions of what is stored too.
  std::string AddText(int lanes, Launch& launch) const;
  // The same for results and residuals of which all lanes are in memory, a
  // vector at a multiple of its size, as in blocks of channels: they do not
  // read `left`, and need no LaneFunctions. Text that reads less than a vector
  // is most of what the driver would have to compile.
  std::string AddTextOfBlocks(int lanes, Launch& launch) const;

  // Statements on `v`, a vector of `lanes` pixels of one channel. They read
  // these ints: `channel`; `at`, where the first lane is in the result; `y_x`,
  // how far each is from the next. Adds to the launch what AddText does, but
  // for StepFunctions instead of LaneFunctions.
  std::string AddPixelText(int lanes, Launch& launch) const;

 private:
  class Statements;
  std::string TextOf(Statements statements) const;

  Epilogue epilogue_;
  ElementType stored_ = ElementType::kF32;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_EPILOGUE_PRODUCT_EPILOGUE_H_
