#include "dovetail/core/pass/print_observer.h"

namespace dovetail {

void PrintObserver::Before(const Pass& pass, const Model& model) {
  out_ << "pass " << pass.name() << ": " << model.node_count() << " nodes\n";
}

void PrintObserver::After(const Pass& pass, const Model& model, bool changed) {
  out_ << "pass " << pass.name() << ": ";
  if (!changed) {
    out_ << "no change\n";
    return;
  }
  out_ << "now " << model.node_count() << " nodes\n";
  if (with_models_) out_ << model.ToString();
}

}  // namespace dovetail
