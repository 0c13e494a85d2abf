// The VPU as its users see it: values in f16, times that are the processor's.
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/vpu/compiler/lower_model.h"
#include "dovetail/backends/vpu/program/program_bytes.h"
#include "dovetail/backends/vpu/schedule/compile.h"
#include "dovetail/core/base/files/byte_sink.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

using ::testing::HasSubstr;

// A convolution with bias and activation, a pool, a softmax.
constexpr char kNetwork[] = R"(
  %x = Parameter-0() {shape: [1,2,8,8], element_type: f32}  # x
  %w = Constant-0() {value: f32[16,2,1,1] {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, -0.1, -0.2, -0.3, -0.4, -0.5, -0.6, -0.7, -0.8, -0.9, -1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 2, 3}}
  %c = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1], auto_pad: explicit}  # conv
  %b = Constant-0() {value: f32[1,1,1,1] {0.25}}
  %a = Add-1(%c, %b) {}  # bias
  %r = Relu-0(%a) {}  # relu
  %p = MaxPool-1(%r) {strides: [2,2], pads_begin: [0,0], pads_end: [0,0], kernel: [2,2], rounding_type: floor, auto_pad: explicit}  # pool
  %s = Softmax-8(%p) {axis: 1}  # softmax
  %0 = Result-0(%s) {}  # out
)";

class VpuTest : public testing::Test {
 protected:
  CompiledModel Compiled(PropertyMap properties = {}) {
    properties.emplace("PERF_COUNT", "YES");
    auto compiled = core_.Compile(ModelOf(kNetwork), "VPU", properties);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return *std::move(compiled);
  }

  // Of one inference.
  static std::vector<ProfilingRecord> Profile(const CompiledModel& compiled,
                                              bool asynchronous = false) {
    InferRequest request = compiled.NewRequest().value();
    const Tensor input =
        Floats({1, 2, 8, 8}, std::vector<double>(2 * 8 * 8, 0.5));
    EXPECT_TRUE(request.SetInput(0, input).ok());
    if (asynchronous) {
      EXPECT_TRUE(request.StartAsync().ok());
      EXPECT_TRUE(request.Wait().ok());
    } else {
      EXPECT_TRUE(request.Infer().ok());
    }
    return request.Profiling().value();
  }

  // "cycles" by record of a layer or stage; those of one name add up.
  static std::map<std::string, int64_t> Cycles(
      const std::vector<ProfilingRecord>& records) {
    std::map<std::string, int64_t> cycles;
    for (const ProfilingRecord& record : records) {
      for (const auto& [name, value] : record.counters) {
        if (name == "cycles") cycles[record.name] += value;
      }
    }
    return cycles;
  }

  static int64_t Total(const std::vector<ProfilingRecord>& records) {
    int64_t total = 0;
    for (const auto& [name, cycles] : Cycles(records)) total += cycles;
    return total;
  }

  static std::string WriteMachine(const std::string& name,
                                  const std::string& text) {
    const std::string path = absl::StrCat(testing::TempDir(), "/", name);
    std::ofstream(path) << text;
    return path;
  }

  Core core_;
};

TEST_F(VpuTest, RecordsAddUpToTheStagesOfTheCompiler) {
  const Machine machine = *DefaultMachine();
  const Stages stages =
      Compile(machine, *LowerModel(machine, ModelOf(kNetwork)))->stages;
  EXPECT_EQ(Total(Profile(Compiled())), TotalCycles(stages));
  EXPECT_EQ(
      Total(Profile(Compiled({{"MYRIAD_PERF_REPORT_MODE", "PER_STAGE"}}))),
      TotalCycles(stages));
}

TEST_F(VpuTest, LayersThatGoIntoOthersAreOptimizedOut) {
  int optimized_out = 0;
  for (const ProfilingRecord& record : Profile(Compiled())) {
    if (record.status == ProfilingRecord::Status::kOptimizedOut) {
      ++optimized_out;
      EXPECT_TRUE(record.name == "bias" || record.name == "relu")
          << record.name;
    }
    if (record.name == "conv") {
      EXPECT_EQ(record.lane, "NCE 0");
    }
    if (record.name == "softmax") {
      EXPECT_EQ(record.lane, "SHAVE 0");
    }
  }
  EXPECT_EQ(optimized_out, 2);
}

