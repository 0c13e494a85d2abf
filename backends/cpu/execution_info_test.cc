// What a compiled model of the CPU says of how its layers run, and what its
// profiles add.
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dovetail/backends/cpu/testing/network.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// A convolution with bias and activation, and a reshape behind it.
constexpr char kConvolution[] = R"(
  %x = Parameter-0() {shape: [1,16,8,8], element_type: f32}  # x
  %w = Parameter-0() {shape: [32,16,3,3], element_type: f32}  # constant_0
  %b = Parameter-0() {shape: [1,32,1,1], element_type: f32}  # constant_1
  %c = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1], auto_pad: explicit}  # conv
  %a = Add-1(%c, %b) {}  # bias
  %r = Relu-0(%a) {}  # relu
  %s = Softmax-8(%r) {axis: 1}  # softmax
  %t = Constant-0() {value: i64[2] {1, 2048}}
  %q = Reshape-1(%s, %t) {special_zero: false}  # reshape
  %0 = Result-0(%q) {}  # out
)";

// Of the node of that name in the graph that runs.
ExecutionInfo InfoOf(const Network& network, absl::string_view name) {
  const Executable& executable = *network.executable();
  const Node* const node = executable.runtime_model()->FindNode(name);
  EXPECT_NE(node, nullptr) << name;
  return node == nullptr ? ExecutionInfo() : executable.execution_info(*node);
}

TEST(ExecutionInfoTest, SaysWhatRunsALayer) {
  const Network network(kConvolution);
  const ExecutionInfo conv = InfoOf(network, "conv");
  EXPECT_NE(conv.kernel, "");
  EXPECT_EQ(conv.precision, "f32");
  EXPECT_EQ(conv.types, "f32");
  EXPECT_EQ((std::set<std::string>{"plain", "nhwc", "nChw8c", "nChw16c"})
                .count(conv.layouts),
            1u)
      << conv.layouts;
  EXPECT_EQ(conv.fused_into, "");
  const ExecutionInfo softmax = InfoOf(network, "softmax");
  EXPECT_EQ(softmax.kernel, "softmax");
  EXPECT_NE(softmax.layouts, "");
  EXPECT_GT(softmax.order, conv.order);
}

// Each kernel before the chosen one says why it declined; which one that is
// depends on the instructions.
TEST(ExecutionInfoTest, SaysWhyOtherKernelsDeclined) {
  const Network network(kConvolution);
  const ExecutionInfo conv = InfoOf(network, "conv");
  if (conv.kernel == "winograd_f32") {
    EXPECT_EQ(conv.declined, "");
    return;
  }
  EXPECT_TRUE(absl::StartsWith(conv.declined, "winograd_f32: "))
      << conv.declined;
  EXPECT_TRUE(absl::StrContains(conv.declined, "; few_channels_f32: "))
      << conv.declined;
  EXPECT_FALSE(absl::StrContains(conv.declined, conv.kernel + ":"))
      << conv.declined;
  EXPECT_EQ(InfoOf(network, "relu").declined, "");
}

// What compiling it prints.
std::string Printed(absl::string_view model, const PropertyMap& properties) {
  ::testing::internal::CaptureStderr();
  const Network network(model, properties);
  return ::testing::internal::GetCapturedStderr();
}

TEST(PrintPlanTest, PrintsALineForEachStep) {
  EXPECT_EQ(Printed(kConvolution, {}), "");
  const std::string text = Printed(kConvolution, {{"PRINT_PLAN", "YES"}});
  const Network network(kConvolution);
  const ExecutionInfo conv = InfoOf(network, "conv");
  EXPECT_TRUE(absl::StartsWith(text, "machine: products a ns: ")) << text;
  EXPECT_TRUE(absl::StrContains(text, "\nplan of ")) << text;
  EXPECT_TRUE(absl::StrContains(
      text,
      absl::StrCat("conv (Convolution): ", conv.kernel, " in f32, stores f32 ",
                   conv.layouts, ", with bias, relu",
                   conv.declined.empty() ? "" : "; declined: ", conv.declined,
                   "\n")))
      << text;
  EXPECT_TRUE(absl::StrContains(text, "softmax (Softmax): softmax in f32"))
      << text;
}

// The pooling keeps the convolution's layout, and the result is row-major.
constexpr char kPooling[] = R"(
  %x = Parameter-0() {shape: [1,16,8,8], element_type: f32}  # x
  %w = Parameter-0() {shape: [32,16,3,3], element_type: f32}  # constant_0
  %c = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1], auto_pad: explicit}  # conv
  %p = MaxPool-1(%c) {strides: [2,2], pads_begin: [0,0], pads_end: [0,0], kernel: [2,2], rounding_type: floor, auto_pad: explicit}  # pool
  %0 = Result-0(%p) {}  # out
)";

TEST(PrintPlanTest, CopiesHaveNoKernelsThatDeclined) {
  const std::string text = Printed(kPooling, {{"PRINT_PLAN", "YES"}});
  EXPECT_TRUE(absl::StrContains(text, "declined: max_pool_bytes: ")) << text;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (!absl::StrContains(line, "(Reorder)")) continue;
    EXPECT_FALSE(absl::StrContains(line, "declined")) << line;
  }
}

