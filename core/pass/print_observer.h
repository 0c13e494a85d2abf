// Writes what a pipeline does to a stream.
#ifndef DOVETAIL_CORE_PASS_PRINT_OBSERVER_H_
#define DOVETAIL_CORE_PASS_PRINT_OBSERVER_H_

#include <ostream>

#include "dovetail/core/pass/pass.h"

namespace dovetail {

// One line for each pass: its name, how many nodes there were and are; and the
// model's text behind it when the pass changed something and `with_models`.
class PrintObserver : public PassObserver {
 public:
  // The stream has to outlive the observer.
  PrintObserver(std::ostream& out, bool with_models)
      : out_(out), with_models_(with_models) {}

  void Before(const Pass& pass, const Model& model) override;
  void After(const Pass& pass, const Model& model, bool changed) override;

 private:
  std::ostream& out_;
  bool with_models_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PASS_PRINT_OBSERVER_H_
