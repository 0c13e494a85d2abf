// One step that changes a model: a simplification, a fusion, a lowering.
#ifndef DOVETAIL_CORE_PASS_PASS_H_
#define DOVETAIL_CORE_PASS_PASS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

class Pass;

// Told of every pass that a pipeline runs, also of those in pipelines within.
class PassObserver {
 public:
  virtual ~PassObserver() = default;
  virtual void Before(const Pass& pass, const Model& model) = 0;
  // After a pass that succeeded.
  virtual void After(const Pass& pass, const Model& model, bool changed) = 0;
};

// What a pass does not say otherwise, it keeps: what the model computes, its
// parameters and results with their types, shapes and names, and in rt_info
// which original layers each node stands for. A pass object holds no more than
// its options; it runs on one model at a time.
class Pass {
 public:
  virtual ~Pass() = default;

  // "constant-folding": lower case, words joined by hyphens.
  virtual absl::string_view name() const = 0;

  // Changes the model and the bodies within it; answers whether it did. After
  // an error the model may be half changed and is of no more use.
  virtual absl::StatusOr<bool> Run(Model& model) = 0;

  // For passes that run other passes. The observer has to outlive them.
  virtual void set_observer(PassObserver*) {}
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PASS_PASS_H_
