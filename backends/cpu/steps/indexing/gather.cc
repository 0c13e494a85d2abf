#include "dovetail/backends/cpu/steps/indexing/gather.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "dovetail/backends/common/kernels/indexing/gather.h"
#include "dovetail/backends/cpu/steps/common/index_type.h"
#include "dovetail/backends/cpu/steps/movement/copy_step.h"
#include "dovetail/backends/cpu/steps/movement/moved_view.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"
#include "dovetail/core/ops/indexing/gather/gather.h"
#include "dovetail/core/ops/indexing/gather/gather_elements.h"
#include "dovetail/core/ops/indexing/gather/gather_nd.h"

namespace dovetail::cpu {
namespace {

// What is worth waking a thread for.
constexpr int64_t kBytesAtATime = 1 << 16;
constexpr int64_t kElementsAtATime = 1 << 13;

class GatherStep : public Step {
 public:
  GatherStep(const host::GatherShape& shape, bool is_i64)
      : shape_(shape), is_i64_(is_i64) {}

  absl::Status Run(const StepRun& run) const override {
    const host::Indices indices = {run.inputs[1], is_i64_};
    const int64_t grain = std::max<int64_t>(
        1, kBytesAtATime / std::max<int64_t>(1, shape_.run_bytes));
    ParallelFor(run.environment->team(),
                shape_.batch * shape_.outer * shape_.count, grain,
                [&](int64_t begin, int64_t end) {
                  host::Gather(shape_, run.inputs[0], indices, run.outputs[0],
                               begin, end);
                });
    return absl::OkStatus();
  }

 private:
  const host::GatherShape shape_;
  const bool is_i64_;
};

class GatherElementsStep : public Step {
 public:
  GatherElementsStep(const host::GatherElementsShape& shape, bool is_i64,
                     std::string what)
      : shape_(shape), is_i64_(is_i64), what_(std::move(what)) {}

  absl::Status Run(const StepRun& run) const override {
    const host::Indices indices = {run.inputs[1], is_i64_};
    const int64_t count = shape_.outer * shape_.count * shape_.inner;
    std::atomic<int64_t> outside = 0;
    ParallelFor(run.environment->team(), count, kElementsAtATime,
                [&](int64_t begin, int64_t end) {
                  outside +=
                      host::GatherElements(shape_, run.inputs[0], indices,
                                           run.outputs[0], begin, end);
                });
    if (outside > 0) {
      return OutOfRange(what_, ": an index lies outside of an axis of ",
                        shape_.extent, " elements");
    }
    return absl::OkStatus();
  }

 private:
  const host::GatherElementsShape shape_;
  const bool is_i64_;
  const std::string what_;
};

class GatherNdStep : public Step {
 public:
  GatherNdStep(const host::GatherNdShape& shape, bool is_i64, std::string what)
      : shape_(shape), is_i64_(is_i64), what_(std::move(what)) {}

  absl::Status Run(const StepRun& run) const override {
    const host::Indices indices = {run.inputs[1], is_i64_};
    const int64_t runs = shape_.batch * shape_.count;
    for (int64_t i = 0; i < runs * shape_.tuple; ++i) {
      const int64_t extent = shape_.dims[i % shape_.tuple];
      if (indices[i] < -extent || indices[i] >= extent) {
        return OutOfRange(what_, ": the index ", indices[i],
                          " lies outside of an axis of ", extent, " elements");
      }
    }
    const int64_t grain = std::max<int64_t>(
        1, kBytesAtATime / std::max<int64_t>(8, shape_.run_bytes));
    ParallelFor(run.environment->team(), runs, grain,
                [&](int64_t begin, int64_t end) {
                  host::GatherNd(shape_, run.inputs[0], indices, run.outputs[0],
                                 begin, end);
                });
    return absl::OkStatus();
  }

