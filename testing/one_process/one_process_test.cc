// What there is one of in a process, with a plugin that is linked in and with
// one in a library, which has a copy of core of its own.

#include <chrono>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/executor/pools/threads.h"
#include "dovetail/core/ops/structural/structural.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/core/tensor/memory/mapped_file.h"
#include "dovetail/testing/graphs/small_models.h"
#include "dovetail/testing/one_process/cpu_here.h"
#include "dovetail/testing/one_process/process_state.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::ElementsAre;
using testing::Pair;

class OneProcessTest : public testing::Test {
 protected:
  OneProcessTest() { BringCpuHere(); }

  CompiledModel Compile(const Model& model, const std::string& device,
                        const std::string& threads = "6") {
    auto compiled = core_.Compile(model, device,
                                  {{"NUM_STREAMS", "2"},
                                   {"INFERENCE_NUM_THREADS", threads},
                                   {"INFERENCE_PRECISION_HINT", "f32"}});
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return *std::move(compiled);
  }

  // Both of a device's streams.
  static void InferTwice(const CompiledModel& model) {
    for (int i = 0; i < 2; ++i) {
      auto request = model.NewRequest();
      ASSERT_TRUE(request.ok()) << request.status();
      const Tensor x =
          Tensor::FromDoubles(ElementType::kF32, {2, 3}, {-2, -1, 0, 1, 2, 3})
              .value();
      ASSERT_TRUE(request->SetInput(0, x).ok());
      ASSERT_TRUE(request->StartAsync().ok());
      ASSERT_TRUE(request->Wait().ok());
      EXPECT_EQ(request->Output(0)->ElementAsDouble(5), 8);
    }
  }

  // The threads, once those that are ending have ended and there are `count`;
  // others that stay are waited for some seconds.
  static std::map<std::string, int> ThreadsWhen(int count) {
    for (int look = 0;; ++look) {
      std::map<std::string, int> threads = DovetailThreads();
      int all = 0;
      for (const auto& [name, of_name] : threads) all += of_name;
      if (all <= count || look == 1000) return threads;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  Core core_;
};

TEST_F(OneProcessTest, DevicesShareTheirThreads) {
  const Model model = ChainModel();
  const CompiledModel reference = Compile(model, "REFERENCE");
  InferTwice(reference);
  const CompiledModel cpu = Compile(model, "CPU");
  InferTwice(cpu);
  // Two streams of three threads, not four; and the team that compiled has
  // ended.
  EXPECT_THAT(ThreadsWhen(6), ElementsAre(Pair("dovetail-stream", 2),
                                          Pair("dovetail-team", 4)));
}

TEST_F(OneProcessTest, ThePluginUsesTheThreadsOfTheProgram) {
  // A form that no other test uses, whose streams may be ending.
  const auto streams = Threads::OfProcess()->SharedStreams(2, 4);
  ASSERT_EQ(streams.use_count(), 1);
  const CompiledModel cpu = Compile(ChainModel(), "CPU", "8");
  EXPECT_EQ(streams.use_count(), 2);
}

// A constant that was packed need not stay in memory, also where another copy
// of core has mapped its file.
TEST_F(OneProcessTest, WeightsThatWerePackedAreForgotten) {
  constexpr int kSize = 1024;
  const std::string path = testing::TempDir() + "/one_process_weights.bin";
  std::ofstream(path, std::ios::binary)
      << std::string(kSize * kSize * sizeof(float), '\0');
  const auto file = MappedFile::Open(path);
  ASSERT_TRUE(file.ok()) << file.status();
  auto model = ParseModelText(
      absl::StrCat("%x = Parameter-0() {shape: [4,", kSize,
                   "], element_type: f32}\n", "%w = Parameter-0() {shape: [",
                   kSize, ",", kSize, "], element_type: f32}\n",
                   "%y = MatMul-0(%x, %w) {}\n", "%out = Result-0(%y) {}\n"));
  ASSERT_TRUE(model.ok()) << model.status();
  const Tensor weights =
      Tensor::Share(ElementType::kF32, {kSize, kSize}, (*file)->data(),
                    static_cast<int64_t>((*file)->size()), *file)
          .value();
  const auto constant = AddConstant(*model, weights, "weights");
  ASSERT_TRUE(constant.ok()) << constant.status();
  model->ReplaceUses(model->parameters()[1]->output(), (*constant)->output());
  const CompiledModel cpu = Compile(*model, "CPU");
  const int64_t resident = ResidentBytesAt((*file)->data());
  EXPECT_GE(resident, 0);
  EXPECT_LT(resident, kSize * kSize);  // a quarter of the bytes
}

}  // namespace
}  // namespace dovetail
