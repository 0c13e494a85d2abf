// A model as several, and how tensors go from one to the next.
#ifndef DOVETAIL_BACKENDS_HETERO_CUT_H_
#define DOVETAIL_BACKENDS_HETERO_CUT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/hetero/partition.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::hetero {

// Where a tensor comes from: output `index` of a part, or, where `part` is -1,
// input `index` of the whole model.
struct Source {
  int part = -1;
  int index = 0;
  friend bool operator==(const Source&, const Source&) = default;
};

// What one part needs to run.
struct Wiring {
  std::string device;
  std::vector<Source> inputs;
};

struct CutModel {
  std::vector<Wiring> parts;    // in the order in which they run
  std::vector<Source> results;  // of the whole model
};

// A line a part and one for the results; ReadWiring reads it again.
std::string WiringText(const CutModel& cut);
// kDataLoss for a text that WiringText does not write.
absl::StatusOr<CutModel> ReadWiring(absl::string_view text);

struct CutResult {
  CutModel wiring;
  std::vector<std::unique_ptr<Model>> models;  // of the parts
};

// Each part as a model of its own, with the constants that it reads, whose
// tensors are shared. A result of the whole model is one of a part's results,
// which nothing else reads. Results that no part computes, but a parameter or a
// constant gives, are in a last part of `device`.
absl::StatusOr<CutResult> CutIntoParts(const Model& model,
                                       const std::vector<Part>& parts,
                                       absl::string_view device);

}  // namespace dovetail::hetero

#endif  // DOVETAIL_BACKENDS_HETERO_CUT_H_
