// CTCGreedyDecoder and CTCGreedyDecoderSeqLen: the most likely class at each
// time, repetitions and blanks left out (Graves et al., "Connectionist temporal
// classification", 2006).
#ifndef DOVETAIL_CORE_OPS_CTC_CTC_GREEDY_DECODER_H_
#define DOVETAIL_CORE_OPS_CTC_CTC_GREEDY_DECODER_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct CtcGreedyDecoderAttributes
    : public AttributesOf<CtcGreedyDecoderAttributes> {
  bool ctc_merge_repeated = true;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("ctc_merge_repeated", ctc_merge_repeated);
  }
};

struct CtcGreedyDecoderSeqLenAttributes
    : public AttributesOf<CtcGreedyDecoderSeqLenAttributes> {
  bool merge_repeated = true;
  ElementType classes_index_type = ElementType::kI32;
  ElementType sequence_length_type = ElementType::kI32;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("merge_repeated", merge_repeated);
    visitor.Visit("classes_index_type", classes_index_type);
    visitor.Visit("sequence_length_type", sequence_length_type);
  }
};

// data [T, N, C], sequence_mask [T, N] -> [N, T, 1, 1] of data's type.
absl::Status InferCtcGreedyDecoder(InferContext& context);
// data [N, T, C], sequence_length [N], perhaps blank_index
// -> classes [N, T], their numbers [N].
absl::Status InferCtcGreedyDecoderSeqLen(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_CTC_CTC_GREEDY_DECODER_H_
