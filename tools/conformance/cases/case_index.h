// A set of cases on disk: an index.tsv and a folder a case, as the oracle and
// the expected outputs of real models have them.
//
//   <set>/index.tsv           tab-separated, the first line names the columns
//   <set>/<case>/model.xml    or column `model`: a path below --models
//                             column `ov_int8_diff`: an output's greatest
//                             difference and number, as one good execution in
//                             integers has them
//   <set>/<case>/in<i>.npy    i-th parameter in the order of the file
//   <set>/<case>/out<i>.npy   i-th result; out<i>.step<k>.npy: k-th inference
#ifndef DOVETAIL_TOOLS_CONFORMANCE_CASES_CASE_INDEX_H_
#define DOVETAIL_TOOLS_CONFORMANCE_CASES_CASE_INDEX_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dovetail::conformance {

// How an output is compared.
struct Tolerance {
  enum class Kind {
    kRelative,  // |got - want| <= absolute + relative * |want|
    kLabels,    // integers, some of which may differ
    kBoxes,     // detections, by label, overlap and confidence
  };
  Kind kind = Kind::kRelative;
  double absolute = 0, relative = 0;
  // In place of `absolute` where sums may be in another order.
  double absolute_of_roundings = 0;
  double other_labels = 0.001;  // as a part of all
};

struct Case {
  std::string name;
  std::string folder;      // where in<i>.npy and out<i>.npy are
  std::string model_path;
  std::string operations;  // column `ops`
  std::string evidence;    // columns `source` and `note`, ": " between
  bool quantized = false;  // column `kind` is int8: looser for detections
  bool roundings = false;  // AllowRoundings has given wider bounds
  // One an output; the last one is for all further outputs. Never empty.
  std::vector<Tolerance> tolerances;

  const Tolerance& tolerance(size_t output) const {
    return tolerances[output < tolerances.size() ? output
                                                 : tolerances.size() - 1];
  }
};

// The cases of a set whose names match `filter` ("*" and "?"), in the order of
// the index. `models_root` is needed when the index has a column `model`.
// Errors name file, line and column.
absl::StatusOr<std::vector<Case>> ReadCaseIndex(const std::string& directory,
                                                const std::string& models_root,
                                                absl::string_view filter);

// Lets cases of quantized networks be four times as far off as `ov_int8_diff`
// says, or as a quarter of the greatest number if that is less, for devices
// whose sums are in another order than those that are expected, in integers or
// in floats: a value next to a tie of FakeQuantize falls to the other side by
// its last bit, and each layer behind it moves more of them. What one execution
// is off by is one draw: on a Xeon with AVX-512 OpenVINO's own was off by 0.8
// to 3.2 times as much (horizontal-text-detection-0001).
void AllowRoundings(std::vector<Case>& cases);

// Whether the whole of `text` matches `pattern` with "*" and "?".
bool MatchesGlob(absl::string_view pattern, absl::string_view text);

}  // namespace dovetail::conformance

#endif  // DOVETAIL_TOOLS_CONFORMANCE_CASES_CASE_INDEX_H_
