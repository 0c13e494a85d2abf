// Devices made of others, loaded and run again and again: memory does not
// grow. In earnest:
//
//   bazel run //testing/virtual:endurance_test -- --loads=10000
//   --inferences=1000000
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gtest/gtest.h"

ABSL_FLAG(int, loads, 200, "Loads and unloads of each device.");
ABSL_FLAG(int, inferences, 20000, "Inferences of each device.");

namespace dovetail {
namespace {

constexpr int kThreads = 8;
// What lists of the allocator and of threads may still take after a while.
constexpr int64_t kNoGrowth = int64_t{128} << 10;

// Bytes of the heap in use; where the allocator is a sanitizer's, 0.
int64_t BytesInUse() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 0;
#else
  const struct mallinfo2 info = mallinfo2();
  return static_cast<int64_t>(info.uordblks + info.hblkhd);
#endif
}

// What `work` leaves in use: the least of up to three times. Where more threads
// meet than ever before, a pool grows once more; a leak leaves as much again.
template <class Work>
int64_t BytesLeft(Work work) {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (int i = 0; i < 3 && least >= kNoGrowth; ++i) {
    const int64_t before = BytesInUse();
    work();
    least = std::min(least, BytesInUse() - before);
  }
  return least;
}

class EnduranceTest : public testing::TestWithParam<std::string> {
 protected:
  static Model WithTwoDevices() {
    Model model = ChainModel();
    if (GetParam().find("HETERO") != std::string::npos) {
      model.FindNode("relu")->rt_info().Set({"affinity"}, "REFERENCE");
    }
    return model;
  }

  void LoadRunUnload(const Model& model, int count) const {
    for (int i = 0; i < count; ++i) {
      const auto compiled = core_.Compile(model, GetParam());
      ASSERT_TRUE(compiled.ok()) << compiled.status();
      ASSERT_NO_FATAL_FAILURE(Infer(*compiled, 1));
    }
  }

  static void Infer(const CompiledModel& compiled, int count) {
    auto request = compiled.NewRequest();
    ASSERT_TRUE(request.ok()) << request.status();
    ASSERT_TRUE(request->SetInput("x", ChainInput()).ok());
    for (int i = 0; i < count; ++i) ASSERT_TRUE(request->Infer().ok());
    const Tensor y = request->Output("y").value();
    const std::vector<double> want = ChainOutput();
    for (size_t i = 0; i < want.size(); ++i) {
      ASSERT_EQ(y.data<float>()[i], want[i]) << i;
    }
  }

  static void InferInThreads(const CompiledModel& compiled, int count) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] { Infer(compiled, count / kThreads); });
    }
    for (std::thread& thread : threads) thread.join();
  }

  Core core_;
};

TEST_P(EnduranceTest, LoadsLeaveNothing) {
  const Model model = WithTwoDevices();
  const int loads = absl::GetFlag(FLAGS_loads);
  ASSERT_NO_FATAL_FAILURE(LoadRunUnload(model, loads / 4));
  EXPECT_LT(BytesLeft([&] { LoadRunUnload(model, loads); }), kNoGrowth);
}

TEST_P(EnduranceTest, InferencesLeaveNothing) {
  const auto compiled = core_.Compile(WithTwoDevices(), GetParam());
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  const int inferences = absl::GetFlag(FLAGS_inferences);
  ASSERT_NO_FATAL_FAILURE(InferInThreads(*compiled, inferences / 4));
  EXPECT_LT(BytesLeft([&] { InferInThreads(*compiled, inferences); }),
            kNoGrowth);
}

INSTANTIATE_TEST_SUITE_P(Devices, EnduranceTest,
                         testing::Values("AUTO:REFERENCE,CPU",
                                         "HETERO:CPU,REFERENCE",
                                         "MULTI:CPU,REFERENCE", "BATCH:CPU(4)",
                                         "BATCH:HETERO:CPU,REFERENCE(4)"));

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return RUN_ALL_TESTS();
}
