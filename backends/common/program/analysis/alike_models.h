// Models that are the same but for names: the layers of a network repeat.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_ALIKE_MODELS_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_ALIKE_MODELS_H_

#include <memory>
#include <optional>
#include <vector>

#include "dovetail/core/graph/model.h"

namespace dovetail {

class AlikeModels {
 public:
  // The number of a model that was added before and is like this one, but for
  // names of nodes and tensors. Nothing: it is the first of its kind, and known
  // by `number` from now on. Constants are compared element by element.
  std::optional<int> FindOrAdd(const Model& model, int number);

 private:
  struct Known {
    int number;
    std::unique_ptr<Model> nameless;
  };
  std::vector<Known> known_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_ALIKE_MODELS_H_
