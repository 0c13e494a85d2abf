#include "dovetail/backends/common/host/context_variables.h"

#include <utility>

#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"

namespace dovetail {

VariableTypes VariableTypesOf(const Model& lowered) {
  VariableTypes types;
  for (const VariableInfo& variable : FindVariables(lowered)) {
    types[variable.id] = variable.type;
  }
  return types;
}

std::vector<Variable> ContextVariables::List() const {
  std::vector<Variable> variables;
  for (const VariableInfo& info : infos_) {
    Variable variable;
    variable.id = info.id;
    const auto it = kept_.find(info.id);
    if (it != kept_.end()) {
      variable.value = it->second;
      const bool converted =
          info.type != ElementType::kDynamic && info.type != it->second.type();
      auto shown =
          converted ? ConvertTensor(it->second, info.type) : it->second.Clone();
      if (shown.ok()) variable.value = *std::move(shown);
    }
    variables.push_back(std::move(variable));
  }
  return variables;
}

absl::Status ContextVariables::Keep(const VariableInfo& info,
                                    const Tensor& value) {
  const bool right_type =
      info.type == ElementType::kDynamic || info.type == value.type();
  if (!right_type || !info.shape.Contains(value.shape())) {
    return InvalidArgument("variable '", info.id, "' is ",
                           ElementTypeName(info.type), info.shape.ToString(),
                           ", the tensor ", ElementTypeName(value.type()),
                           value.shape().ToString());
  }
  const auto it = types_.find(info.id);
  const bool convert = it != types_.end() &&
                       it->second != ElementType::kDynamic &&
                       it->second != value.type();
  DOVETAIL_ASSIGN_OR_RETURN(
      kept_[info.id],
      convert ? ConvertTensor(value, it->second) : value.Clone());
  return absl::OkStatus();
}

absl::Status ContextVariables::Set(absl::string_view id, const Tensor& value) {
  std::vector<std::string> known;
  for (const VariableInfo& info : infos_) {
    known.push_back(info.id);
    if (info.id != id) continue;
    if (value.has_data()) return Keep(info, value);
    kept_.erase(info.id);
    return absl::OkStatus();
  }
  return NotFound("there is no variable '", id, "'; the variables are: ",
                  known.empty() ? "(none)" : absl::StrJoin(known, ", "));
}

}  // namespace dovetail
