// Convolutions of 8-bit integers and of f32, most in blocks of 8 channels, one
// thread: products of the definition per second.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "benchmark/benchmark.h"
#include "dovetail/backends/cpu/kernels/convolution/depthwise/depthwise.h"
#include "dovetail/backends/cpu/kernels/convolution/few_channels.h"
#include "dovetail/backends/cpu/kernels/convolution/transposed/pixel_tiles.h"
#include "dovetail/backends/cpu/kernels/convolution/winograd/winograd.h"
#include "dovetail/backends/cpu/kernels/integer/integer_convolution.h"

namespace dovetail::cpu {
namespace {

struct AlignedDelete {
  void operator()(void* data) const {
    ::operator delete (data, std::align_val_t{64});
  }
};

// Numbers at 64 bytes, all `value`.
template <class T>
std::unique_ptr<T, AlignedDelete> Fill(int64_t count, T value) {
  T* const data =
      static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{64}));
  std::fill_n(data, count, value);
  return std::unique_ptr<T, AlignedDelete>(data);
}

int64_t Padded(int64_t channels) { return (channels + 7) / 8 * 8; }

WindowAxis AxisOf(int64_t output, int64_t kernel, int64_t stride) {
  WindowAxis axis;
  axis.kernel = kernel;
  axis.stride = stride;
  axis.pad = kernel / 2;
  axis.output = output;
  axis.input = output * stride;
  return axis;
}

// Inputs and outputs (0 inputs: each channel by itself), extent of the output,
// kernel, stride; whether results are u8.
void BM_Integer(benchmark::State& state) {
  IntegerConvolutionShape shape;
  const bool is_depthwise = state.range(0) == 0;
  shape.outputs = state.range(1);
  shape.inputs = is_depthwise ? shape.outputs : state.range(0);
  shape.groups = is_depthwise ? shape.outputs : 1;
  shape.rows = AxisOf(state.range(2), state.range(3), state.range(4));
  shape.columns = shape.rows;
  const int64_t inputs = shape.inputs / shape.groups;
  const int64_t taps = inputs * shape.rows.kernel * shape.columns.kernel;
  const std::vector<int8_t> weights(shape.outputs * taps, 3);
  const IntegerConvolution convolution(shape, weights.data(), 1);
  const auto packed = Fill<char>(convolution.weights_bytes(), 0);
  convolution.PackWeights(weights.data(), packed.get());
  const auto input = Fill<uint8_t>(
      Padded(shape.inputs) * shape.rows.input * shape.columns.input, 5);
  const int64_t pixels = shape.rows.output * shape.columns.output;
  const auto output = Fill<float>(Padded(shape.outputs) * pixels, 0);
  const std::vector<float> numbers(Padded(shape.outputs), 0.001f);
  const auto scratch = Fill<char>(convolution.scratch_bytes(), 0);
  IntegerConvolutionOperands operands;
  operands.input = input.get();
  operands.weights = packed.get();
  operands.epilogue.scale = numbers.data();
  operands.epilogue.bias = numbers.data();
  operands.epilogue.output_scale = numbers.data();
  operands.epilogue.output_shift = numbers.data();
  operands.epilogue.low = 0;
  operands.epilogue.high = 255;
  operands.epilogue.output_type =
      state.range(5) != 0 ? ElementType::kU8 : ElementType::kF32;
  operands.output = output.get();
  for (auto _ : state) {
    convolution.Run(operands, 0, convolution.work_item_count(), scratch.get());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * shape.outputs * taps * pixels);
}
BENCHMARK(BM_Integer)
    ->ArgNames({"in", "out", "size", "kernel", "stride", "u8"})
    ->ArgsProduct({{16}, {96}, {112}, {1}, {1}, {0, 1}})
    ->ArgsProduct({{96}, {24}, {56}, {1}, {1}, {0, 1}})
    ->Args({144, 24, 56, 1, 1, 1})
    ->Args({32, 192, 28, 1, 1, 1})
    ->Args({192, 32, 28, 1, 1, 1})
    ->Args({64, 384, 14, 1, 1, 1})
    ->Args({960, 160, 7, 1, 1, 1})
    ->Args({512, 512, 14, 1, 1, 1})
    ->Args({128, 16, 38, 1, 2, 1})
    ->Args({3, 32, 112, 3, 2, 1})
    ->Args({3, 64, 36, 7, 2, 1})
    ->Args({1, 16, 256, 3, 1, 1})
    ->Args({128, 128, 28, 3, 2, 1})
    ->Args({16, 16, 256, 3, 1, 1})
    ->Args({32, 32, 88, 3, 1, 1})
    ->Args({32, 32, 11, 3, 1, 1})
    ->Args({64, 64, 56, 3, 1, 1})
    ->Args({128, 128, 28, 3, 1, 1})
    ->Args({256, 256, 14, 3, 1, 1})
    ->Args({0, 96, 112, 3, 1, 1})
    ->Args({0, 96, 56, 3, 2, 1})
    ->Args({0, 384, 14, 3, 1, 1})
    ->Args({0, 192, 28, 5, 1, 1});

