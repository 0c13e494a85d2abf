#include "dovetail/core/ops/add_convert.h"

#include <memory>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/elementwise/convert.h"
#include "dovetail/core/ops/op_table.h"

namespace dovetail {

absl::StatusOr<Node*> AddConvert(Model& model, Value value, ElementType type,
                                 absl::string_view name) {
  const OpInfo* op = FindOp("Convert-0");
  if (op == nullptr) return Internal("there is no operation Convert");
  auto attributes = std::make_unique<ConvertAttributes>();
  attributes->destination_type = type;
  return model.Add(*op, {value}, std::move(attributes), name);
}

}  // namespace dovetail
