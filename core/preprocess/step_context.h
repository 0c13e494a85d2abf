// What a step of preprocessing works on, and the ways in which it adds nodes.
#ifndef DOVETAIL_CORE_PREPROCESS_STEP_CONTEXT_H_
#define DOVETAIL_CORE_PREPROCESS_STEP_CONTEXT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/graph/op_type.h"
#include "dovetail/core/preprocess/color_format.h"
#include "dovetail/core/preprocess/layout.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// Lives while the steps of one input or output are added.
class StepContext {
 public:
  // Nodes go to `model`, which outlives this, with names that begin with
  // `prefix`.
  StepContext(Model& model, absl::string_view prefix)
      : model_(model), prefix_(prefix) {}

  // ---- What the step before has left ----

  std::vector<Value> planes;  // one, but for a picture in planes
  Layout layout;              // may be empty
  ColorFormat color = ColorFormat::kUndefined;

  // The one plane. kInvalidArgument while the picture is in several.
  absl::StatusOr<Value> Data() const;
  // The same with a known rank.
  absl::StatusOr<Value> RankedData() const;
  absl::StatusOr<int> Axis(absl::string_view name) const;
  void Set(Value value) { planes = {value}; }

  // ---- What the model, or the tensor of an output, wants ----

  ElementType target_type = ElementType::kDynamic;
  PartialShape target_shape;
  Layout target_layout;

  // ---- Nodes ----

  Model& model() { return model_; }
  // The first output of a new node.
  absl::StatusOr<Value> Make(OpType type, const std::vector<Value>& inputs,
                             std::unique_ptr<Attributes> attributes = nullptr);
  absl::StatusOr<Value> Constant(const Tensor& tensor);
  absl::StatusOr<Value> Ints(const std::vector<int64_t>& values);  // i64 [n]
  // The same value when it has that type.
  absl::StatusOr<Value> Convert(Value value, ElementType type);
  absl::StatusOr<Value> Transpose(Value value,
                                  const std::vector<int64_t>& order);
  absl::StatusOr<Value> Gather(Value value, const std::vector<int64_t>& indices,
                               int axis);

 private:
  std::string NextName(absl::string_view type);

  Model& model_;
  std::string prefix_;
  int count_ = 0;
};

// One step. `name` is what messages call it.
struct Step {
  std::string name;
  std::function<absl::Status(StepContext&)> apply;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PREPROCESS_STEP_CONTEXT_H_