 private:
  const host::GatherNdShape shape_;
  const bool is_i64_;
  const std::string what_;
};

// Whether runs of so many elements are copied as bytes.
bool AreWholeBytes(ElementType type, int64_t elements) {
  if (IsCopied(type)) return true;
  // u3 and u6 have their elements in groups of three bytes.
  const int bits = BitWidth(type);
  return IsSubByte(type) && elements * bits % (bits % 3 == 0 ? 24 : 8) == 0;
}

absl::Status Add(const Node& node, PlanBuilder& builder,
                 std::unique_ptr<Step> step) {
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.ReadPlain(node.input(0)));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand indices,
                            builder.ReadPlain(node.input(1)));
  builder.Add(node, "gather", std::move(step), {data, indices},
              {builder.WritePlain(PlanBuilder::OutputOf(node))});
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> EmitGather(const Node& node, PlanBuilder& builder) {
  const auto axes = ConstantList(node, 2);
  const Value data = node.input(0), list = node.input(1);
  if (!axes || axes->size() != 1 || !IsIndex(list.type())) return false;
  const Shape shape = PlanBuilder::ShapeOf(data);
  const Shape indices = PlanBuilder::ShapeOf(list);
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis((*axes)[0], shape.rank()));
  const int64_t run = shape.Count(axis + 1, shape.rank());
  if (!AreWholeBytes(data.type(), run)) return false;
  const int shared = static_cast<int>(BatchDims(node, indices.rank()));
  if (shared < 0 || shared > axis || shared > indices.rank()) return false;
  host::GatherShape gather;
  gather.batch = shape.Count(0, shared);
  gather.outer = shape.Count(shared, axis);
  gather.extent = shape[axis];
  gather.count = indices.Count(shared, indices.rank());
  gather.run_bytes = run * BitWidth(data.type()) / 8;
  gather.from_end = node.op().version >= 8;
  DOVETAIL_RETURN_IF_ERROR(Add(
      node, builder,
      std::make_unique<GatherStep>(gather, list.type() == ElementType::kI64)));
  return true;
}

absl::StatusOr<bool> EmitGatherElements(const Node& node,
                                        PlanBuilder& builder) {
  const auto* attributes = node.As<GatherElementsAttributes>();
  const Value data = node.input(0), list = node.input(1);
  if (attributes == nullptr || !IsCopied(data.type()) ||
      !IsIndex(list.type())) {
    return false;
  }
  const Shape shape = PlanBuilder::ShapeOf(data);
  const Shape indices = PlanBuilder::ShapeOf(list);
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis(attributes->axis, shape.rank()));
  host::GatherElementsShape gather;
  gather.outer = shape.Count(0, axis);
  gather.extent = shape[axis];
  gather.count = indices[axis];
  gather.inner = shape.Count(axis + 1, shape.rank());
  gather.element_size = BitWidth(data.type()) / 8;
  DOVETAIL_RETURN_IF_ERROR(
      Add(node, builder,
          std::make_unique<GatherElementsStep>(
              gather, list.type() == ElementType::kI64, node.Describe())));
  return true;
}

absl::StatusOr<bool> EmitGatherNd(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<GatherNDAttributes>();
  const Value data = node.input(0), list = node.input(1);
  const Shape shape = PlanBuilder::ShapeOf(data);
  const Shape indices = PlanBuilder::ShapeOf(list);
  if (attributes == nullptr || !IsCopied(data.type()) ||
      !IsIndex(list.type()) || indices.rank() == 0) {
    return false;
  }
  const int shared = static_cast<int>(attributes->batch_dims);
  host::GatherNdShape gather;
  gather.tuple = static_cast<int>(indices.back());
  if (gather.tuple < 1 || gather.tuple > static_cast<int>(gather.dims.size()) ||
      shared < 0 || shared + gather.tuple > shape.rank() ||
      shared >= indices.rank()) {
    return false;
  }
  gather.batch = shape.Count(0, shared);
  gather.count = indices.Count(shared, indices.rank() - 1);
  gather.dims.fill(1);
  for (int i = 0; i < gather.tuple; ++i) gather.dims[i] = shape[shared + i];
  gather.run_bytes = shape.Count(shared + gather.tuple, shape.rank()) *
                     BitWidth(data.type()) / 8;
  DOVETAIL_RETURN_IF_ERROR(
      Add(node, builder,
          std::make_unique<GatherNdStep>(
              gather, list.type() == ElementType::kI64, node.Describe())));
  return true;
}

}  // namespace dovetail::cpu
