// DFT, IDFT, RDFT, IRDFT.
#include <algorithm>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/signal/signal.h"
#include "dovetail/core/reference/signal/spectrum.h"

namespace dovetail {
namespace {

// The axes of input 1 of a tensor with `rank` axes, checked by inference.
std::vector<int> Axes(const KernelContext& context, int rank) {
  std::vector<int> axes;
  for (int64_t axis : ToInt64Vector(context.input(1))) {
    axes.push_back(static_cast<int>(axis < 0 ? axis + rank : axis));
  }
  return axes;
}

Shape WithoutLast(const Shape& shape) {
  return Shape(shape.dims().subspan(0, shape.rank() - 1));
}

absl::StatusOr<Spectrum> ReadComplex(const KernelContext& context) {
  std::vector<double> values;
  DOVETAIL_RETURN_IF_ERROR(ReadReal(context, context.input(0), values));
  Spectrum spectrum(WithoutLast(context.input(0).shape()));
  for (size_t i = 0; i < spectrum.elements().size(); ++i) {
    spectrum.elements()[i] = {values[2 * i], values[2 * i + 1]};
  }
  return spectrum;
}

absl::Status WriteComplex(const KernelContext& context, Spectrum& spectrum) {
  std::vector<double> values;
  values.reserve(2 * spectrum.elements().size());
  for (const Spectrum::Complex& x : spectrum.elements()) {
    values.push_back(x.real());
    values.push_back(x.imag());
  }
  return WriteReal(context, values, context.output(0));
}

absl::Status TransformComplex(KernelContext& context, bool inverse) {
  DOVETAIL_ASSIGN_OR_RETURN(const Spectrum data, ReadComplex(context));
  Spectrum work = data.Resized(WithoutLast(context.output(0).shape()));
  for (int axis : Axes(context, work.shape().rank())) {
    work.Transform(context, axis, inverse);
  }
  return WriteComplex(context, work);
}

// The extent along the i-th axis that data is to have; `own` unless input 2
// says otherwise.
int64_t SizeAlong(const KernelContext& context, size_t i, int64_t own) {
  if (!context.has_input(2)) return own;
  const int64_t size = context.input(2).ElementAsInt64(i);
  return size == -1 ? own : size;
}

}  // namespace

absl::Status DftKernel(KernelContext& context) {
  return TransformComplex(context, /*inverse=*/false);
}

absl::Status IdftKernel(KernelContext& context) {
  return TransformComplex(context, /*inverse=*/true);
}

absl::Status RdftKernel(KernelContext& context) {
  const Shape& shape = context.input(0).shape();
  std::vector<double> values;
  DOVETAIL_RETURN_IF_ERROR(ReadReal(context, context.input(0), values));
  Spectrum data(shape);
  data.elements().assign(values.begin(), values.end());
  const std::vector<int> axes = Axes(context, shape.rank());
  Shape size = shape;
  for (size_t i = 0; i < axes.size(); ++i) {
    size[axes[i]] = SizeAlong(context, i, shape[axes[i]]);
  }
  Spectrum work = data.Resized(size);
  // After the last axis, only the half that is kept goes on.
  work.Transform(context, axes.back(), /*inverse=*/false);
  work = work.Resized(WithoutLast(context.output(0).shape()));
  for (size_t i = 0; i + 1 < axes.size(); ++i) {
    work.Transform(context, axes[i], /*inverse=*/false);
  }
  return WriteComplex(context, work);
}

absl::Status IrdftKernel(KernelContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const Spectrum data, ReadComplex(context));
  const std::vector<int> axes = Axes(context, data.shape().rank());
  const int last = axes.back();
  const Shape& out = context.output(0).shape();
  Shape size = out;
  size[last] = std::min(data.shape()[last], out[last] / 2 + 1);
  Spectrum work = data.Resized(size);
  for (size_t i = 0; i + 1 < axes.size(); ++i) {
    work.Transform(context, axes[i], /*inverse=*/true);
  }
  work = work.WithMirroredHalf(last, out[last]);
  work.Transform(context, last, /*inverse=*/true);
  std::vector<double> values;
  values.reserve(work.elements().size());
  for (const Spectrum::Complex& x : work.elements()) {
    values.push_back(x.real());
  }
  return WriteReal(context, values, context.output(0));
}

}  // namespace dovetail
