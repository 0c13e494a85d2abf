// Inferences on a device: tensors in place, shared contexts, faults.
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/gpu_plugin.h"
#include "dovetail/backends/gpu/testing/on_device.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/base/testing/captured_log.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/core/request/request.h"
#include "dovetail/testing/graphs/random_model.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

// Large enough that its tensors begin at pages.
constexpr int64_t kRows = 256, kColumns = 128;
constexpr char kModel[] = R"(
  %x = Parameter-0() {shape: [256,128], element_type: f32}
  %order = Constant-0() {value: i64[2] {1,0}}
  %y = Transpose-1(%x, %order) {}
  %r = Result-0(%y) {}
)";

const Plugin& Gpu() {
  static const Plugin* const plugin = MakeGpuPlugin().value().release();
  return *plugin;
}

Config ConfigOf(const PropertyMap& properties) {
  PropertyLayers layers;
  layers.call = properties;
  layers.read_environment = false;
  return Config::Resolve(Gpu().properties(), layers).value();
}

Tensor Numbers(float first = 0) {
  Tensor tensor =
      Tensor::Allocate(ElementType::kF32, Shape({kRows, kColumns})).value();
  const absl::Span<float> values = tensor.mutable_span<float>();
  std::iota(values.begin(), values.end(), first);
  return tensor;
}

// Whether `result` is the transpose of Numbers(first).
bool IsTranspose(const Tensor& result, float first = 0) {
  const auto values = result.span<float>();
  for (int64_t i = 0; i < kRows * kColumns; ++i) {
    const int64_t row = i % kRows, column = i / kRows;
    const auto want = first + static_cast<float>(row * kColumns + column);
    if (values[i] != want) return false;
  }
  return true;
}

class GpuRuntime : public OnShim {
 protected:
  absl::StatusOr<std::unique_ptr<Request>> NewRequest(
      const PropertyMap& properties = {},
      std::shared_ptr<RemoteContext> context = nullptr) {
    auto model = ParseWithConstants(kModel);
    if (!model.ok()) return model.status();
    const StandaloneCall standalone(ConfigOf(properties));
    PluginCall call = standalone;
    call.context = std::move(context);
    DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Executable> executable,
                              Gpu().Compile(model->Clone(), call));
    return Request::Create(std::move(executable));
  }
  std::shared_ptr<RemoteContext> NewContext(const RemoteParams& params = {}) {
    const Config config = ConfigOf({});
    auto context = Gpu().CreateContext(params, StandaloneCall(config));
    EXPECT_TRUE(context.ok()) << context.status();
    return context.ok() ? *context : nullptr;
  }
  // Soon: the thread that ended an inference may be the last to let go.
  void ExpectLive(const char* kind, int64_t count) {
    for (int i = 0; i < 1000 && shim_->Live(kind) != count; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(shim_->Live(kind), count) << kind;
  }
  int64_t Transfers() {
    return shim_->Calls("clEnqueueReadBuffer") +
           shim_->Calls("clEnqueueWriteBuffer") +
           shim_->Calls("clEnqueueCopyBuffer");
  }
};

TEST_F(GpuRuntime, RunsOneWayAndTheOther) {
  const auto request = NewRequest();
  ASSERT_TRUE(request.ok()) << request.status();
  for (const float first : {0.0f, 7.0f}) {
    ASSERT_TRUE((*request)->SetInput(0, Numbers(first)).ok());
    ASSERT_TRUE((*request)->Infer().ok());
    EXPECT_TRUE(IsTranspose((*request)->Output(0).value(), first));
    ASSERT_TRUE((*request)->SetInput(0, Numbers(first + 1)).ok());
    ASSERT_TRUE((*request)->StartAsync().ok());
    EXPECT_TRUE((*request)->Wait().ok());
    EXPECT_TRUE(IsTranspose((*request)->Output(0).value(), first + 1));
  }
}

TEST_F(GpuRuntime, UsesTensorsOfTheHostWhereTheyAre) {
  if (!device_->traits().has_unified_memory) GTEST_SKIP() << "no host memory";
  ExpectLive("CommandQueue", 0);  // the test before has let go of its own
  const auto request = NewRequest();
  ASSERT_TRUE(request.ok()) << request.status();
  Tensor input = (*request)->Input(0).value();
  shim_->Reset();
  for (const float first : {3.0f, 4.0f, 5.0f}) {
    ASSERT_TRUE(input.CopyFrom(Numbers(first)).ok());
    ASSERT_TRUE((*request)->Infer().ok());
    EXPECT_TRUE(IsTranspose((*request)->Output(0).value(), first));
  }
  EXPECT_EQ(Transfers(), 0);
  // Two buffers, bound once.
  EXPECT_EQ(shim_->Calls("clCreateBuffer"), 2);
  EXPECT_EQ(shim_->Calls("clSetKernelArg"), 2);
  EXPECT_EQ(shim_->Calls("clFinish"), 3);
}

