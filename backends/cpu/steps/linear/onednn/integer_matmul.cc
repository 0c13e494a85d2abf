#include "dovetail/backends/cpu/steps/linear/onednn/integer_matmul.h"

#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/steps/linear/onednn/matmul_primitive.h"
#include "dovetail/core/base/status.h"
#include "dovetail/transformations/common/precise.h"

namespace dovetail::cpu {
namespace {

// A sum of so many products of bytes, with zero points and offsets of signed
// bytes, stays within 32 bits.
constexpr int64_t kMaxDepth = int64_t{1} << 15;

absl::Status CheckTakesIntegers(const MatMulProblem& problem,
                                const CompileSettings& settings) {
  if (!problem.integers.has_value()) return Unimplemented("no integers");
  if (IsPrecise(*problem.node)) return Unimplemented("f32 is asked for");
  if (!HasDotProducts()) return Unimplemented("no dot products of bytes");
  const MachineModel& machine = settings.machine_model();
  if (machine.int8 <= machine.f32()) {
    return Unimplemented("floats are multiplied as fast");
  }
  const MatrixShapes& shapes = problem.shapes;
  if (shapes.depth > kMaxDepth) {
    return Unimplemented("sums of ", shapes.depth, " products");
  }
  if (!HasEvenProducts(shapes)) {
    return Unimplemented("matrices at uneven distances");
  }
  return absl::OkStatus();
}

constexpr absl::string_view kWhat = "a matrix product of integers";

}  // namespace

absl::StatusOr<KernelOffer> TryIntegerMatMul(const MatMulProblem& problem,
                                             const PlanBuilder& builder) {
  DOVETAIL_RETURN_IF_ERROR(CheckTakesIntegers(problem, builder.settings()));
  const IntegerOperands& integers = *problem.integers;
  const MatMulFactors factors = {integers.data, integers.weights,
                                 integers.data.type(), ElementType::kI8,
                                 integers.zero_point};
  return OfferMatMul(problem, factors, kWhat, builder);
}

}  // namespace dovetail::cpu
