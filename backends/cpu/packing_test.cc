// How constants are packed: one that two layers use in two shapes, the second
// through a Reshape that is folded to a view of the same memory, has a packed
// form for each; and by which threads.
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/cpu/cpu_plugin.h"
#include "dovetail/backends/cpu/testing/network.h"
#include "dovetail/core/executor/executor.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/core/tensor/memory/allocator.h"
#include "dovetail/core/tensor/testing/counting_allocator.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// Convolutions of $0 and $1 with weights of $2 and, of the same numbers, $3.
std::string TwoConvolutions(absl::string_view operation,
                            absl::string_view first_data,
                            absl::string_view second_data,
                            absl::string_view first_shape,
                            absl::string_view second_shape, int stride) {
  const int rank = 4;
  return absl::Substitute(
      R"(
    %a = Parameter-0() {shape: [$1], element_type: f32}
    %b = Parameter-0() {shape: [$2], element_type: f32}
    %w = Parameter-0() {shape: [$3], element_type: f32}  # constant
    %shape = Constant-0() {value: i64[$6] {$4}}
    %v = Reshape-1(%w, %shape) {special_zero: false}
    %c = $0(%a, %w) {strides: [$5,$5], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1]}
    %d = $0(%b, %v) {strides: [$5,$5], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1]}
    %rc = Result-0(%c) {}
    %rd = Result-0(%d) {}
  )",
      operation, first_data, second_data, first_shape, second_shape, stride,
      rank);
}

void ExpectBothRight(const std::string& text,
                     const std::vector<Shape>& inputs) {
  const Network network(text, {{"INFERENCE_NUM_THREADS", "2"}});
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  EXPECT_EQ(network.Check(*request, network.Inputs(inputs)), "");
}

TEST(PackingTest, WinogradTellsShapesApart) {
  ExpectBothRight(TwoConvolutions("Convolution-1", "1,32,58,58", "1,64,58,58",
                                  "64,32,3,3", "32,64,3,3", 1),
                  {{1, 32, 58, 58}, {1, 64, 58, 58}});
}

TEST(PackingTest, FewChannelsTellShapesApart) {
  ExpectBothRight(TwoConvolutions("Convolution-1", "1,1,32,32", "1,3,32,32",
                                  "48,1,3,3", "16,3,3,3", 2),
                  {{1, 1, 32, 32}, {1, 3, 32, 32}});
}

TEST(PackingTest, PixelTilesTellShapesApart) {
  ExpectBothRight(TwoConvolutions("ConvolutionBackpropData-1", "1,8,16,16",
                                  "1,4,16,16", "8,2,2,2", "4,4,2,2", 2),
                  {{1, 8, 16, 16}, {1, 4, 16, 16}});
}

TEST(PackingTest, PrimitivesTellShapesApart) {
  ExpectBothRight(TwoConvolutions("Convolution-1", "1,32,9,9", "1,64,9,9",
                                  "64,32,5,5", "32,64,5,5", 2),
                  {{1, 32, 9, 9}, {1, 64, 9, 9}});
}

TEST(PackingTest, MatrixProductsTellShapesApart) {
  ExpectBothRight(R"(
    %a = Parameter-0() {shape: [8,48], element_type: f32}
    %b = Parameter-0() {shape: [8,64], element_type: f32}
    %w = Parameter-0() {shape: [48,64], element_type: f32}  # constant
    %shape = Constant-0() {value: i64[2] {64,48}}
    %v = Reshape-1(%w, %shape) {special_zero: false}
    %c = MatMul-0(%a, %w) {}
    %d = MatMul-0(%b, %v) {}
    %e = MatMul-0(%a, %v) {transpose_b: true}
    %rc = Result-0(%c) {}
    %rd = Result-0(%d) {}
    %re = Result-0(%e) {}
  )",
                  {{8, 48}, {8, 64}});
}

