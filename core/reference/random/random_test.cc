#include "dovetail/core/reference/random/random.h"

#include <set>

#include "dovetail/core/ops/random/table.h"
#include "dovetail/core/reference/random/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::HasSubstr;

const OpTester tester(RandomOps(), RandomKernels());

absl::StatusOr<std::vector<Tensor>> Uniform(ElementType type, double min,
                                            double max, const char* alignment,
                                            const char* seed = "150") {
  const std::string name(ElementTypeName(type));
  return tester.Outputs(
      "RandomUniform-8",
      {Int64s(Shape({1}), {6}), TensorOf(type, Shape(), {min}),
       TensorOf(type, Shape(), {max})},
      {{"output_type", name},
       {"global_seed", seed},
       {"op_seed", seed == std::string("0") ? "0" : "10"},
       {"alignment", alignment}});
}

// The first numbers of these seeds in OpenVINO.
TEST(RandomUniformTest, GivesTensorflowsStream) {
  ExpectNear(Uniform(ElementType::kF32, 0, 1, "tensorflow"),
             {0.7011235952377319, 0.30539631843566895, 0.9393105506896973,
              0.9456034898757935, 0.11694777011871338, 0.5077005624771118},
             1e-7);
  ExpectNear(Uniform(ElementType::kF64, 0, 1, "tensorflow"),
             {0.608989218818762, 0.5144852007657355, 0.9355828939149167,
              0.15775793460621435, 0.9309922128081143, 0.6153855781977038},
             1e-15);
  ExpectNear(Uniform(ElementType::kF16, 0, 1, "tensorflow"),
             {0.6044921875, 0.806640625, 0.83203125, 0.3837890625,
              0.0361328125, 0.0830078125},
             0);
  ExpectNear(Uniform(ElementType::kI32, 0, 1000, "tensorflow"),
             {835, 810, 516, 305, 997, 845}, 0);
  ExpectNear(Uniform(ElementType::kI64, 0, 1000, "tensorflow"),
             {595, 796, 117, 365, 576, 598}, 0);
  ExpectNear(Uniform(ElementType::kI64, 0, 1099511627776, "tensorflow"),
             {252872081003, 590943370068, 368604805157, 370755667501,
              967122543960, 569601808542},
             0);
  ExpectNear(
      Uniform(ElementType::kI32, -2147483648.0, 2147483647, "tensorflow"),
      {1616494187, -89712838, 385366868, 1433995657, 1385101349, 1153498197},
      0);
}

TEST(RandomUniformTest, GivesPytorchsStream) {
  ExpectNear(Uniform(ElementType::kF32, 0, 1, "pytorch"),
             {0.5974867343902588, 0.5445820093154907, 0.04074066877365112,
              0.5810561776161194, 0.6797170639038086, 0.39076530933380127},
             1e-7);
  ExpectNear(Uniform(ElementType::kF64, 0, 1, "pytorch"),
             {0.7798943194459789, 0.32592562694299254, 0.43773672057458257,
              0.4012929673579886, 0.6607125076321664, 0.2431143024535447},
             1e-15);
  ExpectNear(Uniform(ElementType::kI64, 0, 1000, "pytorch"),
             {276, 978, 771, 473, 144, 146}, 0);
  ExpectNear(Uniform(ElementType::kI64, 0, 1099511627776, "pytorch"),
             {983254657466, 1080529567769, 1032677755186, 430996019964,
              612276818789, 651312974428},
             0);
}

TEST(RandomUniformTest, SeedsOfZeroGiveAnotherStreamEachTime) {
  const auto first = Uniform(ElementType::kF64, 0, 1, "tensorflow", "0");
  const auto second = Uniform(ElementType::kF64, 0, 1, "tensorflow", "0");
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_FALSE((*first)[0].Equals((*second)[0]));
}

TEST(RandomUniformTest, WantsAnInterval) {
  EXPECT_EQ(Uniform(ElementType::kI32, 5, 5, "tensorflow").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(MultinomialTest, ChoosesOnlyWhatIsProbable) {
  const auto outputs = tester.Outputs(
      "Multinomial-13",
      {Floats(Shape({2, 3}), {0, 1, 0, 0.5, 0, 0.5}), Int64s(Shape(), {20})},
      {{"with_replacement", "true"}, {"global_seed", "3"}});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  std::set<int64_t> of_second_row;
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ((*outputs)[0].ElementAsInt64(i), 1);
    of_second_row.insert((*outputs)[0].ElementAsInt64(20 + i));
  }
  EXPECT_EQ(of_second_row, (std::set<int64_t>{0, 2}));
}

// The first choices of these seeds in OpenVINO.
TEST(MultinomialTest, GivesOpenVinosStream) {
  EXPECT_EQ(tester.Run("Multinomial-13",
                       {Floats(Shape({2, 5}),
                               {0.46925554, 0.6179182, 0.27014098, 0.6265655,
                                0.4735717, 0.18116403, 0.12364846, 0.40531376,
                                0.7948498, 0.3501995}),
                        Int32s(Shape(), {4})},
                       {{"with_replacement", "true"},
                        {"convert_type", "i32"},
                        {"global_seed", "3"},
                        {"op_seed", "5"}}),
            "i32[2,4] {1, 1, 2, 3, 0, 3, 3, 2}");
}

TEST(MultinomialTest, ChoosesEachClassOnceWithoutReplacement) {
  const auto outputs = tester.Outputs(
      "Multinomial-13",
      {Floats(Shape({4}), {0.1, 0.2, 0.3, 0.4}), Int64s(Shape(), {4})},
      {{"global_seed", "3"}});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  std::set<int64_t> chosen;
  for (int i = 0; i < 4; ++i) chosen.insert((*outputs)[0].ElementAsInt64(i));
  EXPECT_EQ(chosen, (std::set<int64_t>{0, 1, 2, 3}));
}

TEST(MultinomialTest, CannotChooseMoreThanThereAre) {
  EXPECT_THAT(tester.Run("Multinomial-13", {Floats(Shape({2}), {0.5, 0.5}),
                                            Int64s(Shape(), {3})}),
              HasSubstr("cannot choose 3 of 2 classes without replacement"));
}

}  // namespace
}  // namespace dovetail
