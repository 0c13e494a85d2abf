// The limit of instructions, and what the device says of what is in force. A
// limit holds for a process, so each has one of its own: a death test in
// "threadsafe" style is this program started again.
#include <cstdlib>
#include <iostream>
#include <string>

#include "absl/strings/match.h"
#include "dovetail/backends/cpu/cpu_plugin.h"
#include "dovetail/backends/cpu/testing/network.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr char kModel[] =
    "%x = Parameter-0() {shape: [2,3], element_type: f32}\n"
    "%y = Relu-0(%x) {}\n"
    "%r = Result-0(%y) {}\n";

// The values of read-only keys, the type in force where bf16 is asked for, and
// errors.
[[noreturn]] void Describe() {
  const auto plugin = MakeCpuPlugin().value();
  const auto devices = plugin->Devices();
  std::cerr << "devices: " << devices.status() << "; ";
  const auto config = Config::Resolve(
      plugin->properties(), {.call = {{"INFERENCE_PRECISION_HINT", "bf16"}},
                             .read_environment = false});
  const StandaloneCall call(*config);
  const auto executable = plugin->Compile(
      std::make_unique<Model>(ParseModelText(kModel).value()), call);
  std::cerr << "compile: " << executable.status() << "; ";
  for (const char* key : {"DEVICE_ARCHITECTURE", "OPTIMIZATION_CAPABILITIES"}) {
    std::cerr << key << ": " << plugin->GetMetric(key, call).value() << "; ";
  }
  if (executable.ok()) {
    std::cerr << "type: "
              << (*executable)->config().GetString("INFERENCE_PRECISION_HINT");
  }
  std::cerr << "\n";
  std::exit(0);
}

class InstructionsTest : public testing::Test {
 protected:
  InstructionsTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  ~InstructionsTest() override { Set(nullptr, nullptr); }

  static void Set(const char* own, const char* onednn) {
    const auto set = [](const char* name, const char* value) {
      value == nullptr ? unsetenv(name) : setenv(name, value, 1);
    };
    set("DOVETAIL_MAX_CPU_ISA", own);
    set("ONEDNN_MAX_CPU_ISA", onednn);
  }
};

using InstructionsDeathTest = InstructionsTest;

TEST_F(InstructionsDeathTest, ALimitHoldsForTheWholeDevice) {
  Set("AVX2", nullptr);
  EXPECT_EXIT(Describe(), testing::ExitedWithCode(0),
              "devices: OK; compile: OK; DEVICE_ARCHITECTURE: intel64 avx2; "
              "OPTIMIZATION_CAPABILITIES: FP32 FP16 .*; type: f32");
}

TEST_F(InstructionsDeathTest, TheLimitOfOneDnnHoldsForTheWholeDeviceToo) {
  Set(nullptr, "AVX2");
  EXPECT_EXIT(Describe(), testing::ExitedWithCode(0),
              "devices: OK; compile: OK; DEVICE_ARCHITECTURE: intel64 avx2; "
              "OPTIMIZATION_CAPABILITIES: FP32 FP16 .*; type: f32");
}

TEST_F(InstructionsDeathTest, AnUnknownLevelIsRefusedByName) {
  Set("AVX1024", nullptr);
  EXPECT_EXIT(Describe(), testing::ExitedWithCode(0),
              "devices: INVALID_ARGUMENT: .*'AVX1024'.*AVX512_VNNI.*; "
              "compile: INVALID_ARGUMENT: .*'AVX1024'.*AVX512_VNNI");
}

TEST_F(InstructionsDeathTest, WithoutAvx2NothingIsCompiled) {
  Set(nullptr, "SSE41");
  EXPECT_EXIT(Describe(), testing::ExitedWithCode(0),
              "devices: UNAVAILABLE: .*AVX2.*ONEDNN_MAX_CPU_ISA.*; "
              "compile: UNAVAILABLE: .*AVX2.*ONEDNN_MAX_CPU_ISA");
}

std::string TypeInForce(const PropertyMap& properties) {
  return Network(kModel, properties)
      .executable()
      ->config()
      .GetString("INFERENCE_PRECISION_HINT");
}

TEST(PrecisionInForceTest, IsWhatACompiledModelAnswers) {
  const auto plugin = MakeCpuPlugin().value();
  const std::string capabilities =
      plugin->GetMetric("OPTIMIZATION_CAPABILITIES", StandaloneCall(*plugin))
          .value();
  const std::string narrow =
      absl::StrContains(capabilities, "BF16") ? "bf16" : "f32";
  const auto asked = [](const char* type) {
    return TypeInForce({{"INFERENCE_PRECISION_HINT", type}});
  };
  EXPECT_EQ(asked("f32"), "f32");
  EXPECT_EQ(asked("f16"), "f32");
  EXPECT_EQ(asked("bf16"), narrow);
  EXPECT_EQ(asked("dynamic"), narrow);
  EXPECT_EQ(TypeInForce({{"INFERENCE_PRECISION_HINT", "dynamic"},
                         {"EXECUTION_MODE_HINT", "ACCURACY"}}),
            "f32");
}

}  // namespace
}  // namespace dovetail::cpu
