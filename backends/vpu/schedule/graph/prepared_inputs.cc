#include "dovetail/backends/vpu/schedule/graph/prepared_inputs.h"

#include <utility>
#include <vector>

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

int AddAligned(int layer, int input, GraphBuilder& builder) {
  const int aligned = builder.AddLike(input);
  builder.AddAligningCopy(
      layer, absl::StrCat(builder.layer(layer).name, "@align-input"), input,
      aligned, "rows of the network's input are not whole lines");
  builder.buffer(aligned).is_pinned = true;
  return aligned;
}

}  // namespace

std::vector<int> PrepareInputs(int layer, std::vector<int> inputs,
                               ConvShape& shape, GraphBuilder& builder) {
  if (inputs.empty()) return inputs;
  int& first = inputs.front();
  const PlaneAxis rows = RowsOf(shape), columns = ColumnsOf(shape);
  if (!IsPaddedByEngines(builder.layer(layer).kind, rows, columns)) {
    first = AddPadding(layer, rows, columns, first, shape, builder);
  } else if (builder.buffer(first).is_border &&
             RowBytes(shape.in_width) != 2 * shape.in_width) {
    first = AddAligned(layer, first, builder);
  }
  return inputs;
}

}  // namespace dovetail::vpu
