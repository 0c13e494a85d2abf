#include "dovetail/transformations/testing/run_and_compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "dovetail/core/graph/text.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/pass/pass_manager.h"
#include "dovetail/core/reference/evaluate.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// Lends a pass to a pipeline, which wants to own its passes.
class Borrowed : public Pass {
 public:
  explicit Borrowed(Pass& pass) : pass_(pass) {}
  absl::string_view name() const override { return pass_.name(); }
  absl::StatusOr<bool> Run(Model& model) override { return pass_.Run(model); }

 private:
  Pass& pass_;
};

absl::StatusOr<bool> RunChecked(Pass& pass, Model& model) {
  PassManager manager("test");
  manager.set_checks(true);
  manager.Add(std::make_unique<Borrowed>(pass));
  return manager.Run(model);
}

std::string Canonical(const Model& model, bool with_names) {
  TextOptions options;
  options.with_names = with_names;
  options.canonical_order = true;
  options.max_elements = std::numeric_limits<int64_t>::max();
  return ModelText(model, options);
}

// Quarters from -4 to 4: sums and products of a few of them are exact.
Tensor RandomInput(const OutputPort& port, int64_t extent,
                   std::mt19937& random) {
  Shape shape;
  if (!port.shape.rank_known()) shape = {extent, extent};
  for (const Dimension& dim : port.shape) {
    shape.push_back(std::clamp(extent, dim.min(), dim.max()));
  }
  Tensor tensor = *Tensor::Allocate(port.type, shape);
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    tensor.SetElement(i, (static_cast<int>(random() % 33) - 16) / 4.0);
  }
  return tensor;
}

std::vector<Tensor> RandomInputs(const Model& model, int64_t extent) {
  std::mt19937 random(7);
  std::vector<Tensor> inputs;
  for (const Node* parameter : model.parameters()) {
    inputs.push_back(RandomInput(parameter->port(), extent, random));
  }
  return inputs;
}

void ExpectNear(const Tensor& a, const Tensor& b, double tolerance) {
  ASSERT_EQ(a.type(), b.type());
  ASSERT_EQ(a.shape(), b.shape());
  for (int64_t i = 0; i < a.element_count(); ++i) {
    const double x = a.ElementAsDouble(i), y = b.ElementAsDouble(i);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    ASSERT_NEAR(x, y, tolerance * std::max(1.0, std::abs(x)))
        << "element " << i;
  }
}

absl::StatusOr<std::vector<Tensor>> Evaluate(const Model& model,
                                             std::vector<Tensor> inputs) {
  VariableValues variables;
  KernelEnvironment environment;
  environment.variables = &variables;
  return EvaluateModel(model, inputs, environment);
}

}  // namespace

Model ParseOrFail(absl::string_view text) {
  auto model = ParseModelText(text);
  EXPECT_TRUE(model.ok()) << model.status() << "\n" << std::string(text);
  return model.ok() ? *std::move(model) : Model();
}

void ExpectSameResults(const Model& a, const Model& b, double tolerance,
                       int64_t extent) {
  const std::vector<Tensor> inputs = RandomInputs(a, extent);
  const auto left = Evaluate(a, inputs), right = Evaluate(b, inputs);
  ASSERT_TRUE(left.ok()) << left.status();
  ASSERT_TRUE(right.ok()) << right.status();
  ASSERT_EQ(left->size(), right->size());
  for (size_t i = 0; i < left->size(); ++i) {
    SCOPED_TRACE(testing::Message() << "result " << i);
    ExpectNear((*left)[i], (*right)[i], tolerance);
  }
}

void RunAndCompare(Pass& pass, absl::string_view before,
                   absl::string_view after, const CompareOptions& options) {
  Model model = ParseOrFail(before);
  const Model original = std::move(*model.Clone());
  const auto changed = RunChecked(pass, model);
  ASSERT_TRUE(changed.ok()) << changed.status();
  if (options.remove_unused) model.RemoveUnused();
  const bool with_names = absl::StrContains(after, "#");
  EXPECT_EQ(Canonical(model, with_names),
            Canonical(ParseOrFail(after), with_names));
  if (options.evaluate) ExpectSameResults(original, model, options.tolerance);
}

void RunAndExpectNoChange(Pass& pass, absl::string_view text) {
  Model model = ParseOrFail(text);
  const std::string before = model.ToString();
  const auto changed = RunChecked(pass, model);
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_FALSE(*changed);
  EXPECT_EQ(model.ToString(), before);
}

}  // namespace dovetail