TEST(ExecutionInfoTest, SaysWhatALayerWentInto) {
  const Network network(kConvolution);
  const int64_t order = InfoOf(network, "conv").order;
  for (const char* name : {"bias", "relu"}) {
    const ExecutionInfo info = InfoOf(network, name);
    EXPECT_EQ(info.fused_into, "conv") << name;
    EXPECT_EQ(info.kernel, "") << name;
    EXPECT_EQ(info.order, order) << name;
  }
}

TEST(ExecutionInfoTest, NothingRunsForViewsAndPorts) {
  const Network network(kConvolution);
  EXPECT_EQ(InfoOf(network, "reshape").kernel, "view");
  EXPECT_EQ(InfoOf(network, "reshape").order, -1);
  EXPECT_EQ(InfoOf(network, "x").kernel, "");
  EXPECT_EQ(InfoOf(network, "x").layouts, "plain");
}

constexpr char kDynamic[] = R"(
  %x = Parameter-0() {shape: [?,40], element_type: f32}  # x
  %s = Softmax-8(%x) {axis: 1}  # softmax
  %0 = Result-0(%s) {}  # out
)";

TEST(ExecutionInfoTest, OfUnknownShapesIsThatOfTheLastInference) {
  const Network network(kDynamic);
  EXPECT_EQ(InfoOf(network, "softmax").kernel, "");
  EXPECT_EQ(InfoOf(network, "softmax").order, -1);
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  EXPECT_EQ(network.Check(*request, network.Inputs({{3, 40}})), "");
  EXPECT_EQ(InfoOf(network, "softmax").kernel, "softmax");
  EXPECT_EQ(InfoOf(network, "softmax").order, 0);
}

constexpr char kSuppression[] = R"(
  %b = Parameter-0() {shape: [1,4,4], element_type: f32}  # boxes
  %s = Parameter-0() {shape: [1,1,4], element_type: f32}  # scores
  %m = Constant-0() {value: i64[] {3}}
  %i = Constant-0() {value: f32[] {0.5}}
  %t = Constant-0() {value: f32[] {0.3}}
  %n = NonMaxSuppression-9(%b, %s, %m, %i, %t) {box_encoding: center, sort_result_descending: true, output_type: i64}  # best
  %0 = Result-0(%n) {}  # out
)";

TEST(ExecutionInfoTest, KnowsKernelsOfTheHost) {
  const Network network(kSuppression);
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  EXPECT_EQ(network.Check(*request, network.Inputs({{1, 4, 4}, {1, 1, 4}})),
            "");
  EXPECT_EQ(InfoOf(network, "best").kernel, "host_i64");
}

// How many there are decides about the shapes behind it.
constexpr char kNonZero[] = R"(
  %x = Parameter-0() {shape: [2,6], element_type: f32}  # x
  %r = Relu-0(%x) {}  # relu
  %n = NonZero-3(%r) {output_type: i64}  # count
  %f = Convert-0(%n) {destination_type: f32}  # convert
  %e = Exp-0(%f) {}  # exp
  %0 = Result-0(%e) {}  # out
)";

TEST(ExecutionInfoTest, KnowsWhatRunsBetweenPlans) {
  const Network network(kNonZero);
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  EXPECT_EQ(network.Check(*request, network.Inputs({{2, 6}})), "");
  const ExecutionInfo relu = InfoOf(network, "relu");
  const ExecutionInfo count = InfoOf(network, "count");
  EXPECT_EQ(relu.kernel, "fused_elementwise");
  EXPECT_EQ(count.kernel, "host_i64");
  EXPECT_EQ(count.precision, "i64");
  EXPECT_EQ(count.layouts, "plain");
  EXPECT_GT(count.order, relu.order);
  const ExecutionInfo convert = InfoOf(network, "convert");
  const ExecutionInfo exp = InfoOf(network, "exp");
  EXPECT_NE(convert.kernel + convert.fused_into, "");
  EXPECT_GT(exp.order, count.order);
}

// ---- Profiles ----

// Those of layers that have run, by name.
std::set<std::string> LayersOf(Request& request) {
  std::set<std::string> names;
  const auto records = request.Profiling();
  EXPECT_TRUE(records.ok()) << records.status();
  if (!records.ok()) return names;
  for (const ProfilingRecord& record : *records) {
    if (record.kind == ProfilingRecord::Kind::kLayer &&
        record.status == ProfilingRecord::Status::kExecuted) {
      names.insert(record.name);
    }
  }
  return names;
}

TEST(ProfileTest, HasARecordOfWhatRunsBetweenPlans) {
  const Network network(kNonZero, {{"PERF_COUNT", "YES"}});
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  EXPECT_EQ(network.Check(*request, network.Inputs({{2, 6}})), "");
  EXPECT_EQ(LayersOf(*request).count("count"), 1u);
}

TEST(ProfileTest, CompilingForNewShapesIsNoLayersTime) {
  const Network network(kDynamic, {{"PERF_COUNT", "YES"}});
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  const auto compiles = [&](const Shape& shape) {
    EXPECT_EQ(network.Check(*request, network.Inputs({shape})), "");
    return LayersOf(*request).count("new input shapes") == 1;
  };
  EXPECT_TRUE(compiles({3, 40}));
  EXPECT_FALSE(compiles({3, 40}));
  EXPECT_TRUE(compiles({4, 40}));
  EXPECT_FALSE(compiles({3, 40}));
  EXPECT_EQ(LayersOf(*request), (std::set<std::string>{"softmax"}));
}

}  // namespace
}  // namespace dovetail::cpu
