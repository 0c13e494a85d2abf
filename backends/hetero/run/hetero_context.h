// One inference of a model that is cut into parts.
#ifndef DOVETAIL_BACKENDS_HETERO_RUN_HETERO_CONTEXT_H_
#define DOVETAIL_BACKENDS_HETERO_RUN_HETERO_CONTEXT_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/backends/hetero/parts/wiring.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail::hetero {

// Has a context of each part, whose stages run one after the other. A tensor
// between two parts is written and read where it is, nothing is copied for it
// here: memory of this context's own, set once, where its shape is static; else
// what the first part has made goes to the others in a stage before theirs.
class HeteroContext : public ExecutionContext {
 public:
  // `parts` and `wiring`, of as many parts, outlive the context.
  static absl::StatusOr<std::unique_ptr<ExecutionContext>> Create(
      const Executable& whole, const Wiring& wiring,
      const std::vector<std::shared_ptr<const Executable>>& parts);

  absl::Span<const Stage> stages() override { return stages_; }
  absl::Status SetInput(int i, const Tensor& tensor) override;
  absl::Status SetOutput(int i, const Tensor& tensor) override;
  absl::StatusOr<Tensor> Input(int i) override;
  absl::StatusOr<Tensor> Output(int i) override;
  bool Takes(const DeviceMemory& memory) const override;
  void Begin(bool synchronous) override;
  void End(const absl::Status& status) override;
  void Cancel() override;
  std::vector<ProfilingRecord> profiling() const override;
  std::vector<Variable> variables() const override;
  absl::Status SetVariable(absl::string_view id, const Tensor& value) override;

 private:
  // An input of a part.
  struct Place {
    size_t part;
    int input;
  };
  struct Connection {
    Source from;
    Place to;
  };

  HeteroContext(const Executable& whole, const Wiring& wiring,
                const std::vector<std::shared_ptr<const Executable>>& parts);
  absl::Status Prepare();
  absl::Status Connect(size_t part);
  void AddStages(size_t part);
  // Tensors of the parts before go to this one.
  absl::Status PassOn(size_t part);

  const Wiring& wiring_;
  const std::vector<std::shared_ptr<const Executable>>& parts_;
  std::vector<std::unique_ptr<ExecutionContext>> contexts_;
  std::vector<std::vector<Place>> inputs_;  // of the whole model
  // For each part, what it gets anew in each inference.
  std::vector<std::vector<Connection>> passed_;
  std::vector<Stage> stages_;
};

}  // namespace dovetail::hetero

#endif  // DOVETAIL_BACKENDS_HETERO_RUN_HETERO_CONTEXT_H_
