// Exports of the CPU: an import packs nothing, and takes nothing that is
// damaged or packed for something else.
#include <memory>
#include <string>

#include "absl/strings/substitute.h"
#include "dovetail/backends/cpu/cpu_executable.h"
#include "dovetail/backends/cpu/cpu_plugin.h"
#include "dovetail/backends/cpu/testing/network.h"
#include "dovetail/core/base/files/byte_sink.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// Every kind of kernel that packs, a table that is read as it is, and weights
// that few readers share.
constexpr char kNetwork[] = R"(
  %x = Parameter-0() {shape: [1,3,40,40], element_type: f32}
  %i = Parameter-0() {shape: [4], element_type: i32}  # rows
  %w0 = Parameter-0() {shape: [32,3,3,3], element_type: f32}  # constant_small
  %c0 = Convolution-1(%x, %w0) {strides: [1,1], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1]}
  %w1 = Parameter-0() {shape: [64,32,3,3], element_type: f32}  # constant_small
  %c1 = Convolution-1(%c0, %w1) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1]}
  %axes = Constant-0() {value: i64[2] {2,3}}
  %m = ReduceMean-1(%c1, %axes) {keep_dims: false}
  %w2 = Parameter-0() {shape: [64,300], element_type: f32}  # constant_small
  %p = MatMul-0(%m, %w2) {}
  %h = Parameter-0() {shape: [1,128], element_type: f32}
  %rw = Parameter-0() {shape: [128,300], element_type: f32}  # constant_small
  %rr = Parameter-0() {shape: [128,128], element_type: f32}  # constant_small
  %r = RNNCell-0(%p, %h, %rw, %rr) {hidden_size: 128}
  %table = Parameter-0() {shape: [200,128], element_type: f32}  # constant
  %zero = Constant-0() {value: i64[] {0}}
  %g = Gather-8(%table, %i, %zero) {}
  %s = Add-1(%g, %r) {}
  %o = Result-0(%s) {}
)";
const std::vector<Shape> kShapes = {{1, 3, 40, 40}, {4}, {1, 128}};

// As dynamic as a model that is specialised in each run.
std::string Dynamic() {
  std::string text = kNetwork;
  const std::string shape = "[1,3,40,40]";
  return text.replace(text.find(shape), shape.size(), "[?,3,?,?]");
}

const CpuExecutable& CpuOf(const Executable& executable) {
  return static_cast<const CpuExecutable&>(executable);
}

std::string ExportOf(const Executable& executable,
                     const CpuExportOptions& options = {}) {
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter writer(&sink);
  const absl::Status status = CpuOf(executable).Export(options, writer);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_TRUE(writer.Finish().ok());
  return bytes;
}

absl::StatusOr<std::shared_ptr<const Executable>> ImportOf(
    const std::string& bytes, const Config& config) {
  auto reader = BlobReader::FromBytes(bytes);
  if (!reader.ok()) return reader.status();
  const std::unique_ptr<Plugin> plugin = MakeCpuPlugin().value();
  auto imported = plugin->Import(StandaloneCall(config).Importing(*reader));
  if (!imported.ok()) return imported.status();
  return std::shared_ptr<const Executable>(*std::move(imported));
}

// Empty, or what is wrong with the results of `executable`.
std::string Wrong(const Network& network,
                  const std::shared_ptr<const Executable>& executable,
                  const std::vector<Shape>& shapes = kShapes) {
  auto request = Request::Create(executable);
  if (!request.ok()) return std::string(request.status().message());
  return network.Check(**request, network.Inputs(shapes));
}

TEST(ImportTest, PacksNothing) {
  const Network network(kNetwork);
  const int packed = CpuOf(*network.executable()).weights().packed_count();
  ASSERT_GE(packed, 4);
  const std::string bytes = ExportOf(*network.executable());
  const auto imported = ImportOf(bytes, network.executable()->config());
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(CpuOf(**imported).weights().imported_count(), packed);
  EXPECT_EQ(CpuOf(**imported).weights().packed_count(), 0);
  EXPECT_EQ(Wrong(network, *imported), "");
  // An import exports the same.
  EXPECT_EQ(ExportOf(**imported), bytes);
}

