// A model that is compiled in parts, each for a device of its own.
#ifndef DOVETAIL_BACKENDS_HETERO_RUN_HETERO_EXECUTABLE_H_
#define DOVETAIL_BACKENDS_HETERO_RUN_HETERO_EXECUTABLE_H_

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/backends/hetero/parts/wiring.h"
#include "dovetail/backends/hetero/run/joined_model.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail::hetero {

class HeteroExecutable : public Executable {
 public:
  // As many parts as the wiring has, each with the ports that it says.
  HeteroExecutable(ExecutableInfo info, Wiring wiring,
                   std::vector<std::shared_ptr<const Executable>> parts,
                   std::shared_ptr<Host> host)
      : Executable(std::move(info)),
        wiring_(std::move(wiring)),
        parts_(std::move(parts)),
        host_(std::move(host)) {}

  absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext() const override;
  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override;
  // The graphs of all parts as one, made when it is first asked for.
  const Model* runtime_model() const override;
  ExecutionInfo execution_info(const Node& node) const override;
  absl::Status Export(BlobWriter& blob) const override;

 private:
  absl::StatusOr<std::string> OfParts(absl::string_view name) const;
  const JoinedModel* joined() const;

  const Wiring wiring_;
  const std::vector<std::shared_ptr<const Executable>> parts_;
  const std::shared_ptr<Host> host_;
  mutable std::once_flag join_once_;
  mutable std::unique_ptr<const JoinedModel> joined_;
};

// The name of a part's sections in exports.
std::string PartSection(size_t part);

}  // namespace dovetail::hetero

#endif  // DOVETAIL_BACKENDS_HETERO_RUN_HETERO_EXECUTABLE_H_
