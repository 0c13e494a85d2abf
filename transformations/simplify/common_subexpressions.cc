#include "dovetail/transformations/simplify/common_subexpressions.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/attributes/hashing.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/common/output_names.h"

namespace dovetail {
namespace {

constexpr uint32_t kNeverMerged =
    kHasSideEffect | kNondeterministic | kReadsState | kHasBodies;

bool MayMerge(const Node& node) {
  return (node.op().traits & kNeverMerged) == 0 && node.bodies().empty() &&
         !node.Is("Parameter") && !node.Is("Result");
}

// What is looked at of a constant: reading all weights of a model takes longer
// than all else, as they have to come from a file first, page by page. SameWork
// reads them where this is the same.
constexpr int64_t kSampledBytes = 128;
constexpr int64_t kSamples = 2;

void AddSamples(const Tensor& tensor, StableHash& hash) {
  hash.Add(static_cast<uint64_t>(tensor.type()));
  hash.AddShape(tensor.shape());
  const auto* bytes = static_cast<const char*>(tensor.address());
  const int64_t size = tensor.byte_size();
  if (size <= kSampledBytes) return hash.AddBytes(bytes, size);
  constexpr int64_t kPart = kSampledBytes / kSamples;
  for (int64_t i = 0; i < kSamples; ++i) {
    hash.AddBytes(bytes + (size - kPart) / kSamples * i, kPart);
  }
}

uint64_t HashOf(const Node& node) {
  const auto* constant = node.As<ConstantAttributes>();
  if (constant == nullptr || !constant->value.has_data() ||
      !constant->value.is_contiguous() ||
      constant->value.type() == ElementType::kString) {
    return Hash(node.attributes());
  }
  StableHash hash;
  AddSamples(constant->value, hash);
  return hash.value();
}

uint64_t KeyOf(const Node& node) {
  StableHash hash;
  hash.AddText(node.op().type);
  hash.Add(node.op().version);
  for (Value input : node.inputs()) {
    hash.Add(input ? static_cast<uint64_t>(input.node->id()) : 0);
    hash.Add(input.index);
  }
  hash.Add(HashOf(node));
  return hash.value();
}

bool SameWork(const Node& a, const Node& b) {
  return a.op() == b.op() && a.inputs() == b.inputs() &&
         a.output_count() == b.output_count() &&
         Equal(a.attributes(), b.attributes());
}

bool KeepsNames(Node& from, Node& to) {
  for (int i = 0; i < from.output_count(); ++i) {
    if (!KeepsOutputNames(from.output(i), to.output(i))) return false;
  }
  return true;
}

std::vector<Value> OutputsOf(Node& node) {
  std::vector<Value> outputs;
  for (int i = 0; i < node.output_count(); ++i) {
    outputs.push_back(node.output(i));
  }
  return outputs;
}

absl::StatusOr<bool> MergeIn(Model& model) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  std::unordered_map<uint64_t, std::vector<Node*>> seen;
  bool changed = false;
  for (Node* node : order) {
    if (!MayMerge(*node)) continue;
    std::vector<Node*>& alike = seen[KeyOf(*node)];
    Node* twin = nullptr;
    for (Node* candidate : alike) {
      if (SameWork(*node, *candidate) && KeepsNames(*node, *candidate)) {
        twin = candidate;
        break;
      }
    }
    if (twin == nullptr) {
      alike.push_back(node);
      continue;
    }
    model.ReplaceNode(node, OutputsOf(*twin));
    changed = true;
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> CommonSubexpressions::Run(Model& model) {
  return ForEachModel(model, MergeIn);
}

}  // namespace dovetail
