// Table of the operations that extensions have added to a Core, and of the
// kernels that they have replaced.
#ifndef DOVETAIL_CORE_EXTENSION_EXTENSION_TABLE_H_
#define DOVETAIL_CORE_EXTENSION_EXTENSION_TABLE_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/extension/op_library.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

// What an extension is, for people.
struct ExtensionInfo {
  std::string name;  // "sample_operations"
  std::string description;
  std::string build;    // a hash over its sources, and the toolchain
  std::string library;  // the file that it was loaded from; "" when linked
  std::vector<std::string> operations;  // "sample.Squash", "Gelu-7 (kernel)"
};

// By name, its build.
using ExtensionBuilds = std::map<std::string, std::string>;

// Thread-safe. What it has once stays, at the same place, for as long as the
// process lives.
class ExtensionTable {
 public:
  // All of the library's operations and kernels, or none. The same library
  // again is no error. kAlreadyExists names the extension that has an operation
  // of that name, or a kernel for it, or is another one by the same name;
  // kInvalidArgument names a row that is incomplete, kNotFound an operation to
  // replace that there is not.
  absl::Status Add(const OpLibrary& library, const std::string& path = "");
  // The same of a shared library, with errors as of LoadLibrary.
  absl::Status Load(const std::string& path);

  std::vector<ExtensionInfo> List() const;
  ExtensionBuilds Builds() const;

  // An operation by type (any case) and opset, as files spell them; null
  // without it.
  const OpInfo* Find(absl::string_view type, absl::string_view opset) const;
  // By what an export says of it; the opset of a replaced kernel's row is the
  // extension's name.
  const OpInfo* Find(absl::string_view type, int version,
                     absl::string_view opset) const;

  // Whether any extension replaces a kernel.
  bool has_kernels() const;
  // Gives the nodes whose operation has a kernel here that kernel, in bodies
  // too.
  absl::Status UseKernels(Model& model) const;
  // kFailedPrecondition names the extension that is not there or is another
  // build.
  absl::Status Check(const ExtensionBuilds& wanted) const;

 private:
  struct Extension {
    ExtensionInfo info;
    std::vector<const OpInfo*> operations;
    std::vector<const OpInfo*> replaced;
  };

  absl::Status CheckRow(const OpInfo* row) const;
  absl::StatusOr<const OpInfo*> RowOf(const OpLibrary& library,
                                      const ReplacedKernel& kernel) const;
  const OpInfo* FindReplaced(const OpInfo& op) const;
  absl::Status CheckSame(const Extension& old,
                         const ExtensionInfo& added) const;

  mutable std::mutex mutex_;
  std::vector<Extension> extensions_;
};

// The extensions whose operations or kernels a model has, in bodies too.
ExtensionBuilds ExtensionsIn(const Model& model);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXTENSION_EXTENSION_TABLE_H_
