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

TEST(DeviceListTest, AKindMeansAllOfItsDevices) {
  EXPECT_TRUE(MeansDevice("GPU", "GPU"));
  EXPECT_TRUE(MeansDevice("GPU", "GPU.1"));
  EXPECT_TRUE(MeansDevice("GPU.1", "GPU.1"));
  EXPECT_TRUE(MeansDevice("MULTI", "MULTI:GPU,CPU"));
  EXPECT_FALSE(MeansDevice("GPU.1", "GPU"));
  EXPECT_FALSE(MeansDevice("GPU.1", "GPU.10"));
  EXPECT_FALSE(MeansDevice("GP", "GPU"));
}

TEST(DeviceListTest, SaysWhatIsWrong) {
  const auto error = [](absl::string_view list) {
    return std::string(ReadDeviceList(list, "HETERO").status().message());
  };
  EXPECT_THAT(error(" "), HasSubstr("such as HETERO:GPU,CPU"));
  EXPECT_THAT(error("A,,B"), HasSubstr("is empty"));
  EXPECT_THAT(error("A,B,"), HasSubstr("is empty"));
  EXPECT_THAT(error("A,B,A"), HasSubstr("'A' is there twice"));
  EXPECT_THAT(error("A,B(2"), HasSubstr("'B(2' has a parenthesis"));
  EXPECT_THAT(error("A(2),B"), HasSubstr("'A(2)' has a number of inferences"));
  EXPECT_THAT(*ReadDeviceList("A(2),B", "MULTI", ListCounts::kAllowed),
              ElementsAre("A(2)", "B"));
  EXPECT_THAT(*ReadDeviceList("A,MULTI:B(2),C", "HETERO"),
              ElementsAre("A", "MULTI:B(2),C"));
}

}  // namespace
}  // namespace dovetail
