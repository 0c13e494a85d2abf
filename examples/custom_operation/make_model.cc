// Writes a model with the sample's operations: make_model FILE.xml
//
//   x f32[?] - Gelu - Squash, scale 2 - KeepAbove, threshold 0.5 -+- kept
//                                                                 +- places

#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/extensions/ir/writer.h"
#include "dovetail/transformations/common/attribute_list.h"
#include "sample_operations.h"

namespace {

using dovetail::Node;
using dovetail::Value;

// Adds nodes to a model; the first error is kept, and ends what follows.
class Builder {
 public:
  Node* Add(const dovetail::OpInfo& op, const std::vector<Value>& inputs,
            const std::string& name,
            const dovetail::AttributeList& attributes = {}) {
    if (!status_.ok()) return nullptr;
    auto made = op.make_attributes();
    status_ = dovetail::SetAttributes(attributes, *made);
    if (!status_.ok()) return nullptr;
    auto node = model_.Add(op, inputs, std::move(made), name);
    status_ = node.status();
    return node.ok() ? *node : nullptr;
  }
  // An operation of the sample.
  Node* AddOwn(absl::string_view type, const std::vector<Value>& inputs,
               const std::string& name,
               const dovetail::AttributeList& attributes) {
    for (const dovetail::OpInfo* row : SampleOperations().operations) {
      if (row->type == type) return Add(*row, inputs, name, attributes);
    }
    status_ = absl::NotFoundError(std::string(type));
    return nullptr;
  }

  dovetail::Model& model() { return model_; }
  const absl::Status& status() const { return status_; }

 private:
  dovetail::Model model_{"sample"};
  absl::Status status_;
};

Value Of(Node* node, int output = 0) { return {node, output}; }

absl::Status Write(const std::string& path) {
  using dovetail::FindOp;
  const dovetail::PartialShape vector({dovetail::Dimension::Unknown()});
  Builder b;
  Node* x =
      b.Add(*FindOp("Parameter-0"), {}, "x",
            {{"shape", vector}, {"element_type", dovetail::ElementType::kF32}});
  Node* gelu = b.Add(*FindOp("Gelu-7"), {Of(x)}, "gelu");
  Node* squash = b.AddOwn("Squash", {Of(gelu)}, "squash", {{"scale", 2.0}});
  Node* keep =
      b.AddOwn("KeepAbove", {Of(squash)}, "keep", {{"threshold", 0.5}});
  if (!b.status().ok()) return b.status();
  x->port().names = {"x"};
  keep->port(0).names = {"kept"};
  keep->port(1).names = {"places"};
  b.Add(*FindOp("Result-0"), {Of(keep, 0)}, "kept/result");
  b.Add(*FindOp("Result-0"), {Of(keep, 1)}, "places/result");
  if (!b.status().ok()) return b.status();
  return dovetail::WriteIr(b.model(), path);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: make_model FILE.xml\n";
    return 1;
  }
  const absl::Status status = Write(argv[1]);
  if (status.ok()) return 0;
  std::cerr << "make_model: " << status.message() << "\n";
  return 1;
}
