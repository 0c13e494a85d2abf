// A handful of operations for tests of the graph, which must not depend on what
// real operations do.
#ifndef DOVETAIL_CORE_GRAPH_TESTING_TEST_OPS_H_
#define DOVETAIL_CORE_GRAPH_TESTING_TEST_OPS_H_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

enum class Flavour { kSweet, kSour };
absl::Span<const EnumName> EnumNames(Flavour);

// One attribute of every type.
struct EverythingAttributes : AttributesOf<EverythingAttributes> {
  bool flag = false;
  int64_t count = 0;
  uint64_t seed = 0;
  double factor = 1;
  std::string text;
  std::vector<int64_t> counts;
  std::vector<double> factors;
  std::vector<std::string> texts;
  ElementType type = ElementType::kF32;
  PartialShape shape;
  Tensor tensor;
  Flavour flavour = Flavour::kSweet;
  void Visit(AttributeVisitor& visitor) override;
};

struct SplitAttributesForTest : AttributesOf<SplitAttributesForTest> {
  int64_t num_splits = 2;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("num_splits", num_splits);
  }
};

struct VariableAttributesForTest : AttributesOf<VariableAttributesForTest> {
  std::string variable_id;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("variable_id", variable_id);
  }
};

// The table: Parameter-0, Constant-0, Result-0, Relu-1, Add-1 (NumPy
// broadcast), Split-1 (along axis 0), ShapeOf-3, Reshape-1, ReadValue-6,
// Assign-6, Loop-5 (outputs as the body's results), Everything-1, and NoRule-1,
// which has no inference.
absl::Span<const OpInfo> TestOps();
// The row of that type; the test ends with an error when there is none.
const OpInfo& TestOp(absl::string_view type);

// Adders for graphs that are correct; else the test ends with an error.
Node* AddTestNode(Model& model, absl::string_view type,
                  std::initializer_list<Value> inputs,
                  absl::string_view name = "",
                  std::unique_ptr<Attributes> attributes = nullptr);
// An f32 parameter.
Node* AddTestParameter(Model& model, const PartialShape& shape,
                       absl::string_view name = "");
Node* AddTestConstant(Model& model, const Tensor& value,
                      absl::string_view name = "");
std::unique_ptr<Attributes> TestVariable(absl::string_view id);

// x -> Relu "relu" -> Result "out", all f32[2,3], named "small".
Model SmallTestModel();
// A Loop "loop" whose body adds one to parameter "x" of shape [2].
Model LoopTestModel();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_TESTING_TEST_OPS_H_
