// Tensors in NumPy's .npy files: versions 1.0 to 3.0, C or Fortran order,
// little endian.
#ifndef DOVETAIL_EXTENSIONS_NPY_NPY_H_
#define DOVETAIL_EXTENSIONS_NPY_NPY_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// The tensor in a file: '|b1' gives boolean, '<f4' f32, '|S<n>' and '<U<n>'
// strings (without their padding), and so on. kNotFound when there is no such
// file, kInvalidArgument, naming the file, when it is not what it should be.
absl::StatusOr<Tensor> ReadNpy(const std::string& path);
// The same from the bytes of a file.
absl::StatusOr<Tensor> ParseNpy(absl::string_view bytes);

// Writes version 1.0 in C order. Types that NumPy lacks are widened: bf16, f8,
// f4e2m1 and nf4 to '<f4', signed sub-byte types to '|i1', unsigned ones to
// '|u1'.
absl::Status WriteNpy(const std::string& path, const Tensor& tensor);
absl::StatusOr<std::string> FormatNpy(const Tensor& tensor);

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_NPY_NPY_H_
