// Kernels that layers get by trial, in place of the first of their list.
#ifndef DOVETAIL_BACKENDS_CPU_COMPILER_KERNEL_CHOICES_H_
#define DOVETAIL_BACKENDS_CPU_COMPILER_KERNEL_CHOICES_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// Nodes go by their names, which an export keeps. A choice that a plan cannot
// follow, because the kernel declines there, changes nothing.
class KernelChoices {
 public:
  // Empty: none was made.
  absl::string_view Of(const Node& node) const {
    const auto it = kernels_.find(node.name());
    return it == kernels_.end() ? absl::string_view() : it->second;
  }
  void Choose(const std::string& node, std::string kernel) {
    kernels_[node] = std::move(kernel);
  }

  bool empty() const { return kernels_.empty(); }
  // By the node's name.
  const std::map<std::string, std::string>& kernels() const { return kernels_; }

 private:
  std::map<std::string, std::string> kernels_;
};

// The kernels of a list that take a node.
struct OfferedKernels {
  const Node* node = nullptr;
  std::string taken;
  std::vector<std::string> others;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPILER_KERNEL_CHOICES_H_
