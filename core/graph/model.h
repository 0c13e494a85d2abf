// A model: a directed acyclic graph of nodes with parameters (inputs), results
// (outputs) and sinks (what has to run although nobody reads it).
#ifndef DOVETAIL_CORE_GRAPH_MODEL_H_
#define DOVETAIL_CORE_GRAPH_MODEL_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/graph/rt_info.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {

// Owns its nodes. Movable, not copyable: Clone says that it is expensive
// (constants are shared, not copied). Threads: as for a container.
class Model {
 public:
  explicit Model(absl::string_view name = "");
  ~Model();
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;

  const std::string& name() const { return name_; }
  void set_name(absl::string_view name) {
    name_.assign(name.data(), name.size());
  }
  const RtInfo& rt_info() const { return rt_info_; }
  RtInfo& rt_info() { return rt_info_; }

  // ---- Building ----

  // Adds a node and infers its outputs. Inputs must be values of this model.
  // An empty name becomes "<type>_<id>". Errors as of Node::Infer, or
  // kInvalidArgument for a wrong number of inputs; then nothing was added.
  // Parameters, results and sinks are listed in order of addition.
  absl::StatusOr<Node*> Add(const OpInfo& op, absl::Span<const Value> inputs,
                            std::unique_ptr<Attributes> attributes,
                            absl::string_view name = "");
  // The same without inferring: one output of unknown type (as many as the
  // operation has at least), inputs may be added later. For readers.
  Node* AddUninferred(const OpInfo& op, absl::Span<const Value> inputs,
                      std::unique_ptr<Attributes> attributes,
                      absl::string_view name = "");

  // ---- Looking ----

  const std::vector<Node*>& parameters() const { return parameters_; }
  const std::vector<Node*>& results() const { return results_; }
  const std::vector<Node*>& sinks() const { return sinks_; }
  // All nodes in order of creation.
  const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }
  size_t node_count() const { return nodes_.size(); }

  // Every node after those that it reads, stable: among the possible orders
  // the one nearest to creation. ReadValue comes before the Assign of the same
  // variable. kInvalidArgument names a node on a cycle.
  absl::StatusOr<std::vector<Node*>> TopologicalOrder() const;

  // The node of that friendly name; null when there is none.
  Node* FindNode(absl::string_view name) const;
  // The index of the parameter (result) with a tensor of that name, or whose
  // node (or, for a result, whose producer) has that friendly name; or, for
  // text that is a number, of that index. kNotFound lists the names there are.
  absl::StatusOr<int> FindInput(absl::string_view name) const;
  absl::StatusOr<int> FindOutput(absl::string_view name) const;
  // What users call the i-th input or output: a tensor name, else the friendly
  // name.
  std::string InputName(int i) const;
  std::string OutputName(int i) const;

  // ---- Changing ----

  // Everything that read `from` now reads `to`, but `to`'s own node, so that a
  // node can be put behind another. Tensor names of `from` move to `to` when
  // `from` feeds a result; without any, its node's name becomes one, so that
  // users find the output as before. Types and shapes are not inferred anew.
  void ReplaceUses(Value from, Value to);
  // ReplaceUses for all outputs of `node` (as many as `values`), then notes in
  // the producers' rt_info that they now stand for it too (see fused_names.h),
  // and removes it.
  void ReplaceNode(Node* node, absl::Span<const Value> values);
  // Removes a node that nothing reads, from the lists too. A node that is read
  // stays.
  void RemoveNode(Node* node);
  // Removes whatever no result or sink needs; parameters stay. Returns how
  // many nodes it removed.
  int RemoveUnused();

  // ---- Meaning ----

  // Infers every node in topological order, bodies included.
  absl::Status Infer();
  // Checks the structure: arity, attributes of the right struct, uses that
  // agree with inputs, no node of another model, no cycle, bodies bound to
  // ports that exist. kInternal names the node.
  absl::Status Verify() const;

  // Sets the shapes of inputs by name or index and infers all again. On an
  // error the model is as before.
  absl::Status Reshape(const std::map<std::string, PartialShape>& shapes);
  absl::Status ReshapeByIndex(const std::map<int, PartialShape>& shapes);
  // Sets the dimension that the layouts (rt_info "layout") call N, else the
  // first, of every input. kInvalidArgument where an input has none.
  absl::Status SetBatch(const Dimension& batch);

  std::unique_ptr<Model> Clone() const;

  // ---- Comparing ----

  // Whether both are the same graph with equal operations, attributes,
  // constants, ports and names. The answer says where they first differ
  // (kInvalidArgument), or is OK. rt_info is compared when asked.
  static absl::Status Compare(const Model& a, const Model& b,
                              bool with_rt_info = false);
  // Equal models have equal hashes, in this process and any other. rt_info
  // counts when asked.
  uint64_t Hash(bool with_rt_info = false) const;

  // One line a node; see text.h.
  std::string ToString() const;

 private:
  std::string name_;
  RtInfo rt_info_;
  int64_t next_id_ = 0;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<Node*> parameters_, results_, sinks_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_MODEL_H_
