#include "dovetail/core/ops/ctc/ctc_greedy_decoder.h"

#include "dovetail/core/ops/common/checks.h"

namespace dovetail {

absl::Status InferCtcGreedyDecoder(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireSameType(context, 0, 1).status());
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 0, 3));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 2));
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension time,
                            RequireSameDimension(context, 0, 0, 1, 0, "T"));
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension batch,
                            RequireSameDimension(context, 0, 1, 1, 1, "N"));
  context.SetOutput(0, context.type(0), PartialShape{batch, time, 1, 1});
  return absl::OkStatus();
}

absl::Status InferCtcGreedyDecoderSeqLen(InferContext& context) {
  const auto& attributes =
      context.attributes<CtcGreedyDecoderSeqLenAttributes>();
  DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 0, 3));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 1));
  if (context.has_input(2)) {
    DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 2));
    DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, 2));
  }
  for (const ElementType type :
       {attributes.classes_index_type, attributes.sequence_length_type}) {
    if (type == ElementType::kI32 || type == ElementType::kI64) continue;
    return context.Error("an output type is ", ElementTypeName(type),
                         ", want i32 or i64");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension batch,
                            RequireSameDimension(context, 0, 0, 1, 0, "N"));
  const Dimension time =
      context.shape(0).rank_known() ? context.shape(0)[1] : Dimension();
  context.SetOutput(0, attributes.classes_index_type,
                    PartialShape{batch, time});
  context.SetOutput(1, attributes.sequence_length_type, PartialShape{batch});
  return absl::OkStatus();
}

}  // namespace dovetail
