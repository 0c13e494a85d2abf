#include "dovetail/backends/cpu/steps/image/col2im.h"

#include <optional>
#include <vector>

#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/backends/cpu/kernels/image/sum_patches.h"
#include "dovetail/backends/cpu/steps/common/unit_step.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/window.h"
#include "dovetail/core/ops/image/patches/col2im.h"

namespace dovetail::cpu {
namespace {

WindowAxis AxisOf(const SlidingWindow& window, int i, int64_t extent,
                  int64_t kernel) {
  const dovetail::WindowAxis from = ResolveWindow(window, i, extent, kernel, 0);
  WindowAxis axis;
  axis.input = extent;
  axis.kernel = kernel;
  axis.stride = from.stride;
  axis.dilation = from.dilation;
  axis.pad = from.pad_begin;
  axis.output =
      (extent + from.pad_begin + from.pad_end - from.span()) / from.stride + 1;
  return axis;
}

}  // namespace

absl::StatusOr<bool> EmitCol2Im(const Node& node, PlanBuilder& builder) {
  const auto kernel = ConstantList(node, 2);
  const Shape image = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  if (node.port().type != ElementType::kF32 || !kernel.has_value() ||
      image.Count() == 0 || PlanBuilder::ShapeOf(node.input(0)).Count() == 0) {
    return false;
  }
  const SlidingWindow& window = node.As<Col2ImAttributes>()->window;
  const int rank = image.rank();
  PatchesShape shape;
  shape.planes = image.Count(0, rank - 2);
  shape.rows = AxisOf(window, 0, image[rank - 2], (*kernel)[0]);
  shape.columns = AxisOf(window, 1, image[rank - 1], (*kernel)[1]);
  DOVETAIL_ASSIGN_OR_RETURN(const Operand patches,
                            builder.ReadPlain(node.input(0)));
  builder.Add(
      node, "sum_patches",
      MakeUnitStep(shape.planes,
                   shape.planes * shape.elements() * shape.positions(),
                   [shape](const StepRun& run, int64_t begin, int64_t end) {
                     SumPatches(shape, run.input<float>(0), begin, end,
                                run.output<float>());
                   }),
      {patches}, {builder.WritePlain(PlanBuilder::OutputOf(node))});
  return true;
}

}  // namespace dovetail::cpu
