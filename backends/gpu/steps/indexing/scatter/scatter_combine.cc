#include "dovetail/backends/gpu/steps/indexing/scatter/scatter_combine.h"

#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/core/ops/indexing/scatter/scatter_nd_update.h"

namespace dovetail::gpu {
namespace {

using How = ScatterCombine::How;

How HowOf(ScatterReduction reduction) {
  switch (reduction) {
    case ScatterReduction::kNone:
      return How::kNone;
    case ScatterReduction::kSum:
      return How::kSum;
    case ScatterReduction::kProd:
      return How::kProd;
    case ScatterReduction::kMin:
      return How::kMin;
    case ScatterReduction::kMax:
      return How::kMax;
    case ScatterReduction::kMean:
      return How::kMean;
  }
  return How::kNone;
}

How HowOf(ScatterNDReduction reduction) {
  switch (reduction) {
    case ScatterNDReduction::kNone:
      return How::kNone;
    case ScatterNDReduction::kSum:
      return How::kSum;
    case ScatterNDReduction::kSub:
      return How::kSub;
    case ScatterNDReduction::kProd:
      return How::kProd;
    case ScatterNDReduction::kMin:
      return How::kMin;
    case ScatterNDReduction::kMax:
      return How::kMax;
  }
  return How::kNone;
}

// Truth values: a sum is "or", a product "and".
const char* BooleanText(How how) {
  switch (how) {
    case How::kSum:
    case How::kMax:
      return "there | update";
    case How::kProd:
    case How::kMin:
      return "there & update";
    case How::kSub:
      return "there != update";
    default:
      return "update";
  }
}

}  // namespace

ScatterCombine CombineOf(const Node& node) {
  ScatterCombine combine;
  if (const auto* nd = node.As<ScatterNDUpdateAttributes>()) {
    combine.how = HowOf(nd->reduction);
  } else if (const auto* elements =
                 node.As<ScatterElementsUpdateAttributes>()) {
    combine.how = HowOf(elements->reduction);
    combine.use_data = combine.how == How::kNone || elements->use_init_val;
  }
  return combine;
}

bool CanCombine(const ScatterCombine& combine, ElementType type) {
  if (combine.how == How::kNone) return BitWidth(type) % 8 == 0;
  return type == ElementType::kF32 || type == ElementType::kBoolean ||
         (IsInteger(type) && HasClType(type));
}

std::string CombinedType(const ScatterCombine& combine, ElementType type) {
  if (combine.how == How::kNone) {
    return std::string(ClBytes(BitWidth(type) / 8));
  }
  if (type == ElementType::kF32) return "float";
  if (type == ElementType::kBoolean) return "uchar";
  return type == ElementType::kU64 ? "ulong" : "long";
}

std::string CombinedText(const ScatterCombine& combine, ElementType type) {
  if (type == ElementType::kBoolean) return BooleanText(combine.how);
  switch (combine.how) {
    case How::kNone:
      return "update";
    case How::kMean:
    case How::kSum:
      return "there + update";
    case How::kSub:
      return "there - update";
    case How::kProd:
      return "there * update";
    case How::kMin:
      return "update < there ? update : there";
    case How::kMax:
      return "there < update ? update : there";
  }
  return "update";
}

std::string MeanText(ElementType type) {
  if (type == ElementType::kBoolean) return "there";
  if (!IsInteger(type) || type == ElementType::kU64) return "there / count";
  // Rounded down.
  return "there / count - (there % count != 0 && there < 0 ? 1 : 0)";
}

}  // namespace dovetail::gpu
