// Numbers of a model's constants: names that hold in every process that has the
// same model, as addresses do not.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_CONSTANT_NUMBERS_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_CONSTANT_NUMBERS_H_

#include <optional>
#include <unordered_map>

#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

class ConstantNumbers {
 public:
  ConstantNumbers() = default;
  // Numbers the constants of a lowered model and its bodies in the order of
  // their nodes, which an export keeps. Of constants that are one memory, as a
  // folded Reshape leaves them, the first one's number is that of all. The
  // model outlives this.
  explicit ConstantNumbers(const Model& model);

  // Of a constant that lies in the same memory as one of the model's: clones of
  // the model share it. None for what was computed since, such as by folding
  // for certain shapes.
  std::optional<int> Find(const Tensor& constant) const;

 private:
  void Add(const Model& model);

  int count_ = 0;
  std::unordered_map<const void*, int> numbers_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_CONSTANT_NUMBERS_H_
