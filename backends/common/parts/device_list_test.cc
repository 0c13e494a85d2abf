#include "dovetail/backends/common/parts/device_list.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(DeviceListTest, HasDevicesByCommas) {
  EXPECT_THAT(*ReadDeviceList("GPU.1, CPU", "HETERO"),
              ElementsAre("GPU.1", "CPU"));
  EXPECT_THAT(*ReadDeviceList("CPU", "HETERO"), ElementsAre("CPU"));
}

TEST(DeviceListTest, ADeviceMadeOfOthersTakesTheRest) {
  EXPECT_THAT(*ReadDeviceList("GPU,MULTI:CPU,FAKE", "HETERO"),
              ElementsAre("GPU", "MULTI:CPU,FAKE"));
}

TEST(DeviceListTest, SaysWhatIsWrong) {
  const auto error = [](absl::string_view list) {
    return std::string(ReadDeviceList(list, "HETERO").status().message());
  };
  EXPECT_THAT(error(" "), HasSubstr("such as HETERO:GPU,CPU"));
  EXPECT_THAT(error("A,,B"), HasSubstr("is empty"));
  EXPECT_THAT(error("A,B,"), HasSubstr("is empty"));
  EXPECT_THAT(error("A,B,A"), HasSubstr("'A' is there twice"));
}

}  // namespace
}  // namespace dovetail
