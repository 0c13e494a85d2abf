// Elementwise programs, one thread: elements and bytes of memory per second.
#include <cstdint>
#include <utility>
#include <vector>

#include "benchmark/benchmark.h"
#include "dovetail/backends/cpu/kernels/elementwise/run_elementwise.h"

namespace dovetail::cpu {
namespace {

using Builder = ElementwiseProgram::Builder;

void RunAll(benchmark::State& state, const ElementwiseProgram& program,
            const std::vector<int64_t>& dims,
            const std::vector<ElementwiseStrides>& strides) {
  const auto geometry = MakeGeometry(program, dims, strides);
  if (!geometry.ok()) {
    state.SkipWithError("no geometry");
    return;
  }
  // Numbers from -4 to 4, wherever a stride leads.
  std::vector<float> input(geometry->element_count);
  for (size_t i = 0; i < input.size(); ++i) {
    input[i] = static_cast<float>(i * 37 % 1024) / 128 - 4;
  }
  std::vector<float> output(geometry->element_count);
  const std::vector<const void*> inputs(strides.size(), input.data());
  void* const outputs[] = {output.data()};
  for (auto _ : state) {
    RunElementwise(program, *geometry, inputs, outputs, 0,
                   geometry->tile_count);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * geometry->element_count);
}

// One instruction on numbers in the L2 cache.
void BM_Unary(benchmark::State& state, ElementwiseOp op) {
  Builder builder;
  const std::vector<float> parameters(ParameterCount(op), 0.5f);
  const int x = builder.AddInput(ElementType::kF32);
  builder.Output(builder.Op(op, std::vector<int>{x}, parameters),
                 ElementType::kF32);
  RunAll(state, *std::move(builder).Build(), {32768}, {{1}});
}
BENCHMARK_CAPTURE(BM_Unary, Relu, ElementwiseOp::kRelu);
BENCHMARK_CAPTURE(BM_Unary, Sqrt, ElementwiseOp::kSqrt);
BENCHMARK_CAPTURE(BM_Unary, Exp, ElementwiseOp::kExp);
BENCHMARK_CAPTURE(BM_Unary, Log, ElementwiseOp::kLog);
BENCHMARK_CAPTURE(BM_Unary, Tanh, ElementwiseOp::kTanh);
BENCHMARK_CAPTURE(BM_Unary, Sigmoid, ElementwiseOp::kSigmoid);
BENCHMARK_CAPTURE(BM_Unary, Swish, ElementwiseOp::kSwish);
BENCHMARK_CAPTURE(BM_Unary, Erf, ElementwiseOp::kErf);
BENCHMARK_CAPTURE(BM_Unary, GeluErf, ElementwiseOp::kGeluErf);
BENCHMARK_CAPTURE(BM_Unary, GeluTanh, ElementwiseOp::kGeluTanh);
BENCHMARK_CAPTURE(BM_Unary, Mish, ElementwiseOp::kMish);
BENCHMARK_CAPTURE(BM_Unary, SoftPlus, ElementwiseOp::kSoftPlus);
BENCHMARK_CAPTURE(BM_Unary, Elu, ElementwiseOp::kElu);
BENCHMARK_CAPTURE(BM_Unary, HSwish, ElementwiseOp::kHSwish);
BENCHMARK_CAPTURE(BM_Unary, Sin, ElementwiseOp::kSin);

// relu(x * scale + shift) with scale and shift by these strides.
void BM_ScaleShiftRelu(benchmark::State& state, std::vector<int64_t> dims,
                       ElementwiseStrides x_strides,
                       ElementwiseStrides channel_strides) {
  Builder builder;
  const int x = builder.AddInput(ElementType::kF32);
  const int scale = builder.AddInput(ElementType::kF32);
  const int shift = builder.AddInput(ElementType::kF32);
  const int product = builder.Op(ElementwiseOp::kMultiply, {x, scale});
  const int sum = builder.Op(ElementwiseOp::kAdd, {product, shift});
  builder.Output(builder.Op(ElementwiseOp::kRelu, {sum}), ElementType::kF32);
  RunAll(state, *std::move(builder).Build(), dims,
         {x_strides, channel_strides, channel_strides});
}
BENCHMARK_CAPTURE(BM_ScaleShiftRelu, Planar, {64, 56 * 56}, {56 * 56, 1},
                  {1, 0});
BENCHMARK_CAPTURE(BM_ScaleShiftRelu, PlanarSmall, {512, 7 * 7}, {7 * 7, 1},
                  {1, 0});
BENCHMARK_CAPTURE(BM_ScaleShiftRelu, ChannelsLast, {56 * 56, 64}, {64, 1},
                  {0, 1});
BENCHMARK_CAPTURE(BM_ScaleShiftRelu, Blocked, {8, 56 * 56, 8},
                  {56 * 56 * 8, 8, 1}, {8, 0, 1});
BENCHMARK_CAPTURE(BM_ScaleShiftRelu, PerRow, {1 << 12, 1 << 6}, {1 << 6, 1},
                  {1, 0});

// FakeQuantize with limits by these strides, to f32 or u8.
void BM_FakeQuantize(benchmark::State& state, ElementType type,
                     ElementwiseStrides limits) {
  Builder builder;
  std::vector<int> operands;
  for (int i = 0; i < 5; ++i) {
    operands.push_back(builder.AddInput(ElementType::kF32));
  }
  const float levels[] = {256};
  builder.Output(builder.Op(ElementwiseOp::kFakeQuantize, operands, levels),
                 type);
  RunAll(state, *std::move(builder).Build(), {8, 56 * 56, 8},
         {{56 * 56 * 8, 8, 1}, limits, limits, limits, limits});
}
BENCHMARK_CAPTURE(BM_FakeQuantize, PerTensor, ElementType::kF32, {0, 0, 0});
BENCHMARK_CAPTURE(BM_FakeQuantize, ToU8, ElementType::kU8, {0, 0, 0});
BENCHMARK_CAPTURE(BM_FakeQuantize, PerChannel, ElementType::kF32, {8, 0, 1});

// (x - zero) * scale of u8, as f32.
void BM_Dequantize(benchmark::State& state) {
  Builder builder;
  const int x = builder.AddInput(ElementType::kU8);
  const int difference =
      builder.Op(ElementwiseOp::kSubtract, {x, builder.Constant(128)});
  builder.Output(builder.Op(ElementwiseOp::kMultiply,
                            {difference, builder.Constant(0.25f)}),
                 ElementType::kF32);
  RunAll(state, *std::move(builder).Build(), {1 << 17}, {{1}});
}
BENCHMARK(BM_Dequantize);

// a + b: at the speed of memory for large tensors.
void BM_Add(benchmark::State& state) {
  Builder builder;
  const int a = builder.AddInput(ElementType::kF32);
  const int b = builder.AddInput(ElementType::kF32);
  builder.Output(builder.Op(ElementwiseOp::kAdd, {a, b}), ElementType::kF32);
  RunAll(state, *std::move(builder).Build(), {state.range(0)}, {{1}, {1}});
}
BENCHMARK(BM_Add)->Arg(64)->Arg(4096)->Arg(32768)->Arg(1 << 22);

}  // namespace
}  // namespace dovetail::cpu

BENCHMARK_MAIN();
