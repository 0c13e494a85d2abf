// Tensors that are views of a device's memory.
#include <cstring>
#include <memory>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/tensor.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// Host memory that pretends to be elsewhere.
class FarMemory : public DeviceMemory {
 public:
  explicit FarMemory(size_t bytes) : bytes_(bytes) {}

  absl::string_view device() const override { return "FAR.0"; }
  void* handle() const override { return const_cast<char*>(bytes_.data()); }
  int64_t byte_size() const override {
    return static_cast<int64_t>(bytes_.size());
  }
  absl::Status CopyTo(const Tensor& host) const override {
    std::memcpy(host.mutable_raw_data(), bytes_.data(), bytes_.size());
    return absl::OkStatus();
  }
  absl::Status CopyFrom(const Tensor& host) override {
    std::memcpy(bytes_.data(), host.raw_data(), bytes_.size());
    return absl::OkStatus();
  }

 private:
  std::vector<char> bytes_;
};

Tensor FarTensor(const Shape& shape) {
  const size_t bytes = static_cast<size_t>(shape.Count()) * sizeof(float);
  return Tensor::OnDevice(ElementType::kF32, shape,
                          std::make_shared<FarMemory>(bytes))
      .value();
}

TEST(DeviceTensorTest, IsOutOfTheHostsReach) {
  const Tensor tensor = FarTensor({2, 3});
  EXPECT_TRUE(tensor.has_data());
  EXPECT_FALSE(tensor.is_on_host());
  EXPECT_EQ(tensor.raw_data(), nullptr);
  EXPECT_EQ(tensor.ElementAsDouble(5), 0);
  tensor.SetElement(5, 1);  // nothing happens
  EXPECT_EQ(tensor.ToString(), "f32[2,3] on FAR.0");
  EXPECT_EQ(tensor.Roi({0, 0}, {1, 1}).status().code(),
            absl::StatusCode::kUnimplemented);
}

TEST(DeviceTensorTest, CopiesGoBothWays) {
  const Tensor host = Tensor::FromValues<float>({3}, {1, 2, 3}).value();
  const Tensor far = FarTensor({3});
  ASSERT_TRUE(far.CopyFrom(host).ok());
  const Tensor back = Tensor::Allocate(ElementType::kF32, {3}).value();
  ASSERT_TRUE(back.CopyFrom(far).ok());
  EXPECT_TRUE(back.Equals(host));
  EXPECT_TRUE(far.Clone()->Equals(host));
  const Tensor further = FarTensor({3});
  ASSERT_TRUE(further.CopyFrom(far).ok());
  EXPECT_TRUE(further.Clone()->Equals(host));
  EXPECT_FALSE(further.Equals(far));
  EXPECT_TRUE(ConvertTensor(far, ElementType::kI32)->Equals(
      Tensor::FromValues<int32_t>({3}, {1, 2, 3}).value()));
}

TEST(DeviceTensorTest, AReshapedViewIsTheSameMemory) {
  const Tensor far = FarTensor({2, 3});
  const auto view = far.Reshape({6});
  ASSERT_TRUE(view.ok()) << view.status();
  EXPECT_EQ(view->device_memory(), far.device_memory());
}

TEST(DeviceTensorTest, WrongSizesAreRefusedByName) {
  const auto tensor = Tensor::OnDevice(ElementType::kF32, {2},
                                       std::make_shared<FarMemory>(4));
  EXPECT_EQ(tensor.status(),
            absl::InvalidArgumentError("a tensor f32[2] takes 8 bytes, the "
                                       "memory of device FAR.0 has 4"));
  EXPECT_FALSE(Tensor::OnDevice(ElementType::kF32, {2}, nullptr).ok());
  EXPECT_FALSE(Tensor::OnDevice(ElementType::kString, {0},
                                std::make_shared<FarMemory>(0))
                   .ok());
}

TEST(DeviceTensorTest, HostTensorsWithStridesAreRefused) {
  const Tensor whole = Tensor::Allocate(ElementType::kF32, {2, 2}).value();
  const Tensor column = whole.Roi({0, 0}, {2, 1}).value();
  EXPECT_EQ(column.CopyFrom(FarTensor({2, 1})).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace dovetail
