// Kernels that go along axes: each work item has a lane of elements, or, where
// neighbours have lanes of their own, a vector of them.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_LANES_LANE_LAUNCH_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_LANES_LANE_LAUNCH_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"

namespace dovetail::gpu {

// A launch and the text of its kernel. In the text $L is the number of lanes,
// $V a vector of so many floats, and $LOAD(p), $STORE(v, p), $SUM(v) and
// $MAX(v) read, write and fold one, at any address; $LOAD1(p) and $STORE1(v, p)
// read and write one float. The p of what is read begins with the operand's
// name. Floats may be stored as f16: all outputs, then, that such text writes.
class LaneLaunch {
 public:
  LaneLaunch(const PlanBuilder& builder, int lanes)
      : builder_(builder), lanes_(lanes) {}

  int lanes() const { return lanes_; }

  void Input(absl::string_view name, absl::string_view type,
             const Operand& operand);
  void Output(absl::string_view name, absl::string_view type,
              const Operand& operand);
  // Elements as the operand stores them.
  void Input(absl::string_view name, const Operand& operand);
  void Output(absl::string_view name, const Operand& operand);
  void Int(absl::string_view name, int64_t value);
  void Float(absl::string_view name, double value);

  // One work item for each `item` below `count`. After all operands. Heavy
  // items are groups of their own on processors.
  void Items(int64_t count, bool heavy);
  void Body(absl::string_view text);
  // See KernelWriter.
  void Helper(absl::string_view text) { launch_.writer.Helper(text); }

  Launch Finish(absl::string_view kernel);

 private:
  const PlanBuilder& builder_;
  const int lanes_;
  Launch launch_;
  std::set<std::string> halves_;            // operands that are stored as f16
  ElementType output_ = ElementType::kF32;  // as floats are stored there
};

// Where lanes lie in a dense tensor, in elements. Lane (q, i) of rows * inner
// begins at q / middle * outer_stride + q % middle * middle_stride + i; it is
// `runs` times `length` elements `step` apart.
struct LaneGeometry {
  int64_t outer = 1, outer_stride = 0, middle = 1, middle_stride = 0;
  int64_t runs = 1, run_stride = 0, length = 1, step = 1;
  int64_t inner = 1;

  int64_t rows() const { return outer * middle; }
  // Whether a lane's elements are neighbours.
  bool is_rows() const { return inner == 1 && step == 1; }
  // As many as a vector of neighbouring elements can have, 1 or `most`.
  int Lanes(int most) const;
  // Of the second kind of kernel, vectors that make up `inner`.
  int64_t Blocks(int lanes) const;
};

// The lanes along the axes that have a flag; nothing where axes of both kinds
// alternate too often.
std::optional<LaneGeometry> LaneGeometryOf(const Shape& shape,
                                           const std::vector<bool>& flags);

// The extents of a tensor in the order of its memory, blocks of channels last.
Shape StoredDims(const Shape& shape, Layout layout);

// Adds the numbers of a geometry, the work items, and text that finds an item's
// row `q`, the first element `base` of its lane, and for vectors of
// neighbouring lanes the first one's number `first`.
void AddLanes(LaneLaunch& launch, const LaneGeometry& geometry);

// A function `<name>_<lanes>` that folds a vector of floats to one, by halves:
// `both` joins $a and $b.
std::string FoldFunction(absl::string_view name, int lanes,
                         absl::string_view both);

// Statements for each element x of a lane, which is a vector or a scalar; `k`
// numbers it along the lane and `at` is its place, both of the first of a
// vector along rows.
std::string ForLane(const LaneGeometry& geometry, absl::string_view source,
                    absl::string_view statements);
// The same from number `begin` to number `end`, of which scalars get other
// statements where vectors lie along rows.
std::string ForPart(const LaneGeometry& geometry, absl::string_view source,
                    absl::string_view begin, absl::string_view end,
                    absl::string_view vectors, absl::string_view scalars);

// Declares `name`, the sum of `term` over the lane, which is a scalar for rows
// and a vector else. Sums in blocks, whose errors do not grow with the lane.
std::string SumOfLane(const LaneGeometry& geometry, absl::string_view source,
                      absl::string_view name, absl::string_view term);
// Declares `name`, the greatest x.
std::string GreatestOfLane(const LaneGeometry& geometry,
                           absl::string_view source, absl::string_view name);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_LANES_LANE_LAUNCH_H_
