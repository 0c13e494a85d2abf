// Random networks on the device beside the reference kernels. For longer:
//
//   bazel run //backends/cpu/testing/random_networks:random_networks_test --
//       --count=5000 --seed=100
//
// What fails is told by its seed; --blocks=3 takes the first blocks only, and
// --print shows networks, also before they can end the process.
#include <cstdio>
#include <string>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/testing/network.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/testing/random_networks/random_network.h"
#include "gtest/gtest.h"

ABSL_FLAG(unsigned, seed, 1, "Of the first network.");
ABSL_FLAG(int, count, 60, "Networks: of this seed and those after it.");
ABSL_FLAG(int, blocks, 100, "No more blocks than so many.");
ABSL_FLAG(std::string, family, "", "Only blocks of this family.");
ABSL_FLAG(bool, print, false, "Show each network.");
ABSL_FLAG(double, tolerance, 0, "As a part of the greatest value; 0: usual.");

namespace dovetail::cpu {
namespace {

// Deep networks carry roundings far. A value that falls to another level of a
// quantisation moves others by whole levels.
constexpr double kTolerance = 1e-3;
constexpr double kQuantizedTolerance = 0.1;
// bf16 rounds each factor by up to 2^-8, 2^16 times what f32 does, so networks
// have to be shallow for their results to say anything.
constexpr double kBf16Tolerance = 0.1;

struct Count {
  int inferences = 0, refused = 0;
};

double ToleranceOf(const random_networks::RandomNetwork& random,
                   const Network& network) {
  const double wanted = absl::GetFlag(FLAGS_tolerance);
  if (wanted > 0) return wanted;
  if (random.quantizes) return kQuantizedTolerance;
  const std::string type = network.executable()->config().GetString(
      properties::kInferencePrecisionHint);
  return type == "bf16" ? kBf16Tolerance : kTolerance;
}

PropertyMap Properties(unsigned seed) {
  return {{"NUM_STREAMS", absl::StrCat(1 + seed % 2)},
          {"INFERENCE_NUM_THREADS", absl::StrCat(1 + seed % 4)},
          {"INFERENCE_PRECISION_HINT", seed % 3 == 0 ? "f32" : "dynamic"}};
}

// Whether the reference kernels refuse these inputs, as the device has done.
bool IsRefused(const Network& network, const std::vector<Tensor>& inputs,
               VariableValues variables) {
  KernelEnvironment environment;
  environment.variables = &variables;
  return !EvaluateModel(network.model(), inputs, environment).ok();
}

// Inferences with inputs of one variant's shapes, from a fresh state.
std::string RunVariant(const Network& network, Request& request,
                       const std::vector<Shape>& shapes, double tolerance,
                       Count& count) {
  VariableValues variables;
  if (!request.ResetVariables().ok()) return "variables cannot be reset";
  for (unsigned run = 0; run < 2; ++run) {
    const std::vector<Tensor> inputs = network.Inputs(shapes, run);
    const VariableValues before = variables;
    ++count.inferences;
    const std::string wrong =
        network.Check(request, inputs, tolerance, &variables);
    if (wrong.empty()) continue;
    if (IsRefused(network, inputs, before)) {
      ++count.refused;
      return "";
    }
    return absl::StrCat("run ", run, ": ", wrong);
  }
  return "";
}

std::string Disagreement(unsigned seed, Count& count) {
  const random_networks::RandomNetwork random =
      random_networks::MakeRandomNetwork(seed, absl::GetFlag(FLAGS_blocks),
                                         absl::GetFlag(FLAGS_family));
  if (absl::GetFlag(FLAGS_print)) {
    std::printf("--seed=%u\n%s\n", seed, random.text.c_str());
    std::fflush(stdout);
  }
  const Network network(random.text, Properties(seed));
  const auto request = network.NewRequest();
  if (request == nullptr) return "does not compile";
  const double tolerance = ToleranceOf(random, network);
  // There, and back to the first one.
  const size_t variants = random.variants.size();
  for (size_t i = 0; i <= variants; ++i) {
    const std::string wrong = RunVariant(
        network, *request, random.variants[i % variants], tolerance, count);
    if (!wrong.empty()) return absl::StrCat("variant ", i, ", ", wrong);
  }
  return "";
}

TEST(RandomNetworksTest, AgreeWithTheReferenceKernels) {
  const unsigned first = absl::GetFlag(FLAGS_seed);
  const int networks = absl::GetFlag(FLAGS_count);
  Count count;
  for (int i = 0; i < networks; ++i) {
    const unsigned seed = first + static_cast<unsigned>(i);
    EXPECT_EQ(Disagreement(seed, count), "")
        << "--seed=" << seed << " --count=1";
  }
  std::printf("%d inferences, %d refused by both\n", count.inferences,
              count.refused);
  // Most of what is tried has to be tried in earnest.
  EXPECT_LT(count.refused, count.inferences / 4);
}

}  // namespace
}  // namespace dovetail::cpu

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return RUN_ALL_TESTS();
}
