#include "dovetail/core/extension/extension_table.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/core/plugin/registry/loader.h"

namespace dovetail {
namespace {

// Traits of operations that the runtime itself has a part in.
constexpr uint32_t kOfTheRuntime =
    kStructural | kHasBodies | kReadsState | kHasSideEffect;

ExtensionInfo InfoOf(const OpLibrary& library, const std::string& path) {
  ExtensionInfo info;
  info.name = library.name;
  info.description = library.description;
  info.build = library.build;
  info.library = path;
  for (const OpInfo* row : library.operations) {
    if (row == nullptr) continue;
    info.operations.push_back(absl::StrCat(row->custom_opset, ".", row->type));
  }
  for (const ReplacedKernel& kernel : library.kernels) {
    info.operations.push_back(
        absl::StrCat(kernel.type, "-", kernel.version, " (kernel)"));
  }
  return info;
}

absl::Status CheckLibrary(const ManifestHead& head) {
  const auto& library = static_cast<const OpLibrary&>(head);
  if (!library.operations.empty() || !library.kernels.empty()) {
    return absl::OkStatus();
  }
  return InvalidArgument("it has no operations");
}

// A known operation with another kernel. It stays for good, as the library
// itself: models and devices point to it.
const OpInfo* KeepRow(const OpInfo& known, const ExtensionOp& extension) {
  struct Row {
    OpInfo info;
    ExtensionOp extension;
  };
  static std::mutex mutex;
  static auto& rows = *new std::deque<Row>;
  std::lock_guard<std::mutex> lock(mutex);
  Row& row = rows.emplace_back(Row{known, extension});
  row.info.custom_opset = row.extension.extension;
  row.info.extension = &row.extension;
  return &row.info;
}

}  // namespace

absl::Status ExtensionTable::CheckRow(const OpInfo* row) const {
  if (row == nullptr) return InvalidArgument("one of its rows is null");
  const std::string name = absl::StrCat(row->custom_opset, ".", row->type);
  if (row->type.empty() || row->custom_opset.empty() ||
      absl::StartsWith(row->custom_opset, "opset")) {
    return InvalidArgument("operation '", name,
                           "' needs a name, and an opset that does not begin "
                           "with 'opset'");
  }
  if (row->make_attributes == nullptr || row->infer == nullptr) {
    return InvalidArgument("operation '", name, "' has no inference");
  }
  if (row->extension == nullptr || (row->extension->kernel == nullptr &&
                                    row->extension->decompose == nullptr)) {
    return InvalidArgument("operation '", name,
                           "' has neither a kernel nor a decomposition");
  }
  for (const Extension& other : extensions_) {
    for (const OpInfo* taken : other.operations) {
      if (*taken != *row) continue;
      return AlreadyExists("operation '", name, "' is one of extension '",
                           other.info.name, "' already");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<const OpInfo*> ExtensionTable::RowOf(
    const OpLibrary& library, const ReplacedKernel& kernel) const {
  const OpInfo* known = FindOp(kernel.type, kernel.version);
  const std::string name = absl::StrCat(kernel.type, "-", kernel.version);
  if (known == nullptr) {
    return NotFound("there is no operation ", name, " to replace");
  }
  if (known->Has(static_cast<OpTrait>(kOfTheRuntime)) ||
      kernel.kernel == nullptr) {
    return InvalidArgument("operation ", name,
                           kernel.kernel == nullptr
                               ? " is given no kernel"
                               : " is the runtime's own: none can replace it");
  }
  if (const OpInfo* taken = FindReplaced(*known); taken != nullptr) {
    return AlreadyExists("operation ", name, " has the kernel of extension '",
                         taken->extension->extension, "' already");
  }
  return KeepRow(*known, {library.name, library.build, kernel.kernel});
}

absl::Status ExtensionTable::CheckSame(const Extension& old,
                                       const ExtensionInfo& added) const {
  if (old.info.build == added.build) return absl::OkStatus();
  return AlreadyExists("extension '", added.name, "' is there as build '",
                       old.info.build, "' already, this is '", added.build,
                       "'");
}

absl::Status ExtensionTable::Add(const OpLibrary& library,
                                 const std::string& path) {
  DOVETAIL_RETURN_IF_ERROR(CheckHead(&library));
  DOVETAIL_RETURN_IF_ERROR(CheckLibrary(library));
  Extension added;
  added.info = InfoOf(library, path);
  const std::string who = absl::StrCat("extension '", added.info.name, "'");
  std::lock_guard<std::mutex> lock(mutex_);
  for (const Extension& old : extensions_) {
    if (old.info.name == added.info.name) return CheckSame(old, added.info);
  }
  for (const OpInfo* row : library.operations) {
    DOVETAIL_RETURN_IF_ERROR(Annotate(CheckRow(row), who));
    added.operations.push_back(row);
  }
  for (const ReplacedKernel& kernel : library.kernels) {
    const auto row = RowOf(library, kernel);
    if (!row.ok()) return Annotate(row.status(), who);
    added.replaced.push_back(*row);
  }
  extensions_.push_back(std::move(added));
  return absl::OkStatus();
}

absl::Status ExtensionTable::Load(const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(
      const ManifestHead* head,
      LoadLibrary(path, {kOpLibraryFunction, "extension"}, CheckLibrary));
  return Annotate(Add(*static_cast<const OpLibrary*>(head), path),
                  absl::StrCat("extension library '", path, "'"));
}

std::vector<ExtensionInfo> ExtensionTable::List() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<ExtensionInfo> list;
  for (const Extension& one : extensions_) list.push_back(one.info);
  return list;
}

ExtensionBuilds ExtensionTable::Builds() const {
  ExtensionBuilds builds;
  for (const ExtensionInfo& info : List()) builds[info.name] = info.build;
  return builds;
}

const OpInfo* ExtensionTable::Find(absl::string_view type,
                                   absl::string_view opset) const {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const Extension& one : extensions_) {
    for (const OpInfo* row : one.operations) {
      if (row->custom_opset == opset &&
          absl::EqualsIgnoreCase(row->ir_type, type)) {
        return row;
      }
    }
  }
  return nullptr;
}

const OpInfo* ExtensionTable::Find(absl::string_view type, int version,
                                   absl::string_view opset) const {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const Extension& one : extensions_) {
    for (const auto* rows : {&one.operations, &one.replaced}) {
      for (const OpInfo* row : *rows) {
        if (row->type == type && row->version == version &&
            row->custom_opset == opset) {
          return row;
        }
      }
    }
  }
  return nullptr;
}

const OpInfo* ExtensionTable::FindReplaced(const OpInfo& op) const {
  if (!op.custom_opset.empty()) return nullptr;
  for (const Extension& one : extensions_) {
    for (const OpInfo* row : one.replaced) {
      if (row->type == op.type && row->version == op.version) return row;
    }
  }
  return nullptr;
}

bool ExtensionTable::has_kernels() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::any_of(
      extensions_.begin(), extensions_.end(),
      [](const Extension& one) { return !one.replaced.empty(); });
}

