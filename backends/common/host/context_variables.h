// The variables of a stateful model as one context has them.
#ifndef DOVETAIL_BACKENDS_COMMON_HOST_CONTEXT_VARIABLES_H_
#define DOVETAIL_BACKENDS_COMMON_HOST_CONTEXT_VARIABLES_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/plugin/lowered/lowered_model.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Types in which a lowered model keeps its variables, which passes may have
// changed; those that no node reads or writes any more are not in it.
using VariableTypes = std::map<std::string, ElementType>;
VariableTypes VariableTypesOf(const Model& lowered);

// Variables change only when an inference succeeds. Threads: as an
// ExecutionContext.
class ContextVariables {
 public:
  // All outlive this.
  ContextVariables(const std::vector<VariableInfo>& infos,
                   const VariableTypes& types)
      : infos_(infos), types_(types) {}

  // An inference begins: what kernels read and write.
  void Begin() { running_ = kept_; }
  VariableValues* running() { return &running_; }
  // It has succeeded.
  void Commit() { kept_ = std::move(running_); }

  // As ExecutionContext::variables and SetVariable.
  std::vector<Variable> List() const;
  absl::Status Set(absl::string_view id, const Tensor& value);

 private:
  absl::Status Keep(const VariableInfo& info, const Tensor& value);

  const std::vector<VariableInfo>& infos_;
  const VariableTypes& types_;
  VariableValues kept_;     // after the last inference
  VariableValues running_;  // of the one that runs
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_HOST_CONTEXT_VARIABLES_H_