TEST(PackingTest, RecurrentLayersTellShapesApart) {
  ExpectBothRight(R"(
    %a = Parameter-0() {shape: [2,16], element_type: f32}
    %b = Parameter-0() {shape: [2,8], element_type: f32}
    %ha = Parameter-0() {shape: [2,8], element_type: f32}
    %hb = Parameter-0() {shape: [2,16], element_type: f32}
    %w = Parameter-0() {shape: [8,16], element_type: f32}  # constant
    %ra = Parameter-0() {shape: [8,8], element_type: f32}  # constant_small
    %rb = Parameter-0() {shape: [16,16], element_type: f32}  # constant_small
    %shape = Constant-0() {value: i64[2] {16,8}}
    %v = Reshape-1(%w, %shape) {special_zero: false}
    %c = RNNCell-0(%a, %ha, %w, %ra) {hidden_size: 8}
    %d = RNNCell-0(%b, %hb, %v, %rb) {hidden_size: 16}
    %rc = Result-0(%c) {}
    %rd = Result-0(%d) {}
  )",
                  {{2, 16}, {2, 8}, {2, 8}, {2, 16}});
}

// ---- Constants where their type may not be read ----

// Moves the constants of at least 64 elements to odd addresses in `memory`,
// which the tensors do not own.
std::unique_ptr<Model> WithUnalignedConstants(
    const Model& model, std::vector<std::string>& memory) {
  std::unique_ptr<Model> unaligned = model.Clone();
  for (const auto& node : unaligned->nodes()) {
    auto* constant = node->As<ConstantAttributes>();
    if (constant == nullptr || constant->value.element_count() < 64) continue;
    const Tensor& value = constant->value;
    const auto size = static_cast<size_t>(value.byte_size());
    std::string& bytes = memory.emplace_back(size + 64, '\0');
    const auto address = reinterpret_cast<uintptr_t>(bytes.data());
    char* const odd = bytes.data() + (address % 2 == 0 ? 1 : 0);
    std::memcpy(odd, value.raw_data(), size);
    auto tensor = Tensor::ShareUnaligned(value.type(), value.shape(), odd,
                                         value.byte_size(), nullptr);
    EXPECT_TRUE(tensor.ok()) << tensor.status();
    constant->value = *std::move(tensor);
    EXPECT_FALSE(constant->value.is_aligned());
  }
  return unaligned;
}

TEST(PackingTest, UnalignedConstantsArePackedWithoutACopyThatStays) {
  const Network network(R"(
    %x = Parameter-0() {shape: [1,32,20,20], element_type: f32}
    %w0 = Parameter-0() {shape: [64,32,3,3], element_type: f32}  # constant_small
    %c0 = Convolution-1(%x, %w0) {strides: [1,1], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1]}
    %w1 = Parameter-0() {shape: [32,64,5,5], element_type: f32}  # constant_small
    %c1 = Convolution-1(%c0, %w1) {strides: [2,2], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1]}
    %axes = Constant-0() {value: i64[2] {2,3}}
    %m = ReduceMean-1(%c1, %axes) {keep_dims: false}
    %w2 = Parameter-0() {shape: [32,300], element_type: f32}  # constant_small
    %p = MatMul-0(%m, %w2) {}
    %h = Parameter-0() {shape: [1,128], element_type: f32}
    %rw = Parameter-0() {shape: [128,300], element_type: f32}  # constant_small
    %rr = Parameter-0() {shape: [128,128], element_type: f32}  # constant_small
    %r = RNNCell-0(%p, %h, %rw, %rr) {hidden_size: 128}
    %o = Result-0(%r) {}
  )");
  std::vector<std::string> memory;
  memory.reserve(16);  // so that addresses stay
  const auto plugin = MakeCpuPlugin();
  ASSERT_TRUE(plugin.ok()) << plugin.status();
  std::unique_ptr<Model> model =
      WithUnalignedConstants(network.model(), memory);
  ASSERT_EQ(memory.size(), 5u);
  std::vector<Tensor> constants;
  for (const auto& node : model->nodes()) {
    const auto* constant = node->As<ConstantAttributes>();
    if (constant == nullptr || constant->value.is_aligned()) continue;
    constants.push_back(constant->value);
  }
  auto compiled = (*plugin)->Compile(
      std::move(model), StandaloneCall(network.executable()->config()));
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  const auto request = Request::Create(*std::move(compiled));
  ASSERT_TRUE(request.ok()) << request.status();
  const std::vector<Tensor> inputs =
      network.Inputs({{1, 32, 20, 20}, {1, 128}});
  EXPECT_EQ(network.Check(**request, inputs), "");
  // A copy made by now would have the elements of then.
  for (std::string& bytes : memory) bytes.assign(bytes.size(), '\0');
  for (const Tensor& constant : constants) {
    EXPECT_EQ(constant.ElementAsDouble(0), 0.0) << constant.ToString();
  }
  EXPECT_EQ(network.Check(**request, inputs), "");
}

