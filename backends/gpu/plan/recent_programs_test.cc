#include "dovetail/backends/gpu/plan/recent_programs.h"

#include <cstddef>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/program/build_options.h"
#include "dovetail/backends/gpu/program/cl_program.h"
#include "dovetail/backends/gpu/testing/on_device.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

constexpr size_t kMost = 1000;

class RecentProgramsTest : public OnShim {
 protected:
  // Without kernels, so that the driver has nothing to build; other numbers
  // have other keys.
  static std::shared_ptr<const ClProgram> Make(
      const std::shared_ptr<ClDevice>& device, int number) {
    BuildOptions options;
    options.flags = absl::StrCat("-DNUMBER=", number);
    return ClProgram::Build(device, {}, options).value();
  }
  bool Has(const std::shared_ptr<const ClProgram>& program) {
    return recent_.Find(*device_, program->key()) == program;
  }

  RecentPrograms recent_;
};

TEST_F(RecentProgramsTest, AreFoundByTheirKeysAndDevice) {
  const auto one = Make(device_, 1), other = Make(device_, 2);
  recent_.Add(one, 10, kMost);
  EXPECT_TRUE(Has(one));
  EXPECT_EQ(recent_.Find(*device_, other->key()), nullptr);
  const auto around =
      ClDevice::Around(device_->api(), device_->context().get());
  ASSERT_TRUE(around.ok()) << around.status();
  EXPECT_EQ(recent_.Find(**around, one->key()), nullptr);
}

TEST_F(RecentProgramsTest, ThoseUsedLastStay) {
  constexpr size_t kThird = kMost / 3;
  const auto a = Make(device_, 1), b = Make(device_, 2), c = Make(device_, 3),
             d = Make(device_, 4);
  for (const auto& program : {a, b, c}) recent_.Add(program, kThird, kMost);
  EXPECT_TRUE(Has(a));  // so that b is the one that was not used for longest
  recent_.Add(d, kThird, kMost);
  EXPECT_FALSE(Has(b));
  EXPECT_TRUE(Has(a) && Has(c) && Has(d));
  recent_.Add(b, kMost, kMost);
  EXPECT_FALSE(Has(a) || Has(c) || Has(d));
  EXPECT_TRUE(Has(b));
  recent_.Add(a, 10, kMost / 2);  // by one who keeps less
  EXPECT_TRUE(Has(a));
  EXPECT_FALSE(Has(b));
}

TEST_F(RecentProgramsTest, WhatIsTooLongIsNotKept) {
  const auto program = Make(device_, 1);
  recent_.Add(program, kMost + 1, kMost);
  EXPECT_FALSE(Has(program));
}

// It would keep the application's context.
TEST_F(RecentProgramsTest, WhatIsOfAnApplicationsContextIsNotKept) {
  const auto around =
      ClDevice::Around(device_->api(), device_->context().get());
  ASSERT_TRUE(around.ok()) << around.status();
  const auto program = Make(*around, 1);
  recent_.Add(program, 10, kMost);
  EXPECT_EQ(recent_.Find(**around, program->key()), nullptr);
}

}  // namespace
}  // namespace dovetail::gpu
