#include "dovetail/backends/vpu/schedule/graph/engine_work.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace dovetail::vpu {
namespace {

std::string ModeReason(const Machine& machine, const ConvShape& tile) {
  const absl::StatusOr<HwMode> mode = ChooseMode(machine, tile);
  if (!mode.ok()) return "";
  return absl::StrCat(
      "mode ", mode->in_block, "_",
      static_cast<int64_t>(machine.macs_per_cycle) / mode->in_block, ", ",
      mode->descriptors, " descriptors of ", mode->steps, " steps");
}

std::string Reason(const Machine& machine, const Layer& layer,
                   const ConvShape& tile, const Tiling& tiling) {
  std::string reason = layer.kind == LayerKind::kPool
                           ? "mode 16_16, descriptors of 16 channels"
                           : ModeReason(machine, tile);
  if (tiling.count() > 1) {
    absl::StrAppend(&reason, "; ", tiling.channels, "x", tiling.rows.size(),
                    "x", tiling.columns.size(),
                    " tiles (channels, rows, columns): ", tiling.reason);
  }
  if (tile.pools) absl::StrAppend(&reason, "; with the pool behind it");
  if (!layer.reason.empty()) absl::StrAppend(&reason, "; ", layer.reason);
  return reason;
}

}  // namespace

int64_t Macs(const ConvShape& tile, int64_t in_channels) {
  return tile.pixels() * tile.out_channels * in_channels * tile.kernel_x *
         tile.kernel_y;
}

std::string TileSuffix(absl::string_view axis, int64_t i, int64_t count) {
  return count > 1 ? absl::StrCat(axis, i + 1, "/", count) : "";
}

Work EngineWork(const EngineShape& engine, const Tiling& tiling,
                const ConvShape& tile, std::string name,
                const std::vector<int>& inputs, const GraphBuilder& builder) {
  const Layer& layer = builder.layer(engine.layer);
  Work work = builder.WorkOf(engine.layer, Lane::kNce);
  work.name = std::move(name);
  work.inputs = inputs;
  work.tile = tile;
  work.repeats = layer.repeats;
  work.reads_part = tiling.count() > 1;
  work.is_by_row = tiling.columns.size() > 1;
  work.is_average = layer.type == "AvgPool";
  work.reason = Reason(builder.machine(), layer, tile, tiling);
  return work;
}

}  // namespace dovetail::vpu