// With a bias and an activation between them, as models have them.
TEST_F(VpuTest, PoolsThatEnginesTakeAlongAreOptimizedOut) {
  const std::string taps =
      absl::StrJoin(std::vector<std::string>(2 * 9, "0.5"), ", ");
  const Model model = ModelOf(absl::StrCat(R"(
    %x = Parameter-0() {shape: [1,2,8,8], element_type: f32}
    %w = Constant-0() {value: f32[1,2,3,3] {)",
                                           taps, R"(}}
    %c = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1], auto_pad: explicit}  # conv
    %r = Relu-0(%c) {}  # relu
    %p = MaxPool-1(%r) {strides: [2,2], pads_begin: [0,0], pads_end: [0,0], kernel: [2,2], rounding_type: floor, auto_pad: explicit}  # pool
    %0 = Result-0(%p) {}
  )"));
  for (const bool merges : {true, false}) {
    const auto compiled =
        core_.Compile(model, "VPU",
                      {{"PERF_COUNT", "YES"},
                       {"MYRIAD_HW_POOL_CONV_MERGE", merges ? "YES" : "NO"}});
    ASSERT_TRUE(compiled.ok()) << compiled.status();
    for (const ProfilingRecord& record : Profile(*compiled)) {
      if (record.name != "pool") continue;
      EXPECT_EQ(record.status == ProfilingRecord::Status::kOptimizedOut,
                merges);
    }
    EXPECT_EQ(Cycles(Profile(*compiled)).count("pool"), merges ? 0u : 1u);
  }
}

TEST_F(VpuTest, TimesAreTheSameWhateverTheHostDoes) {
  const auto once = Cycles(Profile(Compiled()));
  for (const char* const threads : {"1", "2", "8"}) {
    const CompiledModel compiled =
        Compiled({{"INFERENCE_NUM_THREADS", threads}});
    for (int run = 0; run < 100; ++run) {
      ASSERT_EQ(Cycles(Profile(compiled, run % 2 == 1)), once) << threads;
    }
  }
}

TEST_F(VpuTest, TheNameOfTheStickWorksToo) {
  EXPECT_TRUE(core_.Compile(ModelOf(kNetwork), "MYRIAD").ok());
}

TEST_F(VpuTest, KeysOfTheStickAreTaken) {
  Compiled({{"MYRIAD_ENABLE_HW_ACCELERATION", "YES"},
            {"MYRIAD_DUMP_ALL_PASSES", "YES"},
            {"MYRIAD_DUMP_INTERNAL_GRAPH_FILE_NAME", "graph.dot"},
            {"MYRIAD_NUMBER_OF_CMX_SLICES", "4"},
            {"MYRIAD_TILING_CMX_LIMIT_KB", "100"}});
}

// The same stages, one by one, whoever asks for them.
TEST_F(VpuTest, StagesOfARunAddUpToItsLayers) {
  const CompiledModel compiled =
      Compiled({{"MYRIAD_PERF_REPORT_MODE", "PER_STAGE"}});
  const auto stages = Profile(compiled);
  std::map<std::string, int64_t> layers;
  for (const auto& [name, cycles] : Cycles(stages)) {
    layers[name.substr(0, name.find('@'))] += cycles;
  }
  for (const auto& [name, cycles] : Cycles(Profile(Compiled()))) {
    EXPECT_EQ(layers[name], cycles) << name;
  }
}