TEST_F(GpuRuntime, CopiesWhatIsNotDense) {
  const auto request = NewRequest();
  ASSERT_TRUE(request.ok()) << request.status();
  const Tensor wide =
      Tensor::Allocate(ElementType::kF32, Shape({kRows, kColumns + 1})).value();
  const Tensor part =
      wide.Roi(Shape({0, 1}), Shape({kRows, kColumns + 1})).value();
  ASSERT_TRUE(part.CopyFrom(Numbers(2)).ok());
  ASSERT_TRUE((*request)->SetInput(0, part).ok());
  ASSERT_TRUE((*request)->Infer().ok());
  EXPECT_TRUE(IsTranspose((*request)->Output(0).value(), 2));
}

TEST_F(GpuRuntime, RemoteTensorsAreNotCopied) {
  const std::shared_ptr<RemoteContext> context = NewContext();
  ASSERT_NE(context, nullptr);
  const Tensor in =
      context->NewTensor(ElementType::kF32, Shape({kRows, kColumns})).value();
  const Tensor out =
      context->NewTensor(ElementType::kF32, Shape({kColumns, kRows})).value();
  ASSERT_TRUE(in.CopyFrom(Numbers(1)).ok());
  const auto request = NewRequest();
  ASSERT_TRUE(request.ok()) << request.status();
  ASSERT_TRUE((*request)->SetInput(0, in).ok());
  ASSERT_TRUE((*request)->SetOutput(0, out).ok());
  shim_->Reset();
  ASSERT_TRUE((*request)->Infer().ok());
  ASSERT_TRUE((*request)->StartAsync().ok());
  ASSERT_TRUE((*request)->Wait().ok());
  EXPECT_EQ(Transfers(), 0);
  EXPECT_EQ(shim_->HostCopies(), 0);
  EXPECT_TRUE(IsTranspose(out.Clone().value(), 1));
}

