// What HETERO needs beside what its parts need: by the greatest size of
// processes that do one thing each, of a model with large weights.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/graphs/random_model.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr int kLayers = 12, kWidth = 1024;
constexpr int64_t kWeights = int64_t{kLayers} * kWidth * kWidth * 4;
constexpr char kDevices[] = "HETERO:FAKE,CPU,REFERENCE";
const PropertyMap kF32 = {{"INFERENCE_PRECISION_HINT", "f32"}};

// Matrix products, one behind the other; layer i is "product i".
Model WithLargeWeights() {
  std::string text = absl::StrCat("%v = Parameter-0() {shape: [1,", kWidth,
                                  "], element_type: f32}\n");
  for (int i = 0; i < kLayers; ++i) {
    absl::StrAppend(&text, "%w", i, " = Parameter-0() {shape: [", kWidth, ",",
                    kWidth, "], element_type: f32}  # constant\n");
  }
  std::string last = "%v";
  for (int i = 0; i < kLayers; ++i) {
    absl::StrAppend(&text, "%p", i, " = MatMul-0(", last, ", %w", i,
                    ") {transpose_a: false, transpose_b: false}  # product ", i,
                    "\n");
    last = absl::StrCat("%p", i);
  }
  return ParseWithConstants(
             absl::StrCat(text, "%o = Result-0(", last, ") {}\n"))
      .value();
}

// Each device has a third of the layers, no two of them next to each other. One
// for all processes.
const Model& InParts() {
  static const Model* const model = [] {
    auto* made = new Model(WithLargeWeights());
    const char* const devices[] = {"FAKE", "CPU", "REFERENCE"};
    for (int i = 0; i < kLayers; ++i) {
      made->FindNode(absl::StrCat("product ", i))
          ->rt_info()
          .Set({"affinity"}, devices[i % 3]);
    }
    return made;
  }();
  return *model;
}

// Bytes of a process that has the model and calls `use`, which gives whether
// that went well; 0 where it did not.
int64_t PeakOf(absl::FunctionRef<bool(const Model&)> use) {
  const Model& model = InParts();
  const pid_t child = fork();
  if (child == 0) _exit(use(model) ? 0 : 1);
  int status = 0;
  struct rusage usage = {};
  if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
    return 0;
  }
  return int64_t{usage.ru_maxrss} << 10;
}

// Of compiling and one inference. A device alone gets all layers, whatever
// their affinity.
int64_t PeakOfInference(const std::string& device) {
  return PeakOf([&](const Model& model) {
    const Core core;
    const auto schema = core.Properties(device);
    const bool has_hint = schema.ok() && schema->Has(kF32.begin()->first);
    const auto compiled =
        core.Compile(model, device, has_hint ? kF32 : PropertyMap());
    return compiled.ok() && compiled->NewRequest().value().Infer().ok();
  });
}

class HeteroMemoryTest : public testing::Test {
 protected:
  const int64_t model_ = PeakOf([](const Model&) { return true; });
};

TEST_F(HeteroMemoryTest, AQueryCopiesNoWeights) {
  ASSERT_GT(model_, kWeights);
  const int64_t peak = PeakOf([](const Model& model) {
    const auto query = Core().Query(model, kDevices, kF32);
    return query.ok() && query->all_supported();
  });
  ASSERT_GT(peak, 0);
  EXPECT_LT(peak - model_, kWeights / 2);
}

TEST_F(HeteroMemoryTest, PartsAreAllThatItKeeps) {
  ASSERT_GT(model_, kWeights);
  int64_t parts = 0;
  for (const char* device : {"FAKE", "CPU", "REFERENCE"}) {
    const int64_t peak = PeakOfInference(device);
    ASSERT_GT(peak, 0) << device;
    parts += (peak - model_) / 3;
  }
  const int64_t peak = PeakOfInference(kDevices);
  ASSERT_GT(peak, 0);
  std::printf("weights %.1f MB; parts need %.1f MB, HETERO %.1f MB\n",
              1e-6 * kWeights, 1e-6 * static_cast<double>(parts),
              1e-6 * static_cast<double>(peak - model_));
  // A copy of the weights more would be seen.
  EXPECT_LT(peak - model_ - parts, kWeights * 3 / 4);
}

}  // namespace
}  // namespace dovetail