TEST_F(VpuTest, LayersOfTheBlackListAreShaves) {
  const PropertyMap listed = {{"MYRIAD_HW_BLACK_LIST", "none,conv"},
                              {"PERF_COUNT", "YES"}};
  const auto lane_of_conv = [&](const CompiledModel& compiled) {
    for (const ProfilingRecord& record : Profile(compiled)) {
      if (record.name == "conv") return record.lane.substr(0, 5);
    }
    return std::string("none");
  };
  EXPECT_EQ(lane_of_conv(Compiled()), "NCE 0");
  const CompiledModel compiled = Compiled(listed);
  EXPECT_EQ(lane_of_conv(compiled), "SHAVE");
  const auto imported = core_.ImportFromString(
      compiled.ExportToString().value(), "VPU", {{"PERF_COUNT", "YES"}});
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(Cycles(Profile(*imported)), Cycles(Profile(compiled)));
  const auto query = core_.Query(ModelOf(kNetwork), "VPU", listed);
  ASSERT_TRUE(query.ok()) << query.status();
  for (const QueryResult::Layer& layer : query->layers) {
    if (layer.name != "conv") continue;
    EXPECT_THAT(layer.how, HasSubstr("SHAVE: the black list"));
  }
}

Machine MachineIn(const CompiledModel& compiled);

TEST_F(VpuTest, KeysOfTheStickChangeTheProcessor) {
  Machine machine = MachineIn(Compiled());
  EXPECT_EQ(MachineDifference(machine, *DefaultMachine()), "");
  machine = MachineIn(Compiled({{"MYRIAD_THROUGHPUT_STREAMS", "1"}}));
  EXPECT_EQ(machine.executors, 1);
  EXPECT_EQ(machine.cmx_slices, 19);
  EXPECT_EQ(machine.shaves, 13);
  EXPECT_EQ(machine.tiling_limit_bytes, 9 * 131072 + 65536);
  machine = MachineIn(Compiled({{"MYRIAD_THROUGHPUT_STREAMS", "2"}}));
  EXPECT_EQ(MachineDifference(machine, *DefaultMachine()), "");
  machine = MachineIn(Compiled({{"MYRIAD_NUMBER_OF_SHAVES", "4"},
                                {"MYRIAD_HW_INJECT_STAGES", "NO"},
                                {"MYRIAD_COPY_OPTIMIZATION", "NO"},
                                {"MYRIAD_PACK_DATA_IN_CMX", "YES"}}));
  EXPECT_EQ(MachineDifference(machine, *DefaultMachine()),
            "shaves is 4, not 7 cores; spare_copies is 0, not 1 flag; "
            "inject_work is 0, not 1 flag");
  EXPECT_FALSE(core_
                   .Compile(ModelOf(kNetwork), "VPU",
                            {{"MYRIAD_THROUGHPUT_STREAMS", "4"}})
                   .ok());
}

TEST_F(VpuTest, MetricsOfTheStickHaveTheirNames) {
  EXPECT_EQ(core_.GetProperty("VPU", "RANGE_FOR_ASYNC_INFER_REQUESTS").value(),
            "3 6 1");
  EXPECT_EQ(core_.GetProperty("MYRIAD", "DEVICE_THERMAL").value(), "25");
}

TEST_F(VpuTest, PassesOfTheCompilerArePrinted) {
  testing::internal::CaptureStderr();
  Compiled({{"PRINT_PASSES", "vpu-inject-work"}});
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, HasSubstr("vpu-inject-work:\nSHAVE x"));
  EXPECT_THAT(text, HasSubstr("NCE conv: "));
  EXPECT_THAT(text, testing::Not(HasSubstr("vpu-build-graph")));
}

TEST_F(VpuTest, AnotherProcessorTakesAnotherTime) {
  const std::string path =
      WriteMachine("slow.txt", "step_cycles_per_pixel = 100 cycles\n");
  EXPECT_GT(Total(Profile(Compiled({{"VPU_MACHINE", path}}))),
            Total(Profile(Compiled())));
}

TEST_F(VpuTest, WrongDescriptionsAreNamedWithTheirLine) {
  const std::string path = WriteMachine("wrong.txt", "\nclock = 3 GHz\n");
  const auto compiled =
      core_.Compile(ModelOf(kNetwork), "VPU", {{"VPU_MACHINE", path}});
  EXPECT_THAT(compiled.status().message(), HasSubstr("wrong.txt, line 2"));
  const auto none =
      core_.Compile(ModelOf(kNetwork), "VPU", {{"VPU_MACHINE", "/none"}});
  EXPECT_EQ(none.status().code(), absl::StatusCode::kNotFound);
}

