// What inference of every operation must do: be right where all is known, and
// say less, but nothing wrong, where less is known.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/testing/conformance/operations/case_file_test.h"
#include "dovetail/testing/conformance/operations/inference/is_refined_by.h"
#include "dovetail/testing/conformance/operations/variants.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using Shapes = std::vector<PartialShape>;

void ExpectIsRefinedBy(const Model& less, const Model& more,
                       const std::string& what) {
  const absl::Status status = IsRefinedBy(less, more);
  EXPECT_TRUE(status.ok()) << what << ": " << status;
}

class OperationInferenceTest : public CaseFileTest {
 protected:
  // The model with these inputs; null, with a failure, when inference refuses.
  std::unique_ptr<Model> Infer(const OperationCase& test_case,
                               const Shapes& shapes) const {
    auto model = WithShapes(*test_case.model, shapes);
    EXPECT_TRUE(model.ok())
        << What(test_case, shapes) << ": " << model.status();
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
      ExpectIsRefinedBy(*less, *more, What(test_case, shapes));
    }
    return less;
  }

  // All extents and ranks known, then less and less.
  void ExpectLessAndLess(const OperationCase& test_case) const {
    const Shapes known = InputShapes(test_case);
    const auto all = Infer(test_case, known);
    const auto extents =
        InferLess(test_case, UnknownExtents(test_case), all.get());
    const auto ranks =
        InferLess(test_case, UnknownRanks(test_case), extents.get());
    const auto compare = [&](const Shapes& shapes) {
      const auto model = InferLess(test_case, shapes, all.get());
      if (model == nullptr) return;
      if (extents != nullptr && HaveRanks(shapes)) {
        ExpectIsRefinedBy(*extents, *model, What(test_case, shapes));
      }
      if (ranks != nullptr) {
        ExpectIsRefinedBy(*ranks, *model, What(test_case, shapes));
      }
    };
    compare(Intervals(known));
    if (extents != nullptr) ExpectHoldsForNeighbours(test_case, *extents);
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

  // What is said of intervals or of unknown extents must hold for every shape
  // in them that is right, not only for that of the case.
  void ExpectHoldsForNeighbours(const OperationCase& test_case,
                                const Model& extents) const {
    if (HasSqueeze(extents)) return;
    const Shapes known = InputShapes(test_case);
    const auto intervals = WithShapes(*test_case.model, Intervals(known));
    for (const Shapes& shapes : Neighbours(known)) {
      const auto model = WithShapes(*test_case.model, shapes);
      if (!model.ok()) continue;
      ExpectIsRefinedBy(extents, **model, What(test_case, shapes));
      if (!intervals.ok()) continue;
      ExpectIsRefinedBy(**intervals, **model, What(test_case, shapes));
    }
  }

  // Squeeze takes an unknown extent that it is told to drop for 1, as OpenVINO
  // does, so that ranks are known.
  static bool HasSqueeze(const Model& model) {
    return std::any_of(model.nodes().begin(), model.nodes().end(),
                       [](const auto& node) { return node->Is("Squeeze"); });
  }

  // One extent, or that of one axis of all shapes, one greater or smaller.
  static std::vector<Shapes> Neighbours(const Shapes& known) {
    std::vector<Shapes> neighbours;
    for (const int64_t step : {-1, 1}) {
      for (int axis = 0; axis < 8; ++axis) {
        Shapes all = known;
        for (size_t i = 0; i < known.size(); ++i) {
          if (axis >= known[i].rank()) continue;
          const int64_t extent = known[i][axis].value() + step;
          if (extent < 0) continue;
          all[i][axis] = Dimension(extent, extent);
          neighbours.push_back(known);
          neighbours.back()[i][axis] = all[i][axis];
        }
        neighbours.push_back(std::move(all));
      }
    }
    return neighbours;
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

bool DecidesShapeWhileRunning(const Model& model) {
  return std::any_of(
      model.nodes().begin(), model.nodes().end(),
      [](const auto& node) { return node->op().Has(kDataDependentShape); });
}

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

// But where the data themselves decide, what is known fully is said fully.
TEST_P(OperationInferenceTest, GivesTheShapesWhereAllValuesAreKnown) {
  for (const OperationCase& test_case : Load()) {
    if (DecidesShapeWhileRunning(*test_case.model)) continue;
    const auto model = WithInputsAsConstants(test_case);
    ASSERT_TRUE(model.ok()) << test_case.name << ": " << model.status();
    for (size_t i = 0; i < (*model)->results().size(); ++i) {
      EXPECT_EQ((*model)->results()[i]->input(0).shape(),
                PartialShape(test_case.inferences[0].outputs[i].shape()))
          << test_case.name << ": output " << i;
    }
  }
}

TEST_P(OperationInferenceTest, IsRefinedByWhereLessIsKnown) {
  for (const OperationCase& test_case : Load()) ExpectLessAndLess(test_case);
}

TEST_P(OperationInferenceTest, IsRefinedByWhereValuesAreNotKnown) {
  for (const OperationCase& test_case : Load()) {
    const auto open = WithConstantsAsInputs(test_case);
    ASSERT_TRUE(open.ok()) << test_case.name << ": " << open.status();
    const auto known = Infer(test_case, InputShapes(test_case));
    ASSERT_NE(known, nullptr);
    for (size_t i = 0; i < known->results().size(); ++i) {
      const absl::Status status =
          IsRefinedBy(open->model->results()[i]->input(0).port(),
                      known->results()[i]->input(0).port());
      EXPECT_TRUE(status.ok())
          << test_case.name << " of unknown values: " << status;
    }
    ExpectLessAndLess(*open);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, OperationInferenceTest, EachCaseFile(),
                         CaseFileName);

}  // namespace
}  // namespace dovetail
