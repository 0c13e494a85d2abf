// A model as several, and how tensors go from one to the next.
#ifndef DOVETAIL_BACKENDS_HETERO_PARTS_CUT_H_
#define DOVETAIL_BACKENDS_HETERO_PARTS_CUT_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/hetero/parts/partition.h"
#include "dovetail/backends/hetero/parts/wiring.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::hetero {

struct CutResult {
  Wiring wiring;
  std::vector<std::unique_ptr<Model>> models;  // of the parts
};

// Each part as a model of its own, with the constants that it reads, whose
// tensors are shared; integers of other parts that inference knows are
// constants too, and do not cross. A result of the whole model is one of a
// part's results, which nothing else reads. Results that no part computes, but
// a parameter or a constant gives, are in a last part of `device`.
absl::StatusOr<CutResult> CutIntoParts(const Model& model,
                                       const std::vector<Part>& parts,
                                       absl::string_view device);

}  // namespace dovetail::hetero

#endif  // DOVETAIL_BACKENDS_HETERO_PARTS_CUT_H_
