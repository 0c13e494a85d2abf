#include "dovetail/tools/conformance/compare/compare.h"

#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"

namespace dovetail::conformance {
namespace {

// How far apart two numbers are; infinite where no tolerance helps.
double Difference(double got, double want) {
  if (std::isnan(got) && std::isnan(want)) return 0;
  if (got == want) return 0;
  if (std::isfinite(got) && std::isfinite(want)) return std::fabs(got - want);
  return std::numeric_limits<double>::infinity();
}

// "[0,3,17]": the element number `index` of a shape.
std::string Position(const Shape& shape, int64_t index) {
  Shape position = shape;
  for (int axis = shape.rank(); axis-- > 0;) {
    position[axis] = index % shape[axis];
    index /= shape[axis];
  }
  return position.ToString();
}

// Which elements are compared: all, or every 61st.
struct Sampling {
  int64_t count, step;
};

absl::StatusOr<Sampling> SamplingOf(const Tensor& got, const Tensor& want) {
  if (got.shape() == want.shape()) return Sampling{got.element_count(), 1};
  if (got.element_count() > kSampledAbove && want.rank() == 1 &&
      want.element_count() ==
          (got.element_count() + kSampleStep - 1) / kSampleStep) {
    return Sampling{want.element_count(), kSampleStep};
  }
  return InvalidArgument("shape ", got.shape().ToString(), ", want ",
                         want.shape().ToString());
}

absl::Status CompareStrings(const Tensor& got, const Tensor& want) {
  for (int64_t i = 0; i < got.element_count(); ++i) {
    const std::string& a = got.data<std::string>()[i];
    const std::string& b = want.data<std::string>()[i];
    if (a != b) {
      return InvalidArgument("'", a, "' at ", Position(got.shape(), i),
                             ", want '", b, "'");
    }
  }
  return absl::OkStatus();
}

// Files hold f8 as f32, i4 as i8 and so on; everything else must be as is.
absl::Status CheckType(const Tensor& got, const Tensor& want) {
  const ElementType type = got.type();
  const bool widened =
      (IsFloat(type) && (BitWidth(type) < 16 || type == ElementType::kBf16) &&
       want.type() == ElementType::kF32) ||
      (IsSubByte(type) && IsInteger(type) &&
       want.type() == (IsSigned(type) ? ElementType::kI8 : ElementType::kU8));
  if (type == want.type() || widened) return absl::OkStatus();
  return InvalidArgument("type ", ElementTypeName(type), ", want ",
                         ElementTypeName(want.type()));
}

// Integers of 64 bits differ where doubles no longer do.
bool SameInteger(const Tensor& got, const Tensor& want, int64_t i, int64_t j) {
  return got.ElementAsInt64(i) == want.ElementAsInt64(j);
}

}  // namespace

absl::Status CompareOutput(const Tensor& got, const Tensor& want,
                           const Tolerance& tolerance) {
  DOVETAIL_RETURN_IF_ERROR(CheckType(got, want));
  DOVETAIL_ASSIGN_OR_RETURN(const Sampling sampling, SamplingOf(got, want));
  if (got.type() == ElementType::kString) return CompareStrings(got, want);
  const bool labels = tolerance.kind == Tolerance::Kind::kLabels;
  double worst = -1;
  int64_t worst_at = 0, wrong = 0;
  for (int64_t i = 0; i < sampling.count; ++i) {
    const int64_t at = i * sampling.step;
    const double a = got.ElementAsDouble(at), b = want.ElementAsDouble(i);
    double difference = Difference(a, b);
    if (difference == 0 && IsInteger(got.type()) &&
        !SameInteger(got, want, at, i)) {
      difference = 1;
    }
    const double allowed =
        labels ? 0 : tolerance.absolute + tolerance.relative * std::fabs(b);
    // Nothing comes near an infinity, whatever it allows.
    const bool infinite = std::isinf(difference);
    if (difference == 0 || (difference <= allowed && !infinite)) continue;
    ++wrong;
    const double excess = infinite ? difference : difference - allowed;
    if (excess > worst) {
      worst = excess;
      worst_at = i;
    }
  }
  const double may_differ =
      labels ? tolerance.other_labels * static_cast<double>(sampling.count) : 0;
  if (static_cast<double>(wrong) <= may_differ) return absl::OkStatus();
  const int64_t at = worst_at * sampling.step;
  const double a = got.ElementAsDouble(at), b = want.ElementAsDouble(worst_at);
  return InvalidArgument(
      wrong, " of ", sampling.count, " elements wrong, the worst at ",
      Position(got.shape(), at), ": ", a, ", want ", b, " (difference ",
      Difference(a, b), ")");
}

}  // namespace dovetail::conformance
