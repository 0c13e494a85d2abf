#include "dovetail/core/reference/signal/spectrum.h"

#include <algorithm>

#include "dovetail/core/reference/common/indexing.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/reference/signal/fft.h"

namespace dovetail {
namespace {

// Lines along an axis: `outer` blocks of `inner` lines that begin side by side.
struct Lines {
  Lines(const Shape& shape, int axis)
      : length(shape[axis]),
        inner(shape.Count(axis + 1, shape.rank())),
        count(shape.Count(0, axis) * inner) {}
  int64_t first(int64_t line) const {
    return line / inner * inner * length + line % inner;
  }
  int64_t length, inner, count;
};

}  // namespace

Spectrum Spectrum::Resized(const Shape& shape) const {
  Spectrum result(shape);
  Shape both = shape;
  for (int i = 0; i < shape.rank(); ++i) both[i] = std::min(both[i], shape_[i]);
  Odometer<2> at(both, {RowMajorStrides(shape_), RowMajorStrides(shape)});
  const int64_t count = both.Count();
  for (int64_t i = 0; i < count; ++i, at.Next()) {
    result.elements_[at.offset(1)] = elements_[at.offset(0)];
  }
  return result;
}

void Spectrum::Transform(const KernelContext& context, int axis,
                         bool inverse) {
  const Lines lines(shape_, axis);
  if (lines.count == 0 || lines.length <= 1) return;
  const Fft fft(lines.length);
  ParallelLoop(
      context, lines.count, lines.length * 20,
      [&](int64_t begin, int64_t end) {
        std::vector<Complex> line(lines.length);
        for (int64_t i = begin; i < end; ++i) {
          Complex* first = elements_.data() + lines.first(i);
          for (int64_t k = 0; k < lines.length; ++k) {
            line[k] = first[k * lines.inner];
          }
          inverse ? fft.Inverse(line.data()) : fft.Forward(line.data());
          for (int64_t k = 0; k < lines.length; ++k) {
            first[k * lines.inner] = line[k];
          }
        }
      });
}

Spectrum Spectrum::WithMirroredHalf(int axis, int64_t size) const {
  Shape shape = shape_;
  shape[axis] = size;
  Spectrum result = Resized(shape);
  const Lines lines(shape, axis);
  const int64_t inner = lines.inner;
  for (int64_t i = 0; i < lines.count; ++i) {
    Complex* first = result.elements_.data() + lines.first(i);
    for (int64_t k = size / 2 + 1; k < size; ++k) {
      first[k * inner] = std::conj(first[(size - k) * inner]);
    }
  }
  return result;
}

absl::Status ReadReal(const KernelContext& context, const Tensor& tensor,
                      std::vector<double>& values) {
  return DispatchFloat(tensor.type(), context, [&](auto tag) -> absl::Status {
    using T = typename decltype(tag)::type;
    const auto elements = tensor.span<T>();
    values.assign(elements.begin(), elements.end());
    return absl::OkStatus();
  });
}

absl::Status WriteReal(const KernelContext& context,
                       const std::vector<double>& values, const Tensor& out) {
  return DispatchFloat(out.type(), context, [&](auto tag) -> absl::Status {
    using T = typename decltype(tag)::type;
    std::transform(values.begin(), values.end(), out.mutable_data<T>(),
                   [](double x) { return static_cast<T>(x); });
    return absl::OkStatus();
  });
}

}  // namespace dovetail
