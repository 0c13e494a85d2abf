#include "dovetail/backends/vpu/machine/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "absl/strings/str_cat.h"

namespace dovetail::vpu {
namespace {

using ::testing::HasSubstr;

std::string ErrorOf(absl::string_view text) {
  const auto machine = ParseMachine(text, "chip.txt");
  return machine.ok() ? "" : std::string(machine.status().message());
}

TEST(MachineTest, DefaultGivesEveryKeyAndItsSource) {
  ASSERT_TRUE(DefaultMachine().ok()) << DefaultMachine().status();
  for (const std::string& key : MachineKeys()) {
    EXPECT_THAT(std::string(MyriadXText()), HasSubstr(absl::StrCat("\n", key)));
  }
  EXPECT_EQ(DefaultMachine()->clock_mhz, 700);
  EXPECT_EQ(DefaultMachine()->cmx_bytes(), 9 * 131072);
  EXPECT_EQ(DefaultMachine()->microseconds(1400), 2);
  EXPECT_EQ(DefaultMachine()->cycles_of_ns(20), 14);
}

TEST(MachineTest, OwnTextChangesWhatItNames) {
  const auto machine =
      ParseMachine("# mine\n\nclock_mhz = 900 MHz # faster\n", "chip.txt");
  ASSERT_TRUE(machine.ok()) << machine.status();
  EXPECT_EQ(machine->clock_mhz, 900);
  EXPECT_EQ(machine->cmx_slices, 9);
}

TEST(MachineTest, ErrorsNameFileLineAndWhatWouldBeRight) {
  EXPECT_THAT(
      ErrorOf("\nclock_mhx = 1 MHz"),
      ::testing::AllOf(HasSubstr("chip.txt, line 2"), HasSubstr("clock_mhz")));
  EXPECT_THAT(ErrorOf("clock_mhz = 1 GHz"), HasSubstr("its unit, MHz"));
  EXPECT_THAT(ErrorOf("clock_mhz = 1"), HasSubstr("its unit, MHz"));
  EXPECT_THAT(ErrorOf("clock_mhz = fast MHz"), HasSubstr("needs a number"));
  EXPECT_THAT(ErrorOf("clock_mhz = nan MHz"), HasSubstr("needs a number"));
  EXPECT_THAT(ErrorOf("clock_mhz = 0 MHz"), HasSubstr("must be in 1"));
  EXPECT_THAT(ErrorOf("executors = 2.5 inferences"),
              HasSubstr("a whole number of inferences"));
  EXPECT_THAT(ErrorOf("\x1b[2J = 1 MHz"), HasSubstr("no '\\x1b[2J'"));
  EXPECT_THAT(ErrorOf("clock_mhz 700 MHz"), HasSubstr("key = value unit"));
  EXPECT_THAT(ErrorOf("cmx_slices = 1 slices\ncmx_slices = 2 slices"),
              HasSubstr("line 2: 'cmx_slices' is given twice"));
}

// A few letters are others, or the end is missing: a description that is read
// is one that can be written, and an error says where it is.
TEST(MachineTest, DamagedDescriptionsAreRefusedOrMachines) {
  std::mt19937 random(5);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text(MyriadXText());
    const int changes = 1 + static_cast<int>(random() % 4);
    for (int change = 0; change < changes; ++change) {
      text[random() % text.size()] = static_cast<char>(random());
    }
    if (random() % 4 == 0) text.resize(random() % text.size());
    const auto machine = ParseMachine(text, "chip.txt");
    if (machine.ok()) {
      const auto again = ParseMachine(MachineText(*machine), "again");
      ASSERT_TRUE(again.ok()) << again.status();
      EXPECT_EQ(MachineDifference(*machine, *again), "");
    } else {
      ++refused;
      EXPECT_THAT(machine.status().message(), HasSubstr("chip.txt, line "));
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(MachineTest, SweepsSetOneValue) {
  Machine machine = *DefaultMachine();
  ASSERT_TRUE(SetMachineValue("cmx_slices", "19", machine).ok());
  EXPECT_EQ(machine.cmx_slices, 19);
  EXPECT_EQ(MachineValue(machine, "cmx_slices").value(), 19);
  EXPECT_FALSE(MachineValue(machine, "slices").ok());
  EXPECT_FALSE(SetMachineValue("slices", "19", machine).ok());
  EXPECT_FALSE(SetMachineValue("cmx_slices", "-1", machine).ok());
}

}  // namespace
}  // namespace dovetail::vpu