absl::Status ExtensionTable::UseKernels(Model& model) const {
  if (!has_kernels()) return absl::OkStatus();
  std::lock_guard<std::mutex> lock(mutex_);
  return ForEachModel(model,
                      [&](Model& each) -> absl::StatusOr<bool> {
                        bool changed = false;
                        for (const auto& node : each.nodes()) {
                          const OpInfo* row = FindReplaced(node->op());
                          if (row == nullptr) continue;
                          node->set_op(*row);
                          changed = true;
                        }
                        return changed;
                      })
      .status();
}

absl::Status ExtensionTable::Check(const ExtensionBuilds& wanted) const {
  const ExtensionBuilds there = Builds();
  for (const auto& [name, build] : wanted) {
    const auto it = there.find(name);
    if (it == there.end()) {
      return FailedPrecondition("the model has operations of extension '", name,
                                "', which is not there; add it first");
    }
    if (it->second == build) continue;
    return FailedPrecondition("the model has operations of extension '", name,
                              "' of build '", build, "', here it is '",
                              it->second, "'");
  }
  return absl::OkStatus();
}

ExtensionBuilds ExtensionsIn(const Model& model) {
  ExtensionBuilds builds;
  for (const auto& node : model.nodes()) {
    if (const ExtensionOp* extension = node->op().extension) {
      builds.emplace(extension->extension, extension->build);
    }
    for (const auto& body : node->bodies()) {
      builds.merge(ExtensionsIn(*body->model));
    }
  }
  return builds;
}

}  // namespace dovetail
