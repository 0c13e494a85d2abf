#include <cstring>
#include <utility>

#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/backends/cpu/onednn/primitive_step.h"
#include "dovetail/backends/cpu/steps/reference/reference_step.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kBytesAtATime = 1 << 16;

// The same bytes elsewhere.
class CopyStep : public Step {
 public:
  explicit CopyStep(int64_t bytes) : bytes_(bytes) {}

  absl::Status Run(const StepRun& run) const override {
    ParallelFor(run.environment->team(), bytes_, kBytesAtATime,
                [&](int64_t begin, int64_t end) {
                  std::memcpy(run.output<char>() + begin,
                              run.input<char>(0) + begin, end - begin);
                });
    return absl::OkStatus();
  }

 private:
  const int64_t bytes_;
};

// Types that oneDNN does not have.
class ConvertStep : public Step {
 public:
  ConvertStep(Shape shape, ElementType from, ElementType to)
      : shape_(std::move(shape)), from_(from), to_(to) {}

  absl::Status Run(const StepRun& run) const override {
    const auto borrow = [&](ElementType type, void* data) {
      return Tensor::Borrow(type, shape_, data,
                            StoredBytes(shape_, {type, Layout::kPlanar}));
    };
    DOVETAIL_ASSIGN_OR_RETURN(Tensor source, borrow(from_, run.inputs[0]));
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor target, borrow(to_, run.outputs[0]));
    DOVETAIL_ASSIGN_OR_RETURN(source, ConvertTensor(source, to_));
    return target.CopyFrom(source);
  }

 private:
  const Shape shape_;
  const ElementType from_, to_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Step>> MakeReorder(
    const Shape& shape, const Format& from, const Format& to,
    const CompileSettings& settings) {
  const bool same = SameOrder(shape, from.layout, to.layout);
  if (same && from.type == to.type) {
    return std::make_unique<CopyStep>(StoredBytes(shape, from));
  }
  if (from.layout != to.layout || (OneDnnType(from.type) &&
                                   OneDnnType(to.type))) {
    return MakeOneDnnReorder(shape, from, to, settings);
  }
  return std::make_unique<ConvertStep>(shape, from.type, to.type);
}

}  // namespace dovetail::cpu
