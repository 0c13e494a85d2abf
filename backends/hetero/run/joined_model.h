// The graphs that the parts of a model run, as one.
#ifndef DOVETAIL_BACKENDS_HETERO_RUN_JOINED_MODEL_H_
#define DOVETAIL_BACKENDS_HETERO_RUN_JOINED_MODEL_H_

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/backends/hetero/parts/wiring.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail::hetero {

// What a part's runtime model has for its inputs and results are no nodes here,
// but those of the whole model: a reader in one part reads what another one
// computes. Constants that several parts read are there once for each of them.
class JoinedModel {
 public:
  // `inputs` are those of the whole model. Null where a part shows no graph, or
  // one whose inputs or results are not those of the part. `wiring` and `parts`
  // outlive it.
  static std::unique_ptr<const JoinedModel> Join(
      absl::Span<const PortInfo> inputs, const Wiring& wiring,
      const std::vector<std::shared_ptr<const Executable>>& parts);

  const Model& model() const { return model_; }
  // Of a node of model(): as the part says it, and on the part's device.
  ExecutionInfo InfoOf(const Node& node) const;

 private:
  // Where a node of model() comes from.
  struct Origin {
    size_t part;
    const Node* node;
  };

  JoinedModel(const Wiring& wiring,
              const std::vector<std::shared_ptr<const Executable>>& parts)
      : wiring_(wiring), parts_(parts) {}
  bool CanJoin() const;
  absl::Status AddInput(int i, const PortInfo& port);
  absl::Status AddPart(size_t part);
  void AddResults();

  const Wiring& wiring_;
  const std::vector<std::shared_ptr<const Executable>>& parts_;
  Model model_;
  std::vector<Value> inputs_;                // of the whole model
  std::vector<std::vector<Value>> outputs_;  // of each part
  std::unordered_map<const Node*, Origin> origins_;
};

}  // namespace dovetail::hetero

#endif  // DOVETAIL_BACKENDS_HETERO_RUN_JOINED_MODEL_H_