// Views of one small memory become memories of their own by an import; numbers
// of the constants behind them stay what they were.
TEST(ImportTest, SharedMemoryConfusesNoConstants) {
  const Network network(R"(
    %x = Parameter-0() {shape: [4,24], element_type: f32}
    %a = Parameter-0() {shape: [24,32], element_type: f32}  # constant_small
    %b = Parameter-0() {shape: [32,32], element_type: f32}  # constant_small
    %c = Parameter-0() {shape: [32,32], element_type: f32}  # constant_small
    %d = Parameter-0() {shape: [32,32], element_type: f32}  # constant_small
    %shape = Constant-0() {value: i64[2] {32,24}}
    %v = Reshape-1(%a, %shape) {special_zero: false}
    %m0 = MatMul-0(%x, %a) {}
    %m1 = MatMul-0(%m0, %b) {}
    %m2 = MatMul-0(%m1, %c) {}
    %m3 = MatMul-0(%m2, %d) {}
    %m4 = MatMul-0(%m3, %v) {}
    %o = Result-0(%m4) {})");
  const auto imported =
      ImportOf(ExportOf(*network.executable()), network.executable()->config());
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(Wrong(network, *imported, {{4, 24}}), "");
  EXPECT_GE(CpuOf(**imported).weights().imported_count(), 4);
}

TEST(ImportTest, PacksWhatHasNotBeenExported) {
  const Network network(kNetwork);
  CpuExportOptions options;
  options.packed = false;
  const std::string bytes = ExportOf(*network.executable(), options);
  const auto imported = ImportOf(bytes, network.executable()->config());
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(CpuOf(**imported).weights().imported_count(), 0);
  EXPECT_GE(CpuOf(**imported).weights().packed_count(), 4);
  EXPECT_EQ(Wrong(network, *imported), "");
}

TEST(ImportTest, PacksForAnotherType) {
  const Network f32(kNetwork);
  const std::string bytes = ExportOf(*f32.executable());
  const Network narrow(kNetwork, {{"INFERENCE_PRECISION_HINT", "dynamic"}});
  const auto imported = ImportOf(bytes, narrow.executable()->config());
  ASSERT_TRUE(imported.ok()) << imported.status();
  auto request = Request::Create(*imported);
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_EQ(f32.Check(**request, f32.Inputs(kShapes), 0.05), "");
}

TEST(ImportTest, ModelsOfUnknownShapesFindTheirPackedConstants) {
  const Network network(Dynamic());
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  ASSERT_EQ(network.Check(*request, network.Inputs(kShapes)), "");
  const std::string bytes = ExportOf(*network.executable());
  const auto imported = ImportOf(bytes, network.executable()->config());
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(Wrong(network, *imported), "");
  EXPECT_GE(CpuOf(**imported).weights().imported_count(), 4);
  EXPECT_EQ(CpuOf(**imported).weights().packed_count(), 0);
}

TEST(ImportTest, BodiesFindTheirPackedConstants) {
  const Network network(R"(
    %x = Parameter-0() {shape: [2,4], element_type: f32}
    %times = Constant-0() {value: i64[] {3}}
    %go = Constant-0() {value: boolean[] {1}}
    %n = Loop-5(%times, %go, %x) {}
      body inputs {2->0} outputs {0->0} back_edges {0->0} {
        %0 = Parameter-0() {}
        %w = Constant-0() {value: f32[4,4] {0.5, -0.25, 1, 0.125, 0.5, -1, 0.75, 0.3, 0.2, 1, 0.1, -0.4, 0.6, 0.7, -0.8, 0.9}}
        %m = MatMul-0(%0, %w) {}
        %r = Result-0(%m) {}
      }
    %o = Result-0(%n) {})");
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  ASSERT_EQ(network.Check(*request, network.Inputs({{2, 4}})), "");
  ASSERT_GE(CpuOf(*network.executable()).weights().packed_count(), 1);
  const auto imported =
      ImportOf(ExportOf(*network.executable()), network.executable()->config());
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(Wrong(network, *imported, {{2, 4}}), "");
  EXPECT_EQ(CpuOf(**imported).weights().packed_count(), 0);
}