WinogradAxis SameAxis(int64_t extent, int64_t kernel, int64_t dilation) {
  WinogradAxis axis;
  axis.input = axis.output = extent;
  axis.kernel = kernel;
  axis.dilation = dilation;
  axis.pad = (kernel - 1) / 2 * dilation;
  return axis;
}

// Inputs, outputs, rows, columns, kernel, dilation, what a tile reads; one row:
// along columns.
void BM_Winograd(benchmark::State& state) {
  WinogradShape shape;
  shape.lanes = WinogradLanes();
  shape.inputs = state.range(0);
  shape.outputs = state.range(1);
  if (state.range(2) > 1) {
    shape.rows = SameAxis(state.range(2), state.range(4), state.range(5));
  }
  shape.columns = SameAxis(state.range(3), state.range(4), state.range(5));
  shape.rows.tile = shape.columns.tile = state.range(6);
  const int64_t pixels = state.range(2) * state.range(3);
  const auto input =
      Fill<float>(shape.input_blocks() * shape.lanes * pixels, 1);
  const auto output =
      Fill<float>(shape.output_blocks() * shape.lanes * pixels, 1);
  const auto weights = Fill<float>(WinogradWeightsSize(shape), 1);
  const int64_t tiles = WinogradTiles(shape);
  const int64_t most = WinogradTilesAtATime(shape);
  const int64_t runs = (tiles + most - 1) / most;
  const int64_t step = (tiles + runs - 1) / runs;
  WinogradPart part = {0, step, 0, WinogradGroups(shape)};
  const auto scratch = Fill<float>(WinogradScratchSize(shape, part), 1);
  for (auto _ : state) {
    for (int64_t first = 0; first < tiles; first += step) {
      part.first_tile = first;
      part.tiles = std::min(step, tiles - first);
      ConvolveWinograd(shape, part,
                       {input.get(), weights.get(), {}, output.get()},
                       scratch.get());
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * shape.inputs * shape.outputs *
                          pixels * shape.rows.kernel * shape.columns.kernel);
}
BENCHMARK(BM_Winograd)
    ->ArgNames({"in", "out", "rows", "columns", "kernel", "dilation", "tile"})
    ->Args({16, 16, 256, 256, 3, 1, 6})
    ->Args({16, 32, 24, 24, 3, 1, 6})
    ->Args({20, 50, 8, 8, 5, 1, 6})
    ->Args({32, 32, 11, 11, 3, 1, 6})
    ->Args({32, 64, 12, 12, 3, 1, 6})
    ->Args({64, 64, 56, 56, 3, 1, 6})
    ->Args({64, 64, 56, 56, 3, 1, 4})
    ->Args({64, 128, 6, 6, 3, 1, 6})
    ->Args({128, 128, 28, 28, 3, 1, 6})
    ->Args({256, 256, 14, 14, 3, 1, 6})
    ->Args({256, 256, 14, 14, 3, 1, 4})
    ->Args({512, 256, 32, 32, 3, 1, 6})
    ->Args({512, 256, 32, 32, 3, 1, 4})
    ->Args({64, 64, 1, 256, 3, 1, 6})
    ->Args({128, 128, 1, 256, 3, 16, 6});

// Inputs, outputs, rows and columns of the output, kernel, stride; whether
// results are in blocks.
void BM_FewChannels(benchmark::State& state) {
  FewChannelsShape shape;
  shape.inputs = state.range(0);
  shape.outputs = state.range(1);
  shape.rows = AxisOf(state.range(2), state.range(4), state.range(5));
  shape.columns = AxisOf(state.range(3), state.range(4), state.range(5));
  shape.result = static_cast<FewChannelsShape::Result>(state.range(6));
  const FewChannelsConvolution convolution(shape, 1, 1);
  const auto input =
      Fill<float>(shape.inputs * shape.rows.input * shape.columns.input, 1);
  const int64_t pixels = shape.rows.output * shape.columns.output;
  const auto output = Fill<float>(
      convolution.output_blocks() * FewChannelsConvolution::Lanes() * pixels,
      1);
  const auto weights = Fill<float>(convolution.weights_floats(), 1);
  const auto scratch = Fill<float>(convolution.scratch_floats(), 1);
  ConvolutionOperands operands;
  operands.input = input.get();
  operands.weights = weights.get();
  operands.output = output.get();
  for (auto _ : state) {
    convolution.Run(operands, 0, convolution.work_item_count(), scratch.get());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * shape.outputs * shape.taps() *
                          pixels);
}
BENCHMARK(BM_FewChannels)
    ->ArgNames({"in", "out", "rows", "columns", "kernel", "stride", "result"})
    ->Args({1, 20, 24, 24, 5, 1, 1})
    ->Args({3, 16, 48, 48, 3, 1, 1})
    ->Args({3, 16, 256, 448, 3, 2, 1})
    ->Args({3, 32, 112, 112, 3, 2, 1})
    ->Args({3, 64, 112, 112, 7, 2, 1})
    ->Args({3, 96, 56, 56, 4, 4, 1})
    ->Args({1, 16, 512, 512, 3, 1, 1})
    ->Args({4, 36, 360, 640, 3, 1, 1})
    ->Args({4, 36, 360, 640, 3, 1, 0})
    ->Args({1, 4, 360, 640, 3, 1, 0})
    ->Args({4, 1, 1080, 1920, 3, 1, 0});

// Inputs, outputs, rows and columns of the input, extent of a tile.
void BM_PixelTiles(benchmark::State& state) {
  PixelTilesShape shape;
  shape.inputs = state.range(0);
  shape.outputs = state.range(1);
  shape.height = state.range(2);
  shape.width = state.range(3);
  shape.rows = shape.columns = state.range(4);
  const int64_t pixels = shape.height * shape.width;
  const std::vector<float> input(shape.inputs * pixels, 1);
  const std::vector<float> weights(shape.weights(), 1);
  std::vector<float> output(shape.outputs * pixels * shape.rows *
                            shape.columns);
  ConvolutionOperands operands;
  operands.input = input.data();
  operands.weights = weights.data();
  operands.output = output.data();
  for (auto _ : state) {
    ConvolvePixelTiles(shape, operands, 0, shape.row_count());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * shape.weights() * pixels);
}
BENCHMARK(BM_PixelTiles)
    ->ArgNames({"in", "out", "rows", "columns", "tile"})
    ->Args({36, 4, 360, 640, 3})
    ->Args({16, 1, 256, 256, 2})
    ->Args({32, 2, 64, 64, 4});

// Channels, extent of the output, kernel, stride.
void BM_Depthwise(benchmark::State& state) {
  DepthwiseShape shape;
  shape.blocks = state.range(0) / 8;
  shape.rows = AxisOf(state.range(1), state.range(2), state.range(3));
  shape.columns = shape.rows;
  const int64_t taps = shape.rows.kernel * shape.columns.kernel;
  const int64_t pixels = shape.rows.output * shape.columns.output;
  const std::vector<float> input(
      state.range(0) * shape.rows.input * shape.columns.input, 1);
  const std::vector<float> weights(state.range(0) * taps, 1);
  std::vector<float> output(state.range(0) * pixels);
  ConvolutionOperands operands;
  operands.input = input.data();
  operands.weights = weights.data();
  operands.output = output.data();
  for (auto _ : state) {
    ConvolveDepthwiseRows(shape, operands, 0, shape.row_count());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0) * taps * pixels);
}
BENCHMARK(BM_Depthwise)
    ->ArgNames({"channels", "size", "kernel", "stride"})
    ->Args({96, 112, 3, 1})
    ->Args({96, 56, 3, 2})
    ->Args({384, 14, 3, 1})
    ->Args({192, 28, 5, 1});

}  // namespace
}  // namespace dovetail::cpu

BENCHMARK_MAIN();