TEST_F(GpuRuntime, WorksInAnApplicationsContext) {
  const ClApi& api = device_->api();
  const cl_device_id id = device_->id();
  cl_int code = CL_SUCCESS;
  const Context theirs(
      api, api.CreateContext(nullptr, 1, &id, nullptr, nullptr, &code));
  const CommandQueue queue(api,
                           api.CreateCommandQueue(theirs.get(), id, 0, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const RemoteParams params = {
      {"CONTEXT_TYPE", "OCL"},
      {"OCL_CONTEXT", static_cast<void*>(theirs.get())},
      {"OCL_QUEUE", static_cast<void*>(queue.get())}};
  const std::shared_ptr<RemoteContext> context = NewContext(params);
  ASSERT_NE(context, nullptr);
  EXPECT_EQ(context->params(), params);
  const size_t bytes = kRows * kColumns * sizeof(float);
  const Mem mem(api, api.CreateBuffer(theirs.get(), CL_MEM_READ_WRITE, bytes,
                                      nullptr, &code));
  const Tensor in = context
                        ->NewTensor(ElementType::kF32, Shape({kRows, kColumns}),
                                    {{"MEM_HANDLE", mem.get()}})
                        .value();
  EXPECT_EQ(in.device_memory()->handle(), mem.get());
  ASSERT_TRUE(in.CopyFrom(Numbers(9)).ok());
  const auto request = NewRequest({}, context);
  ASSERT_TRUE(request.ok()) << request.status();
  ASSERT_TRUE((*request)->SetInput(0, in).ok());
  ASSERT_TRUE((*request)->Infer().ok());
  EXPECT_TRUE(IsTranspose((*request)->Output(0).value(), 9));
  // A model of the device's own context cannot use it.
  const auto other = NewRequest();
  EXPECT_FALSE((*other)->SetInput(0, in).ok());
}

TEST_F(GpuRuntime, RefusesWrongParameters) {
  const Config config = ConfigOf({});
  const auto create = [&](const RemoteParams& params) {
    return Gpu().CreateContext(params, StandaloneCall(config)).status();
  };
  EXPECT_THAT(create({{"OCL_KONTEXT", "x"}}).ToString(),
              HasSubstr("OCL_KONTEXT"));
  EXPECT_THAT(create({{"OCL_CONTEXT", "x"}}).ToString(),
              HasSubstr("want a handle"));
  EXPECT_THAT(create({{"CONTEXT_TYPE", "VA_SHARED"}}).ToString(),
              HasSubstr("want 'OCL'"));
}

TEST_F(GpuRuntime, TellsTimes) {
  const auto request = NewRequest({{"PERF_COUNT", "YES"}});
  ASSERT_TRUE(request.ok()) << request.status();
  ASSERT_TRUE((*request)->SetInput(0, Numbers()).ok());
  ASSERT_TRUE((*request)->Infer().ok());
  const auto records = (*request)->Profiling().value();
  int stages = 0, launches = 0;
  for (const ProfilingRecord& record : records) {
    if (record.kind == ProfilingRecord::Kind::kStage) ++stages;
    if (record.lane != "queue 0") continue;
    ++launches;
    EXPECT_GT(record.duration_ns, 0);
    EXPECT_EQ(record.counters.size(), 2u);
  }
  EXPECT_EQ(stages, 3);
  EXPECT_EQ(launches, 1);
}

TEST_F(GpuRuntime, ALostDeviceStaysLost) {
  const auto request = NewRequest();
  ASSERT_TRUE(request.ok()) << request.status();
  ASSERT_TRUE((*request)->Infer().ok());
  shim_->Fail("clEnqueueNDRangeKernel", 0, CL_DEVICE_NOT_AVAILABLE);
  EXPECT_EQ((*request)->Infer().code(), absl::StatusCode::kUnavailable);
  shim_->Lose();
  EXPECT_EQ((*request)->Infer().code(), absl::StatusCode::kUnavailable);
  ASSERT_TRUE((*request)->StartAsync().ok());
  EXPECT_EQ((*request)->Wait().code(), absl::StatusCode::kUnavailable);
  shim_->Reset();
  ASSERT_TRUE((*request)->SetInput(0, Numbers()).ok());
  EXPECT_TRUE((*request)->Infer().ok());
  EXPECT_TRUE(IsTranspose((*request)->Output(0).value()));
}

TEST_F(GpuRuntime, SaysThatMemoryIsOut) {
  shim_->LimitMemory(1000);
  const auto request = NewRequest();
  EXPECT_EQ(request.status().code(), absl::StatusCode::kResourceExhausted)
      << request.status();
}

TEST_F(GpuRuntime, SaysThatTheDriverDoesNotBuild) {
  shim_->Fail("clBuildProgram", 0, CL_BUILD_PROGRAM_FAILURE);
  // With a folder, as the process may have built the kernels before.
  const auto request =
      NewRequest({{"CACHE_DIR", absl::StrCat(testing::TempDir(), "/new")}});
  EXPECT_EQ(request.status().code(), absl::StatusCode::kInternal)
      << request.status();
}

// One for a model, however many programs it has.
TEST_F(GpuRuntime, WarnsOfAFolderThatCannotBeWritten) {
  const std::string file = absl::StrCat(testing::TempDir(), "/a_file");
  std::ofstream(file) << "no folder";
  const CapturedLog log(LogLevel::kWarning);
  const auto request = NewRequest({{"CACHE_DIR", file}});
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_THAT(log.Messages(),
              ElementsAre(Pair(LogLevel::kWarning,
                               AllOf(HasSubstr("kernels are not cached"),
                                     HasSubstr(file)))));
}

TEST_F(GpuRuntime, BuildsTheKernelsOfTwoModelsOnce) {
  ASSERT_TRUE(NewRequest().ok());
  shim_->Reset();
  const auto request = NewRequest();
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_EQ(shim_->Calls("clBuildProgram"), 0);
  ASSERT_TRUE((*request)->SetInput(0, Numbers()).ok());
  ASSERT_TRUE((*request)->Infer().ok());
  EXPECT_TRUE(IsTranspose((*request)->Output(0).value()));
}

// Most loads take their program from a folder; those that do not share one,
// which stays (RecentPrograms).
TEST_F(GpuRuntime, LeavesNothingBehind) {
  constexpr const char* kKinds[] = {"Context", "CommandQueue", "MemObject",
                                    "Program", "Kernel",       "Event"};
  int64_t before[6] = {};
  const char* const asked = std::getenv("DOVETAIL_TEST_LOADS");
  const int loads = asked != nullptr ? std::atoi(asked) : 20;
  for (int i = 0; i <= loads; ++i) {
    {
      PropertyMap properties = {{"PERF_COUNT", i % 2 ? "YES" : "NO"}};
      if (i % 20 != 0) properties["CACHE_DIR"] = testing::TempDir();
      const auto request = NewRequest(properties);
      ASSERT_TRUE(request.ok()) << request.status();
      ASSERT_TRUE((*request)->SetInput(0, Numbers()).ok());
      ASSERT_TRUE((*request)->StartAsync().ok());
      ASSERT_TRUE((*request)->Wait().ok());
    }
    if (i == 0) {
      for (const char* kind :
           {"CommandQueue", "MemObject", "Kernel", "Event"}) {
        ExpectLive(kind, 0);
      }
    }
    for (int kind = 0; kind < 6; ++kind) {
      if (i == 0) before[kind] = shim_->Live(kKinds[kind]);
      if (i == loads) ExpectLive(kKinds[kind], before[kind]);
    }
  }
}

TEST_F(GpuRuntime, TellsMetricsByTheirNames) {
  const Config config = ConfigOf({{"GPU_PLUGIN_PRIORITY", "3"}});
  EXPECT_EQ(config.GetString("GPU_QUEUE_PRIORITY"), "HIGH");
  const StandaloneCall call(config);
  EXPECT_NE(Gpu().GetMetric("GPU_DEVICE_TOTAL_MEM_SIZE", call).value(), "0");
  EXPECT_THAT(Gpu().GetMetric("GPU_MEMORY_STATISTICS", call).value(),
              HasSubstr("cl_mem_peak:"));
}

}  // namespace
}  // namespace dovetail::gpu
