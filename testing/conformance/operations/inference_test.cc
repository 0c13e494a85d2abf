// What inference of every operation must do: be right where all is known, and
// say less, but nothing wrong, where less is known.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/testing/conformance/operations/cases.h"
#include "dovetail/testing/conformance/operations/variants.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using Shapes = std::vector<PartialShape>;

// ---- What says no more than what ----

bool SaysNoMore(const Dimension& less, const Dimension& more) {
  return less.min() <= more.min() && more.max() <= less.max();
}

bool SaysNoMore(const PartialShape& less, const PartialShape& more) {
  if (!less.rank_known()) return true;
  return more.rank_known() && less.rank() == more.rank() &&
         std::equal(less.begin(), less.end(), more.begin(),
                    [](const Dimension& a, const Dimension& b) {
                      return SaysNoMore(a, b);
                    });
}

bool SaysNoMore(const std::optional<ValueRange>& less,
                const std::optional<ValueRange>& more) {
  if (!less.has_value()) return true;
  if (!more.has_value() || less->size() != more->size()) return false;
  for (int64_t i = 0; i < less->size(); ++i) {
    // NaN is known to be itself.
    if ((*less)[i].lower > (*more)[i].lower) return false;
    if ((*less)[i].upper < (*more)[i].upper) return false;
  }
  return true;
}

// For messages: "f32[2,?] {1..2, 3}".
std::string PortText(const OutputPort& port) {
  std::string text =
      absl::StrCat(ElementTypeName(port.type), port.shape.ToString());
  if (!port.value.has_value()) return text;
  absl::StrAppend(&text, " {");
  for (const ValueRange::Interval& element : port.value->elements()) {
    absl::StrAppend(&text, element.lower, "..", element.upper, " ");
  }
  return absl::StrCat(text, "}");
}

// All ports of `less`, a copy of `more` with inputs of which less is known.
void ExpectSaysNoMore(const Model& less, const Model& more,
                      const std::string& what) {
  ASSERT_EQ(less.node_count(), more.node_count()) << what;
  for (size_t n = 0; n < less.node_count(); ++n) {
    const Node& a = *less.nodes()[n];
    const Node& b = *more.nodes()[n];
    ASSERT_EQ(a.output_count(), b.output_count()) << what << a.Describe();
    for (int i = 0; i < a.output_count(); ++i) {
      EXPECT_TRUE((a.port(i).type == b.port(i).type ||
                   a.port(i).type == ElementType::kDynamic) &&
                  SaysNoMore(a.port(i).shape, b.port(i).shape) &&
                  SaysNoMore(a.port(i).value, b.port(i).value))
          << what << ": " << a.Describe() << ": output " << i
          << " where less is known: " << PortText(a.port(i))
          << ", where more is: " << PortText(b.port(i));
    }
  }
}

// ---- Tests ----

class OperationInferenceTest : public testing::TestWithParam<std::string> {
 protected:
  std::vector<OperationCase> Load() const {
    auto cases = LoadOperationCases(GetParam());
    EXPECT_TRUE(cases.ok()) << cases.status();
    if (!cases.ok()) return {};
    return *std::move(cases);
  }

  // The model with these inputs; null, with a failure, when inference refuses.
  std::unique_ptr<Model> Infer(const OperationCase& test_case,
                               const Shapes& shapes) const {
    auto model = WithShapes(*test_case.model, shapes);
    EXPECT_TRUE(model.ok()) << What(test_case, shapes) << ": "
                            << model.status();
    return model.ok() ? *std::move(model) : nullptr;
  }

  static std::string What(const OperationCase& test_case,
                          const Shapes& shapes) {
    std::string what = test_case.name;
    for (const PartialShape& shape : shapes) {
      absl::StrAppend(&what, " ", shape.ToString());
    }
    return what;
  }

  // Infers with `less` and compares with a model of which more is known.
  std::unique_ptr<Model> InferLess(const OperationCase& test_case,
                                   const Shapes& shapes,
                                   const Model* more) const {
    std::unique_ptr<Model> less = Infer(test_case, shapes);
    if (less != nullptr && more != nullptr) {
      ExpectSaysNoMore(*less, *more, What(test_case, shapes));
    }
    return less;
  }