// Rows of a table of nf4, and products with weights of 2 bits, of nf4, and of
// f4e2m1 in groups of 32.
std::string Compressed(int rows) {
  return absl::Substitute(R"(
    %i = Parameter-0() {shape: [$0], element_type: i64}  # rows
    %t = Parameter-0() {shape: [50,4,16], element_type: nf4}  # constant
    %tc = Convert-0(%t) {destination_type: f32}
    %ts = Parameter-0() {shape: [50,4,1], element_type: f32}  # constant
    %tm = Multiply-1(%tc, %ts) {}
    %tn = Constant-0() {value: i64[2] {50,64}}
    %tr = Reshape-1(%tm, %tn) {special_zero: false}
    %zero = Constant-0() {value: i64[] {0}}
    %x = Gather-8(%tr, %i, %zero) {batch_dims: 0}
    %q = Parameter-0() {shape: [256,4,16], element_type: u2}  # constant
    %qc = Convert-0(%q) {destination_type: f32}
    %qz = Parameter-0() {shape: [256,4,1], element_type: u2}  # constant
    %qf = Convert-0(%qz) {destination_type: f32}
    %qd = Subtract-1(%qc, %qf) {}
    %qs = Parameter-0() {shape: [256,4,1], element_type: f32}  # constant_small
    %qm = Multiply-1(%qd, %qs) {}
    %qn = Constant-0() {value: i64[2] {256,64}}
    %qr = Reshape-1(%qm, %qn) {special_zero: false}
    %a = MatMul-0(%x, %qr) {transpose_b: true}  # 2_bits
    %n = Parameter-0() {shape: [512,8,32], element_type: nf4}  # constant
    %nc = Convert-0(%n) {destination_type: f32}
    %ns = Parameter-0() {shape: [512,8,1], element_type: f32}  # constant_small
    %nm = Multiply-1(%nc, %ns) {}
    %nn = Constant-0() {value: i64[2] {512,256}}
    %nr = Reshape-1(%nm, %nn) {special_zero: false}
    %b = MatMul-0(%a, %nr) {transpose_b: true}  # nf4
    %f = Parameter-0() {shape: [300,16,32], element_type: f4e2m1}  # constant
    %fc = Convert-0(%f) {destination_type: f32}
    %fs = Parameter-0() {shape: [300,16,1], element_type: f8e8m0}  # constant
    %fe = Convert-0(%fs) {destination_type: f32}
    %fm = Multiply-1(%fc, %fe) {}
    %fn = Constant-0() {value: i64[2] {300,512}}
    %fr = Reshape-1(%fm, %fn) {special_zero: false}
    %c = MatMul-0(%b, %fr) {transpose_b: true}  # f4e2m1
    %o = Result-0(%c) {})",
                          rows);
}

std::string KernelOf(const Executable& executable, absl::string_view name) {
  const Node* const node = executable.runtime_model()->FindNode(name);
  return node == nullptr ? "" : executable.execution_info(*node).kernel;
}

TEST(ImportTest, CompressedWeightsStayCompressed) {
  for (const int rows : {3, 20}) {
    const Network network(Compressed(rows));
    const auto& executable = *network.executable();
    EXPECT_EQ(KernelOf(executable, "2_bits"), "gemm_f32_by_2_bits");
    EXPECT_EQ(KernelOf(executable, "nf4"), "gemm_f32_by_code_book");
    EXPECT_EQ(KernelOf(executable, "f4e2m1"), "gemm_f32_by_code_book");
    EXPECT_EQ(Wrong(network, network.executable(), {{rows}}), "");
    const int packed = CpuOf(executable).weights().packed_count();
    const std::string bytes = ExportOf(executable);
    // Both as the file has them and packed, half of what floats would take.
    constexpr size_t kWeights = 256 * 64 + 512 * 256 + 300 * 512;
    EXPECT_LT(bytes.size(), kWeights * sizeof(float) / 2);
    const auto imported = ImportOf(bytes, executable.config());
    ASSERT_TRUE(imported.ok()) << imported.status();
    EXPECT_EQ(CpuOf(**imported).weights().imported_count(), packed);
    EXPECT_EQ(CpuOf(**imported).weights().packed_count(), 0);
    EXPECT_EQ(Wrong(network, *imported, {{rows}}), "");
  }
}

// No byte of an export can change and change a result.
TEST(ImportTest, DamageIsNoResult) {
  const Network network(kNetwork);
  const std::string bytes = ExportOf(*network.executable());
  int refused = 0, right = 0;
  for (size_t i = 64; i < bytes.size(); i += 9973) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x40);
    const auto imported = ImportOf(damaged, network.executable()->config());
    if (!imported.ok()) {
      EXPECT_EQ(imported.status().code(), absl::StatusCode::kDataLoss)
          << imported.status();
      ++refused;
      continue;
    }
    EXPECT_EQ(Wrong(network, *imported), "") << i;
    ++right;
  }
  EXPECT_GT(refused, 0);
  EXPECT_GT(right, 0);
}

TEST(ImportTest, DamagedConstantsAreNotExportedAgain) {
  const Network network(R"(
    %x = Parameter-0() {shape: [2,300], element_type: f32}
    %w = Parameter-0() {shape: [300,1000], element_type: f32}  # constant
    %m = MatMul-0(%x, %w) {}
    %o = Result-0(%m) {})");
  std::string bytes = ExportOf(*network.executable());
  // The weights, which only packing reads.
  bytes[64] = static_cast<char>(bytes[64] ^ 1);
  const auto imported = ImportOf(bytes, network.executable()->config());
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(Wrong(network, *imported, {{2, 300}}), "");
  std::string again;
  StringSink sink(&again);
  BlobWriter writer(&sink);
  EXPECT_EQ((*imported)->Export(writer).code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace dovetail::cpu
