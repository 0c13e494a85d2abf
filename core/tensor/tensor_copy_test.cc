// Clone, CopyFrom and Equals.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/packing.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

Tensor Filled(ElementType type, const Shape& shape) {
  Tensor tensor = *Tensor::Allocate(type, shape);
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    if (type == ElementType::kString) {
      tensor.mutable_data<std::string>()[i] = std::string(40, 'a') + char(i);
    } else {
      tensor.SetElement(i, static_cast<double>((i * 5 + 1) % 7));
    }
  }
  return tensor;
}

TEST(Clone, HasTheSameElementsElsewhere) {
  for (ElementType type : AllElementTypes()) {
    const Tensor tensor = Filled(type, {3, 5});
    const auto clone = tensor.Clone();
    ASSERT_TRUE(clone.ok()) << clone.status();
    EXPECT_NE(clone->raw_data(), tensor.raw_data());
    EXPECT_TRUE(clone->Equals(tensor)) << type;
    EXPECT_FALSE(clone->is_read_only());
  }
}

TEST(Clone, OfABoxIsContiguous) {
  for (ElementType type : AllElementTypes()) {
    if (IsSubByte(type) || type == ElementType::kString) continue;
    const auto box = Filled(type, {3, 4, 5}).Roi({1, 0, 2}, {3, 4, 4});
    ASSERT_TRUE(box.ok()) << box.status();
    const auto clone = box->Clone();
    ASSERT_TRUE(clone.ok()) << clone.status();
    EXPECT_TRUE(clone->is_contiguous());
    EXPECT_TRUE(clone->Equals(*box)) << type;
    EXPECT_TRUE(box->Equals(*clone)) << type;
    EXPECT_EQ(ToDoubleVector(*clone), ToDoubleVector(*box));
  }
}

TEST(CopyFrom, BetweenBoxes) {
  const Tensor source = Filled(ElementType::kI16, {4, 6});
  const Tensor target = *Tensor::Allocate(ElementType::kI16, {5, 5});
  const Tensor from = *source.Roi({1, 2}, {4, 5});
  const Tensor to = *target.Roi({2, 1}, {5, 4});
  ASSERT_TRUE(to.CopyFrom(from).ok());
  EXPECT_TRUE(to.Equals(from));
  // Nothing beside the box was touched.
  for (int64_t i = 0; i < 25; ++i) {
    const bool inside = i / 5 >= 2 && i % 5 >= 1 && i % 5 < 4;
    if (inside) continue;
    EXPECT_EQ(target.ElementAsInt64(i), 0) << i;
  }
}

TEST(CopyFrom, BetweenContiguousAndStrided) {
  std::vector<int32_t> memory(100, -1);
  const Tensor strided = *Tensor::Borrow(
      ElementType::kI32, {3, 2, 2}, memory.data(), 400, Strides{4, 80, 24});
  const Tensor packed = Filled(ElementType::kI32, {3, 2, 2});
  ASSERT_TRUE(strided.CopyFrom(packed).ok());
  EXPECT_TRUE(strided.Equals(packed));
  const Tensor back = *Tensor::Allocate(ElementType::kI32, {3, 2, 2});
  ASSERT_TRUE(back.CopyFrom(strided).ok());
  EXPECT_TRUE(back.Equals(packed));
}

TEST(CopyFrom, OfItselfAndOfStrings) {
  for (ElementType type : AllElementTypes()) {
    const Tensor tensor = Filled(type, {4});
    const Tensor clone = *tensor.Clone();
    ASSERT_TRUE(tensor.CopyFrom(tensor).ok());
    EXPECT_TRUE(tensor.Equals(clone));
    const Tensor target = *Tensor::Allocate(type, {4});
    ASSERT_TRUE(target.CopyFrom(tensor).ok());
    EXPECT_TRUE(target.Equals(tensor));
  }
}

TEST(CopyFrom, RefusesOtherTypesShapesAndReadOnlyTargets) {
  const Tensor tensor = Filled(ElementType::kF32, {2, 3});
  constexpr auto kBad = absl::StatusCode::kInvalidArgument;
  EXPECT_EQ(tensor.CopyFrom(Filled(ElementType::kF32, {3, 2})).code(), kBad);
  EXPECT_EQ(tensor.CopyFrom(Filled(ElementType::kI32, {2, 3})).code(), kBad);
  EXPECT_EQ(tensor.CopyFrom(Tensor()).code(), kBad);
  const auto shared = Tensor::Share(ElementType::kF32, {2, 3},
                                    tensor.raw_data(), 24, nullptr);
  EXPECT_EQ(shared->CopyFrom(tensor).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_FALSE(shared->Clone()->is_read_only());
}

TEST(CopyFrom, EmptyTensors) {
  const Tensor empty = *Tensor::Allocate(ElementType::kF32, {0, 3});
  EXPECT_TRUE(empty.CopyFrom(*empty.Clone()).ok());
  EXPECT_TRUE(empty.Equals(*empty.Clone()));
}

TEST(Equals, ComparesBits) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor a = *Tensor::FromValues<float>({2}, {nan, 0.0f});
  const Tensor b = *Tensor::FromValues<float>({2}, {nan, -0.0f});
  EXPECT_TRUE(a.Equals(*a.Clone()));
  EXPECT_FALSE(a.Equals(b));
}

TEST(Equals, TellsTypesShapesAndElementsApart) {
  for (ElementType type : AllElementTypes()) {
    const Tensor tensor = Filled(type, {2, 3});
    EXPECT_FALSE(tensor.Equals(*tensor.Reshape({3, 2})));
    EXPECT_FALSE(tensor.Equals(Tensor()));
    const Tensor other = *tensor.Clone();
    if (type == ElementType::kString) {
      other.mutable_data<std::string>()[5] = "other";
    } else {
      other.SetElement(5, tensor.ElementAsDouble(5) == 0 ? 1 : 0);
    }
    // The f8e8m0 nearest to 0 is not 0, so check that it did change.
    if (type == ElementType::kF8E8M0) other.SetElement(5, 64);
    EXPECT_FALSE(tensor.Equals(other)) << type;
  }
}

TEST(Equals, LeavesOutTheBitsThatPadPackedElements) {
  for (ElementType type : AllElementTypes()) {
    if (!IsSubByte(type)) continue;
    // One element less than a group, whose place then holds something.
    const int64_t group = *ByteSize(type, 1) * 8 / BitWidth(type);
    std::vector<uint8_t> memory(3);
    const Tensor tensor =
        *Tensor::Borrow(type, {group - 1}, memory.data(), 3);
    const Tensor clean = *tensor.Clone();
    StorePacked(type, memory.data(), group - 1, 1);
    EXPECT_TRUE(tensor.Equals(clean)) << type;
    StorePacked(type, memory.data(), group - 2, 1);
    EXPECT_FALSE(tensor.Equals(clean)) << type;
  }
}

}  // namespace
}  // namespace dovetail