  // All extents and ranks known, then less and less.
  void ExpectLessAndLess(const OperationCase& test_case) const {
    const Shapes known = InputShapes(test_case);
    const auto all = Infer(test_case, known);
    const auto extents = InferLess(test_case, UnknownExtents(test_case),
                                   all.get());
    const auto ranks =
        InferLess(test_case, UnknownRanks(test_case), extents.get());
    const auto compare = [&](const Shapes& shapes) {
      const auto model = InferLess(test_case, shapes, all.get());
      if (model == nullptr) return;
      if (extents != nullptr && HaveRanks(shapes)) {
        ExpectSaysNoMore(*extents, *model, What(test_case, shapes));
      }
      if (ranks != nullptr) {
        ExpectSaysNoMore(*ranks, *model, What(test_case, shapes));
      }
    };
    compare(Intervals(known));
    for (size_t i = 0; i < known.size(); ++i) {
      for (int axis = 0; axis < known[i].rank(); ++axis) {
        Shapes shapes = known;
        shapes[i][axis] = Dimension::Unknown();
        compare(shapes);
      }
      Shapes shapes = known;
      shapes[i] = PartialShape();
      compare(shapes);
    }
  }

 private:
  static bool HaveRanks(const Shapes& shapes) {
    return std::all_of(shapes.begin(), shapes.end(),
                       [](const auto& shape) { return shape.rank_known(); });
  }

  // Each extent one smaller to one greater.
  static Shapes Intervals(Shapes shapes) {
    for (PartialShape& shape : shapes) {
      for (int axis = 0; axis < shape.rank(); ++axis) {
        const int64_t extent = shape[axis].value();
        shape[axis] = Dimension(std::max<int64_t>(extent - 1, 0), extent + 1);
      }
    }
    return shapes;
  }
};

// What files of arrays lack is held in a wider type.
bool IsTypeOf(const Tensor& expected, ElementType type) {
  return expected.type() == type ||
         (BitWidth(expected.type()) > BitWidth(type) &&
          IsFloat(expected.type()) == IsFloat(type));
}

TEST_P(OperationInferenceTest, GivesTheTypesAndShapesOfTheOutputs) {
  for (const OperationCase& test_case : Load()) {
    const auto model = Infer(test_case, InputShapes(test_case));
    if (model == nullptr) continue;
    for (size_t i = 0; i < model->results().size(); ++i) {
      const Value value = model->results()[i]->input(0);
      const Tensor& expected = test_case.inferences[0].outputs[i];
      EXPECT_TRUE(IsTypeOf(expected, value.type()) &&
                  value.shape().Contains(expected.shape()))
          << test_case.name << ": output " << i << " is inferred as "
          << ElementTypeName(value.type()) << value.shape() << ", expected "
          << ElementTypeName(expected.type()) << expected.shape().ToString();
    }
  }
}

TEST_P(OperationInferenceTest, SaysNoMoreWhereLessIsKnown) {
  for (const OperationCase& test_case : Load()) ExpectLessAndLess(test_case);
}

TEST_P(OperationInferenceTest, SaysNoMoreWhereValuesAreNotKnown) {
  for (const OperationCase& test_case : Load()) {
    const auto open = WithConstantsAsInputs(test_case);
    ASSERT_TRUE(open.ok()) << test_case.name << ": " << open.status();
    const auto known = Infer(test_case, InputShapes(test_case));
    ASSERT_NE(known, nullptr);
    // The constants' nodes have gone, so only results are compared.
    for (size_t i = 0; i < known->results().size(); ++i) {
      const Value more = known->results()[i]->input(0);
      const Value less = open->model->results()[i]->input(0);
      EXPECT_TRUE(SaysNoMore(less.shape(), more.shape()) &&
                  SaysNoMore(less.port().value, more.port().value))
          << test_case.name << ": output " << i
          << " of unknown values: " << PortText(less.port())
          << ", of known: " << PortText(more.port());
    }
    ExpectLessAndLess(*open);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, OperationInferenceTest,
                         testing::ValuesIn(OperationCaseFiles()),
                         [](const auto& info) {
                           return TestNameOf(info.param);
                         });

}  // namespace
}  // namespace dovetail
