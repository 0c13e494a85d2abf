// A model that a device runs for several requests at once.
#ifndef DOVETAIL_BACKENDS_BATCH_BATCH_EXECUTABLE_H_
#define DOVETAIL_BACKENDS_BATCH_BATCH_EXECUTABLE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/backends/batch/batch_bytes.h"
#include "dovetail/backends/batch/gathering.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail::batch {

inline constexpr absl::string_view kTimeout = "AUTO_BATCH_TIMEOUT";
inline constexpr absl::string_view kReason = "AUTO_BATCH_REASON";

class BatchExecutable : public Executable {
 public:
  // `compile` is for the parts that are null.
  BatchExecutable(ExecutableInfo info, CompiledParts compiled,
                  BatchParts::Compile compile, std::shared_ptr<Host> host);

  absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext() const override;
  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override;
  std::vector<PropertySpec> own_properties() const override;
  absl::Status SetProperty(absl::string_view name,
                           absl::string_view value) const override;
  const Model* runtime_model() const override {
    return parts_.largest().runtime_model();
  }
  ExecutionInfo execution_info(const Node& node) const override {
    return parts_.largest().execution_info(node);
  }
  absl::Status Export(BlobWriter& blob) const override;

 private:
  absl::StatusOr<std::string> OfPart(absl::string_view name) const;

  const CompiledParts compiled_;  // without the parts
  const std::shared_ptr<Host> host_;
  mutable BatchParts parts_;
  const std::unique_ptr<Gathering> gathering_;  // null: one part alone
};

}  // namespace dovetail::batch

#endif  // DOVETAIL_BACKENDS_BATCH_BATCH_EXECUTABLE_H_
