// The passes that every backend starts with: they simplify, and know nothing of
// what a device can do.
#ifndef DOVETAIL_TRANSFORMATIONS_PIPELINES_COMMON_H_
#define DOVETAIL_TRANSFORMATIONS_PIPELINES_COMMON_H_

#include "dovetail/core/pass/pass_manager.h"
#include "dovetail/transformations/simplify/constant_folding.h"

namespace dovetail {

struct CommonPassesOptions {
  ConstantFoldingOptions folding;
};

// Adds nop-elimination, constant-folding, common-subexpressions and dead-code,
// repeated until none of them finds anything. To be added once more behind
// passes that leave constants or dead nodes behind.
void AddCommonPasses(PassManager& manager,
                     const CommonPassesOptions& options = {});

// The same once, for a model that was as simple as it can be before shapes, or
// the like, became known: a second round costs more than it finds.
void AddCommonPassesOnce(PassManager& manager);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_PIPELINES_COMMON_H_
