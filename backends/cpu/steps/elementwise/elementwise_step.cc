#include "dovetail/backends/cpu/steps/elementwise/elementwise_step.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "dovetail/backends/cpu/kernels/elementwise/run_elementwise.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

// What an instruction takes for an element, in units of a simple one's time.
int64_t CostOf(ElementwiseOp op) {
  if (op == ElementwiseOp::kFakeQuantize || op == ElementwiseOp::kDivide ||
      op == ElementwiseOp::kSqrt) {
    return 3;
  }
  if (op == ElementwiseOp::kPower || op == ElementwiseOp::kMod ||
      op == ElementwiseOp::kFloorMod) {
    return 16;
  }
  if (op >= ElementwiseOp::kClamp) {
    const bool is_simple = op == ElementwiseOp::kClamp ||
                           op == ElementwiseOp::kLeakyRelu ||
                           op == ElementwiseOp::kHardSigmoid ||
                           op == ElementwiseOp::kIsInf;
    return is_simple ? 1 : 6;
  }
  if (op >= ElementwiseOp::kSin) return 16;
  if (op >= ElementwiseOp::kExp) return 6;
  return 1;
}

// What is worth waking a thread for, in the same unit: some ten microseconds.
constexpr int64_t kCostAtATime = 100'000;

int64_t Grain(const ElementwiseProgram& program,
              const ElementwiseGeometry& geometry) {
  int64_t cost = 0;
  for (const auto& input : geometry.inputs) {
    cost += input.kind == OperandWalk::Kind::kScalar ? 0 : 1;
  }
  cost += static_cast<int64_t>(program.outputs().size());
  for (const auto& instruction : program.instructions()) {
    cost += CostOf(instruction.op);
  }
  const int64_t tile = std::max<int64_t>(1, geometry.tile_size * cost);
  return std::max<int64_t>(1, kCostAtATime / tile);
}

class ElementwiseStep : public Step {
 public:
  ElementwiseStep(ElementwiseProgram program, ElementwiseGeometry geometry,
                  std::optional<ChannelPadding> padding)
      : program_(std::move(program)),
        geometry_(std::move(geometry)),
        padding_(padding),
        grain_(Grain(program_, geometry_)) {}

  absl::Status Run(const StepRun& run) const override {
    const auto inputs = absl::MakeConstSpan(
        const_cast<const void* const*>(run.inputs.data()), run.inputs.size());
    ParallelFor(run.environment->team(), geometry_.tile_count, grain_,
                [&](int64_t begin, int64_t end) {
                  RunElementwise(program_, geometry_, inputs, run.outputs,
                                 begin, end);
                });
    if (padding_) {
      for (size_t i = 0; i < run.outputs.size(); ++i) {
        ClearPadding(run.outputs[i],
                     BitWidth(program_.outputs()[i].type) / 8);
      }
    }
    return absl::OkStatus();
  }

 private:
  void ClearPadding(void* tensor, int64_t size) const {
    const ChannelPadding& p = *padding_;
    char* const first = static_cast<char*>(tensor) + p.first * size;
    for (int64_t n = 0; n < p.batch; ++n) {
      char* at = first + (n * p.batch_stride + p.used) * size;
      for (int64_t i = 0; i < p.area; ++i, at += p.block * size) {
        std::memset(at, 0, (p.block - p.used) * size);
      }
    }
  }

  const ElementwiseProgram program_;
  const ElementwiseGeometry geometry_;
  const std::optional<ChannelPadding> padding_;
  const int64_t grain_;  // in tiles
};

}  // namespace

std::unique_ptr<Step> MakeElementwiseStep(
    ElementwiseProgram program, ElementwiseGeometry geometry,
    std::optional<ChannelPadding> padding) {
  return std::make_unique<ElementwiseStep>(
      std::move(program), std::move(geometry), padding);
}

bool KeepsZeros(const ElementwiseProgram& program) {
  constexpr int64_t kCount = 16;
  constexpr size_t kBytes = kCount * 8;
  const std::vector<ElementwiseStrides> strides(program.inputs().size(), {1});
  const auto geometry = MakeGeometry(program, {kCount}, strides);
  if (!geometry.ok()) return false;
  const std::vector<char> zeros(kBytes, 0);
  const std::vector<const void*> inputs(program.inputs().size(), zeros.data());
  std::vector<std::vector<char>> results(program.outputs().size(),
                                         std::vector<char>(kBytes, 0));
  std::vector<void*> outputs;
  for (auto& result : results) outputs.push_back(result.data());
  RunElementwise(program, *geometry, inputs, outputs, 0, geometry->tile_count);
  return std::all_of(results.begin(), results.end(),
                     [&](const auto& result) { return result == zeros; });
}

}  // namespace dovetail::cpu
