#include "dovetail/backends/vpu/schedule/graph/pooled_convolution.h"

#include "dovetail/backends/vpu/compiler/tiling/tiling.h"

namespace dovetail::vpu {
namespace {

// The pool that alone reads a convolution of one image and group; kNone where
// there is none.
int PoolBehind(int layer, const GraphBuilder& builder) {
  const Layer& of = builder.layer(layer);
  if (of.kind != LayerKind::kConvolution || of.repeats != 1 ||
      of.host_bytes > 0) {
    return kNone;
  }
  const int reader = builder.OnlyReader(layer);
  if (reader == kNone) return kNone;
  const Layer& pool = builder.layer(reader);
  return pool.kind == LayerKind::kPool && pool.repeats == 1 &&
                 SearchPoolTiling(builder.machine(), pool.shape).ok()
             ? reader
             : kNone;
}

bool IsWindow(const ConvShape& s, int64_t kernel, int64_t stride, int64_t pad) {
  const PlaneAxis rows = RowsOf(s), columns = ColumnsOf(s);
  return s.kernel_x == kernel && s.kernel_y == kernel && s.stride == stride &&
         rows.before == pad && rows.after == pad && columns.before == pad &&
         columns.after == pad;
}

// Whether the compiler takes both as one, before it knows tiles.
bool IsPair(const Layer& convolution, const Layer& pool) {
  const ConvShape &a = convolution.shape, &b = pool.shape;
  const bool is_even =
      (a.in_width | a.in_height | b.out_width | b.out_height) % 2 == 0;
  return pool.type == "MaxPool" && is_even && IsWindow(a, 3, 1, 1) &&
         IsWindow(b, 2, 2, 0);
}

}  // namespace

int PoolOf(int layer, const GraphBuilder& builder) {
  if (builder.machine().merge_pools == 0) return kNone;
  const int index = PoolBehind(layer, builder);
  if (index == kNone) return kNone;
  const Layer& pool = builder.layer(index);
  if (!IsPair(builder.layer(layer), pool)) return kNone;
  ConvShape shape = builder.layer(layer).shape;
  shape.pools = true;
  shape.out_width = pool.shape.out_width;
  shape.out_height = pool.shape.out_height;
  return SearchPooledTiling(builder.machine(), shape).ok() ? index : kNone;
}

int64_t PartChannels(int layer, const GraphBuilder& builder) {
  if (builder.layer(layer).kind == LayerKind::kPool) {
    const std::vector<int>& inputs = builder.layer(layer).inputs;
    if (inputs.size() != 1) return 0;
    layer = builder.SourceOf(inputs.front());
  }
  const int pool = PoolBehind(layer, builder);
  if (pool == kNone || (builder.machine().merge_pools != 0 &&
                        IsPair(builder.layer(layer), builder.layer(pool)))) {
    return 0;
  }
  const ConvShape& s = builder.layer(layer).shape;
  const int64_t plane = RowBytes(s.out_width) * s.out_height;
  const auto fits = [&](int64_t channels) {
    return static_cast<double>(plane * channels) <=
           builder.machine().tiling_limit_bytes;
  };
  if (fits(s.out_channels)) return 0;
  for (const int64_t channels : {128, 64, 32}) {
    if (s.out_channels % channels == 0 && fits(channels)) return channels;
  }
  return 0;
}

}  // namespace dovetail::vpu