TEST_F(VpuTest, ExportsRememberTheProcessor) {
  const std::string path =
      WriteMachine("export.txt", "step_cycles_per_pixel = 9 cycles\n");
  const CompiledModel compiled = Compiled({{"VPU_MACHINE", path}});
  const std::string blob = compiled.ExportToString().value();
  EXPECT_EQ(compiled.ExportToString().value(), blob);
  std::remove(path.c_str());
  const auto imported =
      core_.ImportFromString(blob, "VPU", {{"PERF_COUNT", "YES"}});
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(Cycles(Profile(*imported)), Cycles(Profile(compiled)));

  const std::string other =
      WriteMachine("other.txt", "step_cycles_per_pixel = 10 cycles\n");
  const auto refused =
      core_.ImportFromString(blob, "VPU", {{"VPU_MACHINE", other}});
  EXPECT_THAT(refused.status().message(),
              HasSubstr("step_cycles_per_pixel is 9, not 10 cycles"));
}

Program ProgramIn(const std::string& blob) {
  const BlobReader reader = BlobReader::FromBytes(blob).value();
  std::string bytes;
  for (const std::string& name : reader.section_names()) {
    if (!absl::EndsWith(name, "vpu.program.0")) continue;
    bytes = std::string(reader.Section(name)->view());
  }
  return ReadProgramBytes(bytes).value();
}

Machine MachineIn(const CompiledModel& compiled) {
  return ProgramIn(compiled.ExportToString().value()).machine();
}

// The same container with another program in it.
std::string WithProgram(const std::string& blob, absl::string_view program) {
  const BlobReader reader = BlobReader::FromBytes(blob).value();
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter writer(&sink);
  for (const auto& [key, value] : reader.headers()) {
    EXPECT_TRUE(writer.SetHeader(key, value).ok());
  }
  int programs = 0;
  for (const std::string& name : reader.section_names()) {
    const bool is_program = absl::StrContains(name, "vpu.program.");
    programs += is_program;
    const BlobBytes section = reader.Section(name).value();
    EXPECT_TRUE(
        writer.AddSection(name, is_program ? program : section.view()).ok());
  }
  EXPECT_EQ(programs, 1);
  EXPECT_TRUE(writer.Finish().ok());
  return bytes;
}

TEST_F(VpuTest, ImportsTakeTheProgramThatIsInThem) {
  const CompiledModel compiled = Compiled();
  const std::string blob = compiled.ExportToString().value();
  const Program program = ProgramIn(blob);
  const Machine& machine = program.machine();
  EXPECT_EQ(Total(Profile(compiled)), program.cycles());

  Stages slower = program.stages();
  slower.back().cycles += 1000;
  const auto imported = core_.ImportFromString(
      WithProgram(blob, ProgramBytes(*Program::Of(machine, program.network(),
                                                  {slower, {}}))),
      "VPU", {{"PERF_COUNT", "YES"}});
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(Total(Profile(*imported)), program.cycles() + 1000);
  EXPECT_EQ(WithProgram(imported->ExportToString().value(), "of any"),
            WithProgram(blob, "of any"));

  Machine faster = machine;
  faster.clock_mhz = 900;
  const auto refused = core_.ImportFromString(
      WithProgram(blob, ProgramBytes(*Program::Of(faster, program.network(),
                                                  {slower, {}}))),
      "VPU");
  EXPECT_THAT(refused.status().message(),
              HasSubstr("clock_mhz is 900, not 700 MHz"));
  const auto damaged =
      core_.ImportFromString(WithProgram(blob, "DVTLVPU"), "VPU");
  EXPECT_FALSE(damaged.ok());
}

