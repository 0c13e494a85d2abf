// How an update and what is there already become one, as text of kernels.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_SCATTER_SCATTER_COMBINE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_SCATTER_SCATTER_COMBINE_H_

#include <string>

#include "dovetail/core/graph/node.h"
#include "dovetail/core/ops/indexing/scatter/scatter_elements_update.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::gpu {

// That of a scatter operation of any kind.
struct ScatterCombine {
  enum class How { kNone, kSum, kSub, kProd, kMin, kMax, kMean };
  How how = How::kNone;
  bool use_data = true;  // whether the data's element takes part
};
ScatterCombine CombineOf(const Node& node);

// Whether kernels combine elements of that type: f32, integers and boolean.
bool CanCombine(const ScatterCombine& combine, ElementType type);

// The type in which elements are combined: "long", and so on; nothing is lost
// by narrowing in the end.
std::string CombinedType(const ScatterCombine& combine, ElementType type);

// An expression over `there` and `update`, of CombinedType.
std::string CombinedText(const ScatterCombine& combine, ElementType type);
// An expression for the mean over `there`, of CombinedType, and the int
// `count`.
std::string MeanText(ElementType type);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_SCATTER_SCATTER_COMBINE_H_
