// Real models on HETERO, each layer on a random device that runs it, beside the
// outputs that they should have. All of them, twenty times:
//
//   bazel run //testing/virtual:affinities_test -- --filter='*' --count=20
//
// The same with a third part that is nothing like a CPU:
//
//   bazel run //testing/virtual:affinities_test -- --filter='*' --count=20
//   --devices=CPU,REFERENCE,FAKE
#include <cstdio>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/random_networks/random_affinities.h"
#include "dovetail/testing/shared_files.h"
#include "dovetail/testing/virtual/changed_case.h"
#include "dovetail/tools/conformance/cases/case_index.h"
#include "dovetail/tools/conformance/run_case.h"
#include "gtest/gtest.h"

ABSL_FLAG(std::string, devices, "CPU,REFERENCE", "The parts.");
ABSL_FLAG(std::string, set, "models/expected/openvino",
          "Of the shared folder.");
ABSL_FLAG(std::string, filter, "*landmarks*", "Names of cases.");
ABSL_FLAG(unsigned, seed, 1, "Of the first affinities.");
ABSL_FLAG(int, count, 1, "Affinities a model: of this seed and those after.");

namespace dovetail {
namespace {

using conformance::Case;
using conformance::Outcome;

class AffinitiesTest : public testing::Test {
 protected:
  AffinitiesTest()
      : device_(absl::StrCat("HETERO:", absl::GetFlag(FLAGS_devices))) {}

  void Check(const Case& test_case, unsigned seed) {
    const auto set_affinities = [&](Model& model) {
      return random_networks::SetRandomAffinities(
          core_, absl::StrSplit(absl::GetFlag(FLAGS_devices), ','), seed,
          model);
    };
    const auto changed =
        ChangedCase::Make(test_case, core_, device_, set_affinities);
    ASSERT_TRUE(changed.ok()) << changed.status();
    const Outcome outcome =
        (*changed)->Run(core_, {{"INFERENCE_PRECISION_HINT", "f32"}});
    if (outcome.kind == Outcome::Kind::kSkipped) {
      std::printf("%s: skipped, %s\n", test_case.name.c_str(),
                  outcome.message.c_str());
      return;
    }
    EXPECT_EQ(outcome.kind, Outcome::Kind::kPassed)
        << test_case.name << " --seed=" << seed << ": " << outcome.message;
  }

  const std::string device_;
  Core core_;
};

TEST_F(AffinitiesTest, AnyCutComputesTheSame) {
  DOVETAIL_SHARED_PATH_OR_SKIP(set, absl::GetFlag(FLAGS_set));
  DOVETAIL_SHARED_PATH_OR_SKIP(models, "models");
  auto cases =
      conformance::ReadCaseIndex(set, models, absl::GetFlag(FLAGS_filter));
  ASSERT_TRUE(cases.ok()) << cases.status();
  conformance::AllowRoundings(*cases);
  for (const Case& test_case : *cases) {
    for (int i = 0; i < absl::GetFlag(FLAGS_count); ++i) {
      Check(test_case, absl::GetFlag(FLAGS_seed) + static_cast<unsigned>(i));
    }
  }
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return RUN_ALL_TESTS();
}
