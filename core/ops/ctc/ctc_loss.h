// CTCLoss: how unlikely the right labels are (Graves et al., "Connectionist
// temporal classification", 2006).
#ifndef DOVETAIL_CORE_OPS_CTC_CTC_LOSS_H_
#define DOVETAIL_CORE_OPS_CTC_CTC_LOSS_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct CtcLossAttributes : public AttributesOf<CtcLossAttributes> {
  // Repetitions in the labels count once.
  bool preprocess_collapse_repeated = false;
  // Repetitions in an alignment are one label, unless a blank parts them;
  // else each label is at one time only.
  bool ctc_merge_repeated = true;
  // Each label counts where it occurs first, and nowhere else.
  bool unique = false;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("preprocess_collapse_repeated", preprocess_collapse_repeated);
    visitor.Visit("ctc_merge_repeated", ctc_merge_repeated);
    visitor.Visit("unique", unique);
  }
};

// logits [N, T, C], their lengths [N], labels [N, T], their lengths [N],
// perhaps the blank's class, a scalar (the last class when left out)
// -> -log of the probability of the labels, [N].
absl::Status InferCtcLoss(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_CTC_CTC_LOSS_H_