// 0.1 in f16 is 0.0999755859375.
TEST_F(VpuTest, ValuesAreHalfFloats) {
  const auto compiled = core_.Compile(ModelOf(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}  # x
    %y = Relu-0(%x) {}  # y
    %0 = Result-0(%y) {}  # out
  )"),
                                      "VPU");
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  InferRequest request = compiled->NewRequest().value();
  ASSERT_TRUE(request.SetInput(0, Floats({2}, {0.1, -1})).ok());
  ASSERT_TRUE(request.Infer().ok());
  const Tensor output = request.Output(0).value();
  EXPECT_EQ(output.data<float>()[0], 0.0999755859375f);
  EXPECT_EQ(output.data<float>()[1], 0.0f);
}

// 2048 + 1 is no f16, so that nothing would be left of the 1 if the sum were
// rounded before the last layer.
TEST_F(VpuTest, LayersOfAnEngineAreRoundedOnce) {
  const auto compiled = core_.Compile(ModelOf(R"(
    %x = Parameter-0() {shape: [1,1,1,3], element_type: f32}  # x
    %w = Constant-0() {value: f32[1,1,1,1] {2048}}
    %c = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1], auto_pad: explicit}  # conv
    %one = Constant-0() {value: f32[1,1,1,1] {1}}
    %a = Add-1(%c, %one) {}  # add
    %much = Constant-0() {value: f32[] {2048}}
    %s = Subtract-1(%a, %much) {}  # subtract
    %r = Relu-0(%s) {}  # relu
    %0 = Result-0(%r) {}  # out
  )"),
                                      "VPU");
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  InferRequest request = compiled->NewRequest().value();
  ASSERT_TRUE(request.SetInput(0, Floats({1, 1, 1, 3}, {1, 0, 2})).ok());
  ASSERT_TRUE(request.Infer().ok());
  const Tensor output = request.Output(0).value();
  EXPECT_EQ(output.data<float>()[0], 1);
  EXPECT_EQ(output.data<float>()[1], 0);
  EXPECT_EQ(output.data<float>()[2], 2048);  // 2049, to even
}

// 512 input channels are two tiles of an engine: those of 256 each.
constexpr char kDeep[] = R"(
  %x = Parameter-0() {shape: [1,512,7,7], element_type: f16}  # x
  %one = Constant-0() {value: f16[1] {1}}
  %form = Constant-0() {value: i64[4] {1, 512, 3, 3}}
  %w = Broadcast-3(%one, %form) {mode: numpy}
  %c = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1], auto_pad: explicit}  # conv
  %0 = Result-0(%c) {}  # out
)";

TEST_F(VpuTest, ProductsAreAddedUpAsAsked) {
  // In the middle of the plane: 2049 of the first tile, and 1 of the other.
  std::vector<double> numbers(512 * 49);
  numbers[24] = 2048;
  numbers[49 + 24] = 1;
  numbers[300 * 49 + 24] = 1;
  const std::map<std::string, double> expected = {
      {"ENGINE", 2048}, {"F32", 2050}, {"F16", 2048}};
  for (const auto& [name, value] : expected) {
    const auto compiled =
        core_.Compile(ModelOf(kDeep), "VPU", {{"VPU_ACCUMULATION", name}});
    ASSERT_TRUE(compiled.ok()) << compiled.status();
    InferRequest request = compiled->NewRequest().value();
    Tensor input =
        Tensor::Allocate(ElementType::kF16, Shape({1, 512, 7, 7})).value();
    for (int64_t i = 0; i < input.element_count(); ++i) {
      input.SetElement(i, numbers[i]);
    }
    ASSERT_TRUE(request.SetInput(0, input).ok());
    ASSERT_TRUE(request.Infer().ok());
    EXPECT_EQ(request.Output(0)->ElementAsDouble(24), value) << name;
  }
  EXPECT_THAT(core_.Compile(ModelOf(kDeep), "VPU", {{"VPU_ACCUMULATION", "f8"}})
                  .status()
                  .message(),
              HasSubstr("VPU_ACCUMULATION"));
}

}  // namespace
}  // namespace dovetail::vpu
