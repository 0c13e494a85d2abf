// Layers that blocks are made of, with weights in the block's form.
#ifndef DOVETAIL_BENCH_BLOCKS_LAYERS_H_
#define DOVETAIL_BENCH_BLOCKS_LAYERS_H_

#include <cstdint>

#include "dovetail/bench/blocks/block_builder.h"

namespace dovetail::blocks {

struct ConvolutionOptions {
  int64_t kernel = 1, stride = 1, dilation = 1, groups = 1;
};

// Of [batch, channels, rows, columns], padded so that extents are divided by the
// stride, with bias.
Value Convolution(BlockBuilder& b, Value x, int64_t outputs,
                  const ConvolutionOptions& options = {});
Value Depthwise(BlockBuilder& b, Value x, int64_t kernel, int64_t stride = 1);
// Twice the extents; with as many groups a channel each, by a window of 4x4.
Value TransposedConvolution(BlockBuilder& b, Value x, int64_t outputs,
                            int64_t groups = 1);
// Of the last axis, with bias.
Value Linear(BlockBuilder& b, Value x, int64_t outputs);
// Without.
Value Projection(BlockBuilder& b, Value x, int64_t outputs);

// Over the last axis, with scale and bias.
Value LayerNorm(BlockBuilder& b, Value x);
Value RmsNorm(BlockBuilder& b, Value x);
// Over rows and columns of [batch, channels, rows, columns].
Value InstanceNorm(BlockBuilder& b, Value x);
// The same over groups of channels too.
Value GroupNorm(BlockBuilder& b, Value x, int64_t groups);

Value Softmax(BlockBuilder& b, Value x, int64_t axis = -1);
// Rows and columns of [batch, channels, rows, columns] become `rows` and
// `columns`; `mode` is "nearest" or "linear_onnx".
Value Resize(BlockBuilder& b, Value x, int64_t rows, int64_t columns,
             const char* mode);

// A static extent.
int64_t Extent(Value x, int axis);

}  // namespace dovetail::blocks

#endif  // DOVETAIL_BENCH_BLOCKS_LAYERS_H_
