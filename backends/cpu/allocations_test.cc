// What an inference allocates once its shapes are known: nothing, but for what
// oneDNN does inside of a primitive, where it keeps the arguments in a map. The
// linker gives this program another malloc (see BUILD.bazel), which counts.
#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include "dovetail/backends/cpu/testing/network.h"
#include "gtest/gtest.h"

namespace {

std::atomic<int> allocations{0};
std::atomic<bool> in_primitive{false};

void Count() {
  if (!in_primitive) ++allocations;
}

}  // namespace

extern "C" {

void* __real_malloc(size_t bytes);
void* __real_calloc(size_t count, size_t bytes);
void* __real_realloc(void* block, size_t bytes);
int __real_posix_memalign(void** block, size_t alignment, size_t bytes);
void* __real_aligned_alloc(size_t alignment, size_t bytes);

void* __wrap_malloc(size_t bytes) {
  Count();
  return __real_malloc(bytes);
}
void* __wrap_calloc(size_t count, size_t bytes) {
  Count();
  return __real_calloc(count, bytes);
}
void* __wrap_realloc(void* block, size_t bytes) {
  Count();
  return __real_realloc(block, bytes);
}
int __wrap_posix_memalign(void** block, size_t alignment, size_t bytes) {
  Count();
  return __real_posix_memalign(block, alignment, bytes);
}
void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  Count();
  return __real_aligned_alloc(alignment, bytes);
}

int __real_dnnl_primitive_execute(const void* primitive, void* stream,
                                  int count, const void* arguments);

int __wrap_dnnl_primitive_execute(const void* primitive, void* stream,
                                  int count, const void* arguments) {
  in_primitive = true;
  const int status =
      __real_dnnl_primitive_execute(primitive, stream, count, arguments);
  in_primitive = false;
  return status;
}

}  // extern "C"

namespace dovetail::cpu {
namespace {

constexpr int kInferences = 8;

// How many allocations some inferences make when those before had the same
// shapes; -1, and the test fails, when they cannot run.
int Steady(absl::string_view text, const std::vector<Shape>& shapes,
           const PropertyMap& properties = {}) {
  const Network network(text, properties);
  const auto request = network.NewRequest();
  if (request == nullptr) return -1;
  const std::string wrong = network.Check(*request, network.Inputs(shapes));
  EXPECT_EQ(wrong, "");
  if (!wrong.empty()) return -1;
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(request->Infer().ok());
  const int before = allocations;
  for (int i = 0; i < kInferences; ++i) {
    if (!request->Infer().ok()) return -1;
  }
  return allocations - before;
}

constexpr char kElementwise[] = R"(
  %x = Parameter-0() {shape: [?,40], element_type: f32}
  %y = Parameter-0() {shape: [?,40], element_type: f32}
  %a = Add-1(%x, %y) {}
  %t = Tanh-0(%a) {}
  %s = SoftMax-8(%t) {axis: 1}
  %axis = Constant-0() {value: i64[1] {0}}
  %m = ReduceMax-1(%s, %axis) {keep_dims: true}
  %o = Constant-0() {value: i64[2] {1, 0}}
  %p = Transpose-1(%s, %o) {}
  %0 = Result-0(%m) {}
  %1 = Result-0(%p) {})";

constexpr char kProducts[] = R"(
  %x = Parameter-0() {shape: [?,16], element_type: f32}
  %w = Parameter-0() {shape: [16,48], element_type: f32}  # constant_0
  %v = Parameter-0() {shape: [48,16], element_type: f32}  # constant_1
  %a = MatMul-0(%x, %w) {}
  %g = Gelu-7(%a) {approximation_mode: erf}
  %b = MatMul-0(%g, %v) {}
  %r = Add-1(%b, %x) {}
  %last = Constant-0() {value: i64[1] {-1}}
  %n = MVN-6(%r, %last) {normalize_variance: true, eps: 1e-5, eps_mode: inside_sqrt}
  %o = Result-0(%n) {})";

constexpr char kConvolutions[] = R"(
  %x = Parameter-0() {shape: [?,16,?,?], element_type: f32}
  %w = Parameter-0() {shape: [16,16,1,1], element_type: f32}  # constant_0
  %v = Parameter-0() {shape: [16,16,1,1], element_type: f32}  # constant_1
  %a = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1], auto_pad: explicit}
  %r = Relu-0(%a) {}
  %b = Convolution-1(%r, %v) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1], auto_pad: explicit}
  %o = Result-0(%b) {})";

const PropertyMap kThreeThreads = {{"NUM_STREAMS", "1"},
                                   {"INFERENCE_NUM_THREADS", "3"}};
const PropertyMap kOneThread = {{"INFERENCE_NUM_THREADS", "1"}};

TEST(AllocationsTest, KernelsNeedNone) {
  for (const PropertyMap& properties : {kOneThread, kThreeThreads}) {
    EXPECT_EQ(Steady(kElementwise, {{300, 40}, {300, 40}}, properties), 0);
    EXPECT_EQ(Steady(kProducts, {{300, 16}}, properties), 0);
  }
}

// LeNet: inferences so short that little would show.
constexpr char kLeNet[] = R"(
  %x = Parameter-0() {shape: [1,1,28,28], element_type: f32}
  %w = Parameter-0() {shape: [20,1,5,5], element_type: f32}  # constant_0
  %b = Parameter-0() {shape: [1,20,1,1], element_type: f32}  # constant_1
  %c = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1], auto_pad: explicit}
  %a = Add-1(%c, %b) {}
  %p = MaxPool-1(%a) {strides: [2,2], pads_begin: [0,0], pads_end: [0,0], kernel: [2,2], rounding_type: ceil, auto_pad: explicit}
  %v = Parameter-0() {shape: [50,20,5,5], element_type: f32}  # constant_2
  %d = Convolution-1(%p, %v) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1], auto_pad: explicit}
  %q = MaxPool-1(%d) {strides: [2,2], pads_begin: [0,0], pads_end: [0,0], kernel: [2,2], rounding_type: ceil, auto_pad: explicit}
  %t = Constant-0() {value: i64[2] {1, -1}}
  %f = Reshape-1(%q, %t) {special_zero: false}
  %g = Parameter-0() {shape: [500,800], element_type: f32}  # constant_3
  %m = MatMul-0(%f, %g) {transpose_b: true}
  %r = Relu-0(%m) {}
  %h = Parameter-0() {shape: [10,500], element_type: f32}  # constant_4
  %n = MatMul-0(%r, %h) {transpose_b: true}
  %s = Softmax-8(%n) {axis: 1}
  %o = Result-0(%s) {})";

TEST(AllocationsTest, NorDoesAProfile) {
  for (PropertyMap properties : {kOneThread, kThreeThreads}) {
    for (const char* perf_count : {"NO", "YES"}) {
      properties["PERF_COUNT"] = perf_count;
      EXPECT_EQ(Steady(kLeNet, {{1, 1, 28, 28}}, properties), 0) << perf_count;
    }
  }
}

TEST(AllocationsTest, NorDoStepsAroundPrimitives) {
  for (const PropertyMap& properties : {kOneThread, kThreeThreads}) {
    EXPECT_EQ(Steady(kConvolutions, {{2, 16, 30, 30}}, properties), 0);
  }
}

}  // namespace
}  // namespace dovetail::cpu
