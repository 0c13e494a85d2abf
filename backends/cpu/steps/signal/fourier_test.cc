#include "dovetail/backends/cpu/steps/signal/fourier.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr double kTolerance = 2e-6;

struct Case {
  std::string data;
  int axis_count;
  std::string axes;
  std::string sizes;  // empty: there is no such input
};

std::string ConstantOf(const std::string& id, int count,
                       const std::string& values) {
  return absl::StrCat(id, " = Constant-0() {value: i64[", count, "] {", values,
                      "}}\n");
}

std::string Model(const std::string& type, const Case& c) {
  const bool has_sizes = !c.sizes.empty();
  return absl::StrCat(
      "%x = Parameter-0() {shape: [", c.data, "], element_type: f32}\n",
      ConstantOf("%axes", c.axis_count, c.axes),
      has_sizes ? ConstantOf("%sizes", c.axis_count, c.sizes) : "",
      "%y = ", type, "(%x, %axes", has_sizes ? ", %sizes" : "",
      ") {}\n%r = Result-0(%y) {}\n");
}

void Check(const std::string& type, const Case& c) {
  for (const int threads : {1, 3}) {
    CompareOptions options;
    options.settings.threads = threads;
    const Compared compared = Compare(Model(type, c), options);
    EXPECT_LT(compared.error, kTolerance)
        << type << " of " << c.data << " along " << c.axes << " to " << c.sizes
        << ": " << compared.message;
    EXPECT_EQ(compared.KernelOf(type.substr(0, type.find('-'))), "fourier");
  }
}

TEST(FourierTest, ComplexNumbers) {
  const Case cases[] = {
      {"7,2", 1, "0", ""},
      {"3,16,2", 1, "-1", ""},
      {"2,5,13,3,2", 2, "1,2", ""},
      {"4,5,6,7,2", 3, "3,0,-2", ""},
      {"6,147,32,2", 1, "1", ""},
      {"2,64,48,2", 2, "1,2", ""},
      {"9,97,2", 2, "0,1", ""},
      {"127,11,2", 2, "1,0", ""},
      // Other sizes along all axes, the first, the last.
      {"3,8,9,10,2", 3, "1,2,3", "5,12,7"},
      {"3,8,9,10,2", 2, "1,2", "20,-1"},
      {"3,8,9,10,2", 2, "1,-1", "-1,3"},
      {"1,1,2", 2, "0,1", "4,3"},
  };
  for (const Case& c : cases) {
    Check("DFT-7", c);
    Check("IDFT-7", c);
  }
}

TEST(FourierTest, RealNumbers) {
  const Case cases[] = {
      {"7", 1, "0", ""},
      {"1", 1, "0", ""},
      {"40,16", 1, "-1", ""},
      {"2,5,13,3", 2, "1,2", ""},
      {"4,5,6,7", 3, "3,0,-2", ""},
      {"2,3,64,64", 2, "2,3", ""},
      {"3,224,20", 2, "2,1", ""},
      {"3,8,9,10", 3, "1,2,3", "5,12,7"},
      {"3,8,9,10", 3, "1,2,3", "5,12,18"},
      {"3,8,9,10", 2, "1,2", "20,-1"},
      {"3,8,9,10", 2, "1,-1", "-1,3"},
      {"5,2", 2, "0,1", "4,1"},
  };
  for (const Case& c : cases) Check("RDFT-9", c);
}

TEST(FourierTest, HalvesOfSpectra) {
  const Case cases[] = {
      {"7,2", 1, "0", ""},
      {"2,2", 1, "0", ""},
      {"40,9,2", 1, "-1", ""},
      {"2,5,13,3,2", 2, "1,2", ""},
      {"4,5,6,7,2", 3, "3,0,-2", ""},
      {"2,3,64,33,2", 2, "2,3", ""},
      {"3,224,20,2", 2, "2,1", ""},
      {"3,8,9,10,2", 3, "1,2,3", "5,12,7"},
      {"3,8,9,10,2", 3, "1,2,3", "5,12,30"},
      {"3,8,9,10,2", 2, "1,2", "20,-1"},
      {"3,8,9,10,2", 2, "1,-1", "-1,3"},
      {"5,2,2", 2, "0,1", "4,1"},
  };
  for (const Case& c : cases) Check("IRDFT-9", c);
}

// The second reads what it writes over.
TEST(FourierTest, OneBehindTheOther) {
  const Compared compared =
      Compare("%x = Parameter-0() {shape: [3,20,11,2], element_type: f32}\n" +
              ConstantOf("%axes", 2, "1,2") +
              "%a = DFT-7(%x, %axes) {}\n"
              "%b = IDFT-7(%a, %axes) {}\n"
              "%c = DFT-7(%a, %axes) {}\n"
              "%d = DFT-7(%c, %axes) {}\n"
              "%r = Result-0(%b) {}\n"
              "%s = Result-0(%d) {}\n");
  EXPECT_LT(compared.error, kTolerance) << compared.message;
}

// Lines that are too long for any cache.
TEST(FourierTest, LeavesTheRest) {
  const Compared compared =
      Compare(Model("DFT-7", {"1,2", 1, "0", absl::StrCat(1 << 17)}));
  EXPECT_LT(compared.error, kTolerance) << compared.message;
  EXPECT_NE(compared.KernelOf("DFT"), "fourier");
}

}  // namespace
}  // namespace dovetail::cpu
