#include "dovetail/backends/gpu/driver/device_list.h"

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "dovetail/backends/gpu/testing/on_device.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using testing::HasSubstr;

class DeviceListTest : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    if (device_ != nullptr) devices_ = *ListClDevices();
  }

  std::vector<std::shared_ptr<ClDevice>> devices_;
};

TEST_F(DeviceListTest, DevicesSayWhatTheyAre) {
  for (const auto& device : devices_) {
    const DeviceTraits& traits = device->traits();
    EXPECT_FALSE(traits.name.empty());
    EXPECT_FALSE(traits.platform.empty());
    EXPECT_EQ(traits.uuid.size(), 32);
    EXPECT_GE(traits.vector_width, 1);
    EXPECT_GE(traits.compute_units, 1);
    EXPECT_GE(traits.memory_bytes, traits.max_allocation_bytes);
    EXPECT_GE(traits.max_group_size, traits.max_group_sizes[2]);
    EXPECT_THAT(traits.BinaryIdentity(), HasSubstr(traits.driver_version));
  }
}

TEST_F(DeviceListTest, DevicesHaveDifferentUuids) {
  std::set<std::string> uuids;
  for (const auto& device : devices_) uuids.insert(device->traits().uuid);
  EXPECT_EQ(uuids.size(), devices_.size());
}

TEST_F(DeviceListTest, EveryThreadGetsTheSameObjects) {
  std::vector<std::vector<std::shared_ptr<ClDevice>>> lists(4);
  std::vector<std::thread> threads;
  for (auto& list : lists) {
    threads.emplace_back([&list] { list = *ListClDevices(); });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& list : lists) EXPECT_EQ(list, devices_);
}

TEST_F(DeviceListTest, PicksByIdentity) {
  EXPECT_EQ(*PickClDevice(devices_, ""), devices_[0]);
  EXPECT_EQ(*PickClDevice(devices_, "0"), devices_[0]);
  EXPECT_EQ(*PickClDevice(devices_, "GPU.0"), devices_[0]);
  for (const char* const id : {"-1", "99", "GPU.x", "first"}) {
    const auto none = PickClDevice(devices_, id);
    EXPECT_EQ(none.status().code(), absl::StatusCode::kNotFound) << id;
    EXPECT_THAT(std::string(none.status().message()),
                HasSubstr(devices_[0]->traits().name));
  }
}

TEST_F(DeviceListTest, PicksByPlatform) {
  const std::string& platform = devices_[0]->traits().platform;
  EXPECT_EQ(OfPlatform(devices_, platform.substr(1))->front(), devices_[0]);
  EXPECT_EQ(OfPlatform(devices_, "0")->front(), devices_[0]);
  EXPECT_EQ(*OfPlatform(devices_, ""), devices_);
  for (const char* const name : {"99", "-1", "no such platform"}) {
    const auto none = OfPlatform(devices_, name);
    EXPECT_EQ(none.status().code(), absl::StatusCode::kNotFound) << name;
    EXPECT_THAT(std::string(none.status().message()), HasSubstr(platform));
  }
}

TEST_F(DeviceListTest, TakesAnApplicationsContext) {
  const auto around =
      ClDevice::Around(device_->api(), device_->context().get());
  ASSERT_TRUE(around.ok()) << around.status();
  EXPECT_EQ((*around)->id(), device_->id());
  EXPECT_EQ((*around)->context().get(), device_->context().get());
  EXPECT_EQ((*around)->traits().name, device_->traits().name);
}

TEST_F(DeviceListTest, RefusesADeviceOfAnotherContext) {
  // No device has this identity.
  const auto other = reinterpret_cast<cl_device_id>(&devices_);
  EXPECT_EQ(ClDevice::Around(device_->api(), device_->context().get(), other)
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace dovetail::gpu
