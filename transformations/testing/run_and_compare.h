// Tests of passes as texts: a model before, the model after, and that both
// compute the same.
#ifndef DOVETAIL_TRANSFORMATIONS_TESTING_RUN_AND_COMPARE_H_
#define DOVETAIL_TRANSFORMATIONS_TESTING_RUN_AND_COMPARE_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/pass/pass.h"

namespace dovetail {

struct CompareOptions {
  // Largest difference of an element, absolute and relative to the element.
  double tolerance = 0;
  // Whether to run both models with the reference kernels on random inputs.
  bool evaluate = true;
  // Whether nodes that the pass leaves behind, as nobody reads them any more,
  // are removed before the models are compared.
  bool remove_unused = false;
};

// Runs the pass, as a pipeline with checks, on the model of text `before` (see
// core/ops/text/parse.h). Fails the test unless the result is the model of text
// `after`, whatever the order of its lines; the pass has said that it changed
// something exactly when it did; and both models give the same results.
// Friendly names are compared when `after` has any.
void RunAndCompare(Pass& pass, absl::string_view before,
                   absl::string_view after,
                   const CompareOptions& options = {});

// The same for a pass that has nothing to do.
void RunAndExpectNoChange(Pass& pass, absl::string_view text);

// The model of a text; fails the test, and gives an empty model, when there is
// an error.
Model ParseOrFail(absl::string_view text);

// Fails the test unless both models give the same results for the same random
// inputs. Extents that are not known become `extent`, or as near as they can
// be, and unknown ranks 2.
void ExpectSameResults(const Model& a, const Model& b, double tolerance,
                       int64_t extent = 2);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_TESTING_RUN_AND_COMPARE_H_
