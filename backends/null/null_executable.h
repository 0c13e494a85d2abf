// A compiled model of the null device: only what goes in and comes out.
#ifndef DOVETAIL_BACKENDS_NULL_NULL_EXECUTABLE_H_
#define DOVETAIL_BACKENDS_NULL_NULL_EXECUTABLE_H_

#include <memory>
#include <string>
#include <vector>

#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

class NullExecutable : public Executable {
 public:
  NullExecutable(LoweredModel lowered, const Config& config);

  const Model* runtime_model() const override { return model_.get(); }
  absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext()
      const override;
  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override;

  // "Runs" all layers: their profile.
  const std::vector<ProfilingRecord>& layers() const { return layers_; }

 private:
  const std::unique_ptr<const Model> model_;
  std::vector<ProfilingRecord> layers_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_NULL_NULL_EXECUTABLE_H_
