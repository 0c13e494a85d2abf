// Random networks on the device under test beside the reference kernels. For
// longer:
//
//   bazel run //testing/random_networks/device:random_networks_test_cpu --
//       --count=5000 --seed=100
//
// What fails is told by its seed; --blocks=3 takes the first blocks only, and
// --print shows networks, also before they can end the process.
#include <cstdio>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/testing/backend/device_test.h"
#include "dovetail/testing/graphs/random_model.h"
#include "dovetail/testing/random_networks/random_affinities.h"
#include "dovetail/testing/random_networks/random_network.h"
#include "gtest/gtest.h"

ABSL_FLAG(unsigned, seed, 1, "Of the first network.");
ABSL_FLAG(int, count, 60, "Networks: of this seed and those after it.");
ABSL_FLAG(int, blocks, 100, "No more blocks than so many.");
ABSL_FLAG(std::string, family, "", "Only blocks of this family.");
ABSL_FLAG(bool, print, false, "Show each network.");
ABSL_FLAG(double, tolerance, 0, "As a part of the greatest value; 0: usual.");

namespace dovetail {
namespace {

using random_networks::MakeRandomNetwork;
using random_networks::RandomNetwork;

// Deep networks carry roundings far. A value that falls to another level of a
// quantization moves others by whole levels.
constexpr double kTolerance = 1e-3;
constexpr double kQuantizedTolerance = 0.1;
// bf16 rounds each factor by up to 2^-8, 2^16 times what f32 does, so networks
// have to be shallow for their results to say anything.
constexpr double kBf16Tolerance = 0.1;
// A device of f16 rounds what every layer reads and writes, by up to 2^-11.
constexpr double kF16Tolerance = kBf16Tolerance / 8;

struct Count {
  int networks = 0, not_supported = 0;
  int inferences = 0, refused = 0;
};

double ToleranceOf(const RandomNetwork& network, const CompiledModel& compiled,
                   absl::string_view computes) {
  const double wanted = absl::GetFlag(FLAGS_tolerance);
  if (wanted > 0) return wanted;
  if (network.quantizes) return kQuantizedTolerance;
  if (computes == "f16") return kF16Tolerance;
  const auto type = compiled.GetProperty(properties::kInferencePrecisionHint);
  return type.ok() && *type == "bf16" ? kBf16Tolerance : kTolerance;
}

absl::StatusOr<std::vector<Tensor>> Infer(InferRequest& request,
                                          const std::vector<Tensor>& inputs,
                                          size_t output_count) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(request.SetInput(static_cast<int>(i), inputs[i]));
  }
  DOVETAIL_RETURN_IF_ERROR(request.Infer());
  std::vector<Tensor> outputs(output_count);
  for (size_t i = 0; i < output_count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(outputs[i], request.Output(static_cast<int>(i)));
  }
  return outputs;
}

// Infers, and compares all results with what the reference kernels give: empty,
// or what is wrong. `variables` keeps the reference's ones.
std::string Check(const Model& model, InferRequest& request,
                  const std::vector<Tensor>& inputs, double tolerance,
                  VariableValues& variables, Count& count) {
  ++count.inferences;
  KernelEnvironment environment;
  environment.variables = &variables;
  const auto want = EvaluateModel(model, inputs, environment);
  const auto got = Infer(request, inputs, model.results().size());
  if (got.ok() && want.ok()) return FirstDifference(*got, *want, tolerance);
  if (got.ok() || want.ok()) {
    return absl::StrCat("the device says ", got.status().ToString(),
                        ", the reference kernels ", want.status().ToString());
  }
  ++count.refused;
  return "";
}

// Two inferences with inputs of one variant's shapes, from a fresh state.
std::string RunVariant(const Model& model, InferRequest& request,
                       const std::vector<Shape>& shapes, double tolerance,
                       Count& count) {
  VariableValues variables;
  if (!request.ResetVariables().ok()) return "variables cannot be reset";
  for (unsigned run = 0; run < 2; ++run) {
    const int refused = count.refused;
    const std::string wrong =
        Check(model, request, RandomInputs(model, shapes, run), tolerance,
              variables, count);
    if (!wrong.empty()) return absl::StrCat("run ", run, ": ", wrong);
    if (count.refused > refused) break;  // the state is not known
  }
  return "";
}

class RandomNetworksTest : public DeviceTest {
 protected:
  void SetUp() override {
    if (!computes()) GTEST_SKIP() << "the device computes nothing";
  }

  PropertyMap Properties(unsigned seed) const {
    PropertyMap properties;
    const auto set = [&](absl::string_view key, const std::string& value) {
      if (HasProperty(key)) properties[std::string(key)] = value;
    };
    set(properties::kNumStreams, absl::StrCat(1 + seed % 2));
    set(properties::kInferenceNumThreads, absl::StrCat(1 + seed % 4));
    // Parts may round differently.
    if (seed % 3 == 0 || has_parts())
      set(properties::kInferencePrecisionHint, "f32");
    return properties;
  }

  // Of a device that heeds them.
  absl::Status SetAffinities(unsigned seed, Model& model) const {
    absl::string_view parts = device();
    if (!absl::ConsumePrefix(&parts, "HETERO:")) return absl::OkStatus();
    return random_networks::SetRandomAffinities(
        core_, absl::StrSplit(parts, ','), seed, model);
  }

  std::string Disagreement(unsigned seed, Count& count) const {
    const RandomNetwork network = MakeRandomNetwork(
        seed, absl::GetFlag(FLAGS_blocks), absl::GetFlag(FLAGS_family));
    if (absl::GetFlag(FLAGS_print)) {
      std::printf("--seed=%u\n%s\n", seed, network.text.c_str());
      std::fflush(stdout);
    }
    auto model = ParseWithConstants(network.text);
    if (!model.ok()) return std::string(model.status().message());
    if (absl::Status set = SetAffinities(seed, *model); !set.ok()) {
      return set.ToString();
    }
    ++count.networks;
    const auto compiled = core_.Compile(*model, device(), Properties(seed));
    if (absl::IsUnimplemented(compiled.status())) {
      ++count.not_supported;
      return "";
    }
    if (!compiled.ok()) return std::string(compiled.status().message());
    auto request = compiled->NewRequest();
    if (!request.ok()) return std::string(request.status().message());
    const double tolerance =
        ToleranceOf(network, *compiled, exceptions().computes);
    // There, and back to the first one.
    const size_t variants = network.variants.size();
    for (size_t i = 0; i <= variants; ++i) {
      const std::string wrong = RunVariant(
          *model, *request, network.variants[i % variants], tolerance, count);
      if (!wrong.empty()) return absl::StrCat("variant ", i, ", ", wrong);
    }
    return "";
  }
};

TEST_F(RandomNetworksTest, AgreeWithTheReferenceKernels) {
  const unsigned first = absl::GetFlag(FLAGS_seed);
  const int networks = absl::GetFlag(FLAGS_count);
  Count count;
  for (int i = 0; i < networks; ++i) {
    const unsigned seed = first + static_cast<unsigned>(i);
    EXPECT_EQ(Disagreement(seed, count), "")
        << "--seed=" << seed << " --count=1";
  }
  std::printf(
      "%d networks, %d that %s does not support; %d inferences, %d "
      "refused by both\n",
      count.networks, count.not_supported, device().c_str(), count.inferences,
      count.refused);
  // Most of what is tried has to be tried in earnest.
  EXPECT_LT(count.refused, count.inferences / 4 + 1);
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return RUN_ALL_TESTS();
}
