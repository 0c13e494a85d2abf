// Bounds for results that are computed in f16 or bf16, or of activations that
// are quantized to bytes.
//
// The indices of cases have bounds of f32. A linear operation in a narrow type
// rounds both of its factors, by up to half of the last bit: 2^-8 of themselves
// in bf16, 2^-11 in f16. Such errors fall to either side, so that those of L
// operations, one behind the other, add up like sqrt(L); an output of one
// number may have three times of that. And since sums cancel, errors are to be
// seen as a part of the greatest number of outputs of one shape, which are
// likely to be of one kind, and not of each number:
//
//   6 * 2^-8 * sqrt(L) of the greatest, or 0.023 for L = 1, 0.17 for L = 50
//
// Activations that a device quantizes to multiply them with compressed weights
// (DYNAMIC_QUANTIZATION_GROUP_SIZE) are off by as much as those of bf16.
#ifndef DOVETAIL_TOOLS_CONFORMANCE_COMPARE_PRECISION_H_
#define DOVETAIL_TOOLS_CONFORMANCE_COMPARE_PRECISION_H_

#include <string>
#include <vector>

#include "dovetail/core/runtime/runtime.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/tools/conformance/cases/case_index.h"
#include "dovetail/tools/conformance/cases/device_exceptions.h"

namespace dovetail::conformance {

struct Precision {
  std::string type = "f32";  // "bf16", "f16", "i8" where they are quantized
  // What numbers may be off by, as a part of the greatest one, besides what f32
  // may; 0 for f32.
  double share = 0;
  // Every operation stores its results in that type, not only linear ones.
  bool rounds_all = false;
};

// That of what the model was compiled to: its INFERENCE_PRECISION_HINT, which
// is the type in force, and the linear operations of its runtime model, or all
// of them, where it stores values in that type (one, where there is no such
// model). f32 for devices that name no narrow type. The type and the share of
// one operation are those of `exceptions`, where these have any; with a type of
// theirs, or one in which all values are stored, every operation counts.
// Where that is f32, products with compressed weights count if
// DYNAMIC_QUANTIZATION_GROUP_SIZE is in force.
Precision PrecisionOf(const CompiledModel& compiled,
                      const DeviceExceptions& exceptions = {});

// The same bounds, wider by that, for output `i` of those that are expected.
// Whole numbers stay exact, but more labels may differ.
Tolerance WithPrecision(Tolerance tolerance, const Precision& precision,
                        const std::vector<Tensor>& want, size_t i);

}  // namespace dovetail::conformance

#endif  // DOVETAIL_TOOLS_CONFORMANCE_COMPARE_PRECISION_H_