// ---- Threads ----

// Counts the loops that it is given.
class LoopCounter final : public Executor {
 public:
  void Schedule(Task task) override { task(); }
  int concurrency() const override { return 2; }
  void RunParts(int count, absl::FunctionRef<void(int i)> body) override {
    ++loops_;
    for (int i = 0; i < count; ++i) body(i);
  }
  int loops() const { return loops_; }

 private:
  std::atomic<int> loops_ = 0;
};

// Of a compilation of two matrices in threads of the application.
int LoopsOfCompilation(const PropertyMap& properties) {
  const Network network(R"(
    %x = Parameter-0() {shape: [16,600], element_type: f32}
    %w = Parameter-0() {shape: [600,500], element_type: f32}  # constant_small
    %m = MatMul-0(%x, %w) {}
    %v = Parameter-0() {shape: [500,700], element_type: f32}  # constant_small
    %n = MatMul-0(%m, %v) {}
    %o = Result-0(%n) {}
  )",
                        properties);
  const auto plugin = MakeCpuPlugin().value();
  const StandaloneCall standalone(network.executable()->config());
  PluginCall call = standalone;
  const auto counter = std::make_shared<LoopCounter>();
  call.executor = counter;
  const auto compiled = plugin->Compile(network.model().Clone(), call);
  EXPECT_TRUE(compiled.ok()) << compiled.status();
  return counter->loops();
}

TEST(PackingTest, OneThreadThatInfersIsNotTheOnlyOneThatPacks) {
  EXPECT_GT(LoopsOfCompilation({{"INFERENCE_NUM_THREADS", "1"}}), 0);
  EXPECT_EQ(LoopsOfCompilation({{"INFERENCE_NUM_THREADS", "1"},
                                {"COMPILATION_NUM_THREADS", "1"}}),
            0);
}

// ---- Models of the same memory ----

// A copy whose constants nobody may write.
std::unique_ptr<Model> WithReadOnlyConstants(const Model& model) {
  std::unique_ptr<Model> read_only = model.Clone();
  for (const auto& node : read_only->nodes()) {
    auto* constant = node->As<ConstantAttributes>();
    if (constant == nullptr) continue;
    const auto kept = std::make_shared<const Tensor>(constant->value);
    constant->value = Tensor::Share(kept->type(), kept->shape(),
                                    kept->raw_data(), kept->byte_size(), kept)
                          .value();
  }
  return read_only;
}

// Bytes of tensors that each of two compilations takes, one after the other,
// both of which give models that run.
std::pair<size_t, size_t> BytesOfTwo(const Network& network,
                                     const Model& model) {
  const auto plugin = MakeCpuPlugin().value();
  const auto allocator = std::make_shared<CountingAllocator>();
  const AllocatorScope scope(allocator);
  std::vector<std::unique_ptr<Request>> requests;
  size_t bytes[2] = {};
  for (size_t& one : bytes) {
    const size_t before = allocator->bytes();
    auto compiled = plugin->Compile(
        model.Clone(), StandaloneCall(network.executable()->config()));
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    one = allocator->bytes() - before;
    requests.push_back(Request::Create(*std::move(compiled)).value());
  }
  for (const auto& request : requests) {
    EXPECT_EQ(network.Check(*request, network.Inputs({{1, 32, 20, 20}})), "");
  }
  return {bytes[0], bytes[1]};
}

TEST(PackingTest, ModelsOfTheSameMemorySharePackedWeights) {
  const Network network(R"(
    %x = Parameter-0() {shape: [1,32,20,20], element_type: f32}
    %w = Parameter-0() {shape: [64,32,5,5], element_type: f32}  # constant_small
    %c = Convolution-1(%x, %w) {strides: [2,2], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1]}
    %o = Result-0(%c) {}
  )");
  constexpr size_t kWeights = sizeof(float) * 64 * 32 * 5 * 5;
  const auto [first, second] =
      BytesOfTwo(network, *WithReadOnlyConstants(network.model()));
  EXPECT_GE(first, kWeights);
  EXPECT_LE(second, first - kWeights);
  // What an application may write might have changed.
  const auto [first_own, second_own] = BytesOfTwo(network, network.model());
  EXPECT_GE(first_own, kWeights);
  EXPECT_EQ(second_own, first_own);
}

}  // namespace
}  // namespace dovetail::cpu
