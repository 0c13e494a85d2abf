// Models as text whose layers' names end in the letter of their device.
#ifndef DOVETAIL_BACKENDS_HETERO_TESTING_LETTERED_MODEL_H_
#define DOVETAIL_BACKENDS_HETERO_TESTING_LETTERED_MODEL_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/hetero/parts/partition.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::hetero {

struct LetteredModel {
  Model model;
  Assignment devices;  // the layer "a_A" is of device "A"
};

// Of a parameter %x, f32 of `shape` ("?,4"), and the layers.
absl::StatusOr<LetteredModel> ParseLettered(absl::string_view shape,
                                            absl::string_view layers);

// "A(a b) B(c)", of the layers a_A, b_A and c_B.
std::string PartsText(const std::vector<Part>& parts);

}  // namespace dovetail::hetero

#endif  // DOVETAIL_BACKENDS_HETERO_TESTING_LETTERED_MODEL_H_
