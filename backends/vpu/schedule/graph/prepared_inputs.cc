#include "dovetail/backends/vpu/schedule/graph/prepared_inputs.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/compiler/tiling/plane_tiles.h"

namespace dovetail::vpu {
namespace {

bool IsPaddedByEngines(LayerKind kind, const PlaneAxis& rows,
                       const PlaneAxis& columns) {
  return kind == LayerKind::kPool
             ? PadsPool(rows) && PadsPool(columns)
             : PadsConvolution(rows) && PadsConvolution(columns);
}

int AddPadding(int layer, const PlaneAxis& rows, const PlaneAxis& columns,
               int input, ConvShape& shape, GraphBuilder& builder) {
  shape.in_height += rows.before + rows.after;
  shape.in_width += columns.before + columns.after;
  shape.pad_x = shape.pad_y = 0;
  Work pad;
  pad.lane = Lane::kShave;
  pad.layer = layer;
  pad.name = absl::StrCat(builder.layer(layer).name, "@padding");
  pad.kind = LayerKind::kUnary;
  pad.need = ShaveNeed::kAll;
  pad.inputs = {input};
  const Extents padded = {builder.buffer(input).planes, shape.in_height,
                          shape.in_width};
  const int output = pad.output =
      builder.AddBuffer(builder.buffer(input).layer, padded);
  pad.elements = padded.planes * padded.rows * padded.width;
  pad.reason = absl::StrCat("padding of ", rows.before, " and ", rows.after,
                            " rows, ", columns.before, " and ", columns.after,
                            " columns, which engines do not add");
  builder.AddWork(std::move(pad));
  return output;
}

}  // namespace

std::vector<int> PrepareInputs(int layer, std::vector<int> inputs,
                               ConvShape& shape, GraphBuilder& builder) {
  if (inputs.empty()) return inputs;
  int& first = inputs.front();
  const PlaneAxis rows = RowsOf(shape), columns = ColumnsOf(shape);
  if (!IsPaddedByEngines(builder.layer(layer).kind, rows, columns)) {
    first = AddPadding(layer, rows, columns, first, shape, builder);
  }
  return inputs;
}

std::vector<int> ExpandInputs(int layer, std::vector<int> inputs,
                              const ConvShape& shape, const ConvShape& tile,
                              GraphBuilder& builder) {
  const absl::StatusOr<HwMode> mode = ChooseMode(builder.machine(), tile);
  if (inputs.empty() || !mode.ok()) return inputs;
  const int first = inputs.front();
  const int64_t channels = shape.in_channels;
  const int64_t expanded = RoundUp(channels, mode->in_block);
  const int64_t images = builder.buffer(first).planes / channels;
  const bool has_planes =
      builder.buffer(first).planes == images * channels && images > 0;
  if (expanded == channels || !has_planes || !builder.buffer(first).is_border) {
    return inputs;
  }
  Work copy;
  copy.lane = Lane::kDma;
  copy.layer = layer;
  copy.kind = LayerKind::kCopy;
  copy.name = absl::StrCat(builder.layer(layer).name, "@expand-input");
  copy.inputs = {first};
  builder.SetCopied(first, copy);
  copy.output = builder.AddBuffer(builder.buffer(first).layer,
                                  {images * expanded, copy.rows, copy.width});
  builder.buffer(copy.output).is_pinned = true;
  copy.reason = absl::StrCat("an input of ", channels,
                             " channels, which engines take in blocks of ",
                             mode->in_block);
  inputs.front() = copy.output;
  builder.AddWork(std::move(copy));
  return inputs;
}

}  // namespace dovetail::vpu
