// Real models, or any other set of cases, on devices made of others. All of
// them on one:
//
//   bazel run //testing/virtual:shared_models_test -- --filter='*'
//   --device=MULTI:FAKE.0,FAKE.1
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/fakes/device/fake_device.h"
#include "dovetail/testing/fakes/fake_plugin.h"
#include "dovetail/testing/shared_files.h"
#include "dovetail/testing/virtual/changed_case.h"
#include "dovetail/tools/conformance/cases/case_index.h"
#include "dovetail/tools/conformance/run_case.h"
#include "gtest/gtest.h"

ABSL_FLAG(std::string, device,
          "HETERO:CPU,REFERENCE HETERO:FAKE,CPU MULTI:CPU,REFERENCE "
          "MULTI:FAKE.0,FAKE.1 AUTO:FAKE,CPU BATCH:CPU(4)",
          "The devices, with spaces between them.");
ABSL_FLAG(std::string, set, "models/expected/openvino",
          "Of the shared folder.");
ABSL_FLAG(std::string, filter, "*landmarks*", "Names of cases.");
ABSL_FLAG(int, requests, 4,
          "At the same time, so that all devices of a list "
          "have some, and batches are full.");
ABSL_FLAG(std::string, precision, "f32", "INFERENCE_PRECISION_HINT.");

namespace dovetail {
namespace {

using conformance::Case;
using conformance::Outcome;

// Two, with memory for real models.
absl::Status RegisterFakes() {
  std::vector<std::shared_ptr<FakeDevice>> fakes;
  for (int i = 0; i < 2; ++i) {
    fakes.push_back(std::make_shared<FakeDevice>("FAKE", int64_t{4} << 30));
  }
  return PluginRegistry::Global().Register(
      "FAKE", [fakes] { return MakeFakePlugin(fakes); });
}

class SharedModelsTest : public testing::Test {
 protected:
  void Check(const Case& test_case, const std::string& device) {
    const auto changed = ChangedCase::Make(
        test_case, core_, device, [](Model&) { return absl::OkStatus(); });
    ASSERT_TRUE(changed.ok()) << changed.status();
    const auto schema = core_.Properties(device);
    ASSERT_TRUE(schema.ok()) << schema.status();
    PropertyMap properties;
    constexpr char kHint[] = "INFERENCE_PRECISION_HINT";
    if (schema->Has(kHint)) {
      properties[kHint] = absl::GetFlag(FLAGS_precision);
    }
    const Outcome outcome =
        (*changed)->Run(core_, properties, absl::GetFlag(FLAGS_requests));
    if (outcome.kind == Outcome::Kind::kSkipped) {
      std::printf("%s on %s: skipped, %s\n", test_case.name.c_str(),
                  device.c_str(), outcome.message.c_str());
      return;
    }
    EXPECT_EQ(outcome.kind, Outcome::Kind::kPassed)
        << test_case.name << " on " << device << ": " << outcome.message;
    passed_ += outcome.kind == Outcome::Kind::kPassed ? 1 : 0;
  }

  Core core_;
  int passed_ = 0;
};

TEST_F(SharedModelsTest, GiveWhatTheyShould) {
  DOVETAIL_SHARED_PATH_OR_SKIP(set, absl::GetFlag(FLAGS_set));
  DOVETAIL_SHARED_PATH_OR_SKIP(models, "models");
  auto cases =
      conformance::ReadCaseIndex(set, models, absl::GetFlag(FLAGS_filter));
  ASSERT_TRUE(cases.ok()) << cases.status();
  conformance::AllowRoundings(*cases);
  const std::vector<std::string> devices =
      absl::StrSplit(absl::GetFlag(FLAGS_device), ' ');
  for (const std::string& device : devices) {
    passed_ = 0;
    for (const Case& test_case : *cases) Check(test_case, device);
    std::printf("%s: %d of %zu\n", device.c_str(), passed_, cases->size());
  }
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  const absl::Status registered = dovetail::RegisterFakes();
  if (!registered.ok()) {
    std::fprintf(stderr, "%s\n", registered.ToString().c_str());
    return 1;
  }
  return RUN_ALL_TESTS();
}
