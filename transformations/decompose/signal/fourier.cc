// DFT, IDFT, RDFT, IRDFT as products with matrices of roots of unity, axis by
// axis.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/tensor/shapes/axis_order.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/signal/dft_matrix.h"
#include "dovetail/transformations/decompose/signal/rules.h"

namespace dovetail {
namespace {

// Transforms with more elements in their matrix stay: it would take more memory
// than most models, and a fast transform does much less.
constexpr int64_t kMaxElements = int64_t{1} << 23;
// Any longer one has more in every case.
constexpr int64_t kMaxLength = int64_t{1} << 20;

struct Axis {
  int number;
  int64_t extent;  // of the data
  int64_t length;  // of the transform
};

// The axes of a transform of data whose last axis, when it is of complex
// numbers, is not counted; nothing when something is not known yet. The last
// axis of a real inverse gives 2 (n - 1) numbers unless told otherwise.
std::optional<std::vector<Axis>> AxesOf(NodeBuilder& b, bool complex,
                                        bool real_inverse) {
  const PartialShape& shape = b.input(0).shape();
  const auto numbers = KnownInts(b.input(1));
  if (!shape.rank_known() || !numbers.has_value()) return std::nullopt;
  const int rank = shape.rank() - (complex ? 1 : 0);
  std::vector<int64_t> sizes(numbers->size(), -1);
  if (b.input(2)) {
    const auto known = KnownInts(b.input(2));
    if (!known.has_value() || known->size() != sizes.size()) {
      return std::nullopt;
    }
    sizes = *known;
  }
  std::vector<Axis> axes;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t number = (*numbers)[i] + ((*numbers)[i] < 0 ? rank : 0);
    if (number < 0 || number >= rank) return std::nullopt;
    const Dimension& extent = shape[static_cast<int>(number)];
    if (!extent.is_static() || extent.value() < 1) return std::nullopt;
    const bool is_last = i + 1 == sizes.size();
    const int64_t own = is_last && real_inverse ? 2 * (extent.value() - 1)
                                                : extent.value();
    const int64_t length = sizes[i] == -1 ? own : sizes[i];
    if (length < 1 || length > kMaxLength) return std::nullopt;
    axes.push_back({static_cast<int>(number), extent.value(), length});
  }
  return axes;
}

// The order that brings `axis` behind all others but the last `kept`, and, the
// other way, the order that takes it back.
std::vector<int64_t> AxisLast(int rank, int axis, int kept, bool back) {
  std::vector<int64_t> order;
  for (int i = 0; i < rank - kept; ++i) {
    if (i != axis) order.push_back(i);
  }
  order.push_back(axis);
  for (int i = rank - kept; i < rank; ++i) order.push_back(i);
  return back ? InverseOrder(order) : order;
}

Value Reorder(NodeBuilder& b, Value x, const std::vector<int64_t>& order) {
  return std::is_sorted(order.begin(), order.end()) ? x : b.Transpose(x, order);
}

Value MatrixConstant(NodeBuilder& b, ElementType type,
                     const DftMatrix& matrix) {
  const auto tensor = Tensor::FromDoubles(
      type, Shape({matrix.rows, matrix.columns}), matrix.elements);
  b.Update(tensor.status());
  return tensor.ok() ? b.Constant(*tensor) : Value{};
}

// Transforms x, whose rank with the axis of complex numbers, if it has one, is
// `rank`, along one axis.
Value Transform(NodeBuilder& b, Value x, int rank, const Axis& axis,
                DftKind kind) {
  const bool complex_in = kind != DftKind::kRealForward;
  const bool complex_out = kind != DftKind::kRealInverse;
  const int64_t used =
      std::min(axis.extent, DftInputs(kind, axis.length));
  if (used < axis.extent) x = b.Slice(x, axis.number, 0, used);
  x = Reorder(b, x, AxisLast(rank, axis.number, complex_in ? 1 : 0, false));
  const int outer = rank - (complex_in ? 2 : 1);
  const Value others = outer > 0 ? b.Dims(x, 0, outer) : Value{};
  const auto with_end = [&](const std::vector<int64_t>& end) {
    return others ? b.Concat({others, b.Ints(end)}) : b.Ints(end);
  };
  const DftMatrix matrix = MakeDftMatrix(kind, axis.length, used);
  if (complex_in) x = b.Reshape(x, with_end({matrix.rows}));
  if (outer == 0) x = b.Unsqueeze(x, {0});
  x = b.MatMul(x, MatrixConstant(b, x.type(), matrix));
  if (complex_out) {
    x = b.Reshape(x, with_end({matrix.columns / 2, 2}));
  } else if (outer == 0) {
    x = b.Squeeze(x, {0});
  }
  const int new_rank = outer + (complex_out ? 2 : 1);
  return Reorder(b, x,
                 AxisLast(new_rank, axis.number, complex_out ? 1 : 0, true));
}

// Whether no matrix for these axes, all complex but the last one, is too large.
bool AreSmall(const std::vector<Axis>& axes, bool last_is_real) {
  return std::all_of(axes.begin(), axes.end(), [&](const Axis& axis) {
    const int64_t used = std::min(axis.extent, axis.length);
    const bool is_real = last_is_real && axis.number == axes.back().number;
    return used * axis.length <= kMaxElements / (is_real ? 1 : 4);
  });
}

Replacement Complex(NodeBuilder& b, DftKind kind) {
  const auto axes = AxesOf(b, /*complex=*/true, /*real_inverse=*/false);
  if (!axes.has_value() || !AreSmall(*axes, false)) return {};
  Value x = b.input(0);
  const int rank = x.shape().rank();
  for (const Axis& axis : *axes) x = Transform(b, x, rank, axis, kind);
  return {x};
}

Replacement Dft(NodeBuilder& b, const Node&) {
  return Complex(b, DftKind::kForward);
}

Replacement Idft(NodeBuilder& b, const Node&) {
  return Complex(b, DftKind::kInverse);
}

// Real along the last of the axes, then complex along the others.
Replacement Rdft(NodeBuilder& b, const Node&) {
  const auto axes = AxesOf(b, /*complex=*/false, /*real_inverse=*/false);
  if (!axes.has_value() || axes->empty() || !AreSmall(*axes, true)) return {};
  Value x = b.input(0);
  const int rank = x.shape().rank();
  x = Transform(b, x, rank, axes->back(), DftKind::kRealForward);
  for (size_t i = 0; i + 1 < axes->size(); ++i) {
    x = Transform(b, x, rank + 1, (*axes)[i], DftKind::kForward);
  }
  return {x};
}

Replacement Irdft(NodeBuilder& b, const Node&) {
  const auto axes = AxesOf(b, /*complex=*/true, /*real_inverse=*/true);
  if (!axes.has_value() || axes->empty() || !AreSmall(*axes, true)) return {};
  Value x = b.input(0);
  const int rank = x.shape().rank();
  for (size_t i = 0; i + 1 < axes->size(); ++i) {
    x = Transform(b, x, rank, (*axes)[i], DftKind::kInverse);
  }
  return {Transform(b, x, rank, axes->back(), DftKind::kRealInverse)};
}

constexpr NodeRule kRules[] = {
    {"DFT", 7, "x * exp(-2 pi i j k / n), axis by axis", &Dft},
    {"IDFT", 7, "x * exp(2 pi i j k / n) / n, axis by axis", &Idft},
    {"RDFT", 9, "a real DFT, then complex ones", &Rdft},
    {"IRDFT", 9, "complex IDFTs, then a real one", &Irdft},
};

}  // namespace

absl::Span<const NodeRule> FourierDecompositions() { return kRules; }

}  // namespace dovetail
