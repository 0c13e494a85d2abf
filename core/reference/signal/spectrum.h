// A tensor of complex numbers, as the transforms work on it.
#ifndef DOVETAIL_CORE_REFERENCE_SIGNAL_SPECTRUM_H_
#define DOVETAIL_CORE_REFERENCE_SIGNAL_SPECTRUM_H_

#include <complex>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

class Spectrum {
 public:
  using Complex = std::complex<double>;

  explicit Spectrum(const Shape& shape)
      : shape_(shape), elements_(shape.Count()) {}

  const Shape& shape() const { return shape_; }
  std::vector<Complex>& elements() { return elements_; }

  // The elements that are also in `shape`, zeros beyond them: a signal_size
  // beyond the data pads, for inverse transforms too.
  Spectrum Resized(const Shape& shape) const;
  // Transforms every line along an axis.
  void Transform(const KernelContext& context, int axis, bool inverse);
  // Stretches the first half of a spectrum along `axis` to the `size` that it
  // has as a whole when what it stands for is real.
  Spectrum WithMirroredHalf(int axis, int64_t size) const;

 private:
  Shape shape_;
  std::vector<Complex> elements_;
};

// Numbers of a float tensor, and back.
absl::Status ReadReal(const KernelContext& context, const Tensor& tensor,
                      std::vector<double>& values);
absl::Status WriteReal(const KernelContext& context,
                       const std::vector<double>& values, const Tensor& out);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_SIGNAL_SPECTRUM_H_
