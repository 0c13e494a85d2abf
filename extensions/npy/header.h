// The header of a .npy file: a Python dictionary as text, such as
// "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }".
#ifndef DOVETAIL_EXTENSIONS_NPY_HEADER_H_
#define DOVETAIL_EXTENSIONS_NPY_HEADER_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail::npy {

struct Header {
  std::string descr;  // "<f4"
  bool fortran_order = false;
  Shape shape;
  int64_t data_offset = 0;  // of the first element in the file
};

// kInvalidArgument says what in the bytes is not as it should be.
absl::StatusOr<Header> ParseHeader(absl::string_view bytes);
// Magic, version and dictionary, padded so that data starts at a multiple of
// 64 bytes.
std::string FormatHeader(absl::string_view descr, const Shape& shape);

}  // namespace dovetail::npy

#endif  // DOVETAIL_EXTENSIONS_NPY_HEADER_H_
