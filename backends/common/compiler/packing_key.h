// Keys that tell packed constants apart.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_PACKING_KEY_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_PACKING_KEY_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// The constants that are packed, each with its type and shape, as one memory
// may be seen in several shapes; and the form that they get. Equal keys have
// equal packed bytes.
struct PackingKey {
  // `form` names the kernel and says all that decides, beside the constants,
  // which bytes it gets: two kernels, or one of other sizes, must not have the
  // same. It may hold any bytes.
  PackingKey(std::string form, const Tensor& constant)
      : constants({constant}), form(std::move(form)) {}
  PackingKey(std::string form, std::vector<Tensor> constants)
      : constants(std::move(constants)), form(std::move(form)) {}

  std::vector<Tensor> constants;
  std::string form;
};

// "f32[64,32,3,3]", with strides where elements are not dense: how a key says
// in which shape a constant is seen.
std::string ViewText(const Tensor& constant);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_PACKING_KEY_H_
