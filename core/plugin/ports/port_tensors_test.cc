#include "dovetail/core/plugin/ports/port_tensors.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr ElementType kF32 = ElementType::kF32;

Tensor Numbers(const Shape& shape) {
  Tensor tensor = Tensor::Allocate(kF32, shape).value();
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    tensor.SetElement(i, static_cast<double>(i + 1));
  }
  return tensor;
}

class PortTensorsTest : public testing::Test {
 protected:
  const std::vector<PortInfo> ports_ = {
      {"fixed", {}, kF32, Shape({2, 2})},
      {"free", {}, kF32, PartialShape::OfRank(1)}};
  PortTensors tensors_{"output", ports_};
};

TEST_F(PortTensorsTest, StaticPortsHaveMemoryOfTheirOwn) {
  const Tensor own = tensors_.Get(0).value();
  EXPECT_EQ(own.shape(), (Shape{2, 2}));
  EXPECT_EQ(own.ElementAsDouble(3), 0);
  EXPECT_EQ(tensors_.Get(0)->raw_data(), own.raw_data());
  EXPECT_EQ(tensors_.Destination(0, kF32, {2, 2})->raw_data(), own.raw_data());
}

TEST_F(PortTensorsTest, DynamicPortsGetMemoryWithTheirFirstResult) {
  EXPECT_EQ(tensors_.Get(1).status().code(),
            absl::StatusCode::kFailedPrecondition);
  const Tensor first = tensors_.Destination(1, kF32, {3}).value();
  EXPECT_EQ(tensors_.Get(1)->raw_data(), first.raw_data());
  EXPECT_EQ(tensors_.Destination(1, kF32, {3})->raw_data(), first.raw_data());
  EXPECT_EQ(tensors_.Destination(1, kF32, {4})->shape(), (Shape{4}));
}

TEST_F(PortTensorsTest, TheUsersTensorIsTheDestination) {
  const Tensor user = Numbers({2, 2});
  ASSERT_TRUE(tensors_.Set(0, user).ok());
  EXPECT_TRUE(tensors_.is_set(0));
  EXPECT_EQ(tensors_.Destination(0, kF32, {2, 2})->raw_data(), user.raw_data());
  EXPECT_TRUE(tensors_.Store(0, user).ok());
  ASSERT_TRUE(tensors_.Set(0, Tensor()).ok());
  EXPECT_FALSE(tensors_.is_set(0));
  EXPECT_NE(tensors_.Get(0)->raw_data(), user.raw_data());
}

TEST_F(PortTensorsTest, StridedTensorsAreWrittenByACopy) {
  const Tensor image = Tensor::Allocate(kF32, {4, 4}).value();
  const Tensor region = image.Roi({1, 1}, {3, 3}).value();
  ASSERT_TRUE(tensors_.Set(0, region).ok());
  const Tensor destination = tensors_.Destination(0, kF32, {2, 2}).value();
  EXPECT_TRUE(destination.is_contiguous());
  ASSERT_TRUE(destination.CopyFrom(Numbers({2, 2})).ok());
  ASSERT_TRUE(tensors_.Store(0, destination).ok());
  EXPECT_EQ(image.ElementAsDouble(5), 1);
  EXPECT_EQ(image.ElementAsDouble(10), 4);
  EXPECT_EQ(image.ElementAsDouble(15), 0);
}

TEST_F(PortTensorsTest, ResultsThatDoNotFitTheUsersTensorAreRefused) {
  ASSERT_TRUE(tensors_.Set(1, Numbers({5})).ok());
  for (const absl::Status& status :
       {tensors_.Destination(1, kF32, {6}).status(),
        tensors_.Store(1, Numbers({6}))}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("output 'free'"), HasSubstr("f32[6]"),
                      HasSubstr("f32[5]")));
  }
}

TEST_F(PortTensorsTest, ResultsFromElsewhereAreKept) {
  const Tensor result = Numbers({3});
  ASSERT_TRUE(tensors_.Store(1, result).ok());
  EXPECT_EQ(tensors_.Get(1)->raw_data(), result.raw_data());
}

}  // namespace
}  // namespace dovetail
