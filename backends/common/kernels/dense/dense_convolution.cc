#include "dovetail/backends/common/kernels/dense/dense_convolution.h"

#include <algorithm>
#include <utility>

#include "dovetail/backends/common/kernels/dense/dense_product.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::host {
namespace {

constexpr int64_t kTile = kRowBlock * kPanelColumns;

// Pixels of a part: enough for weights to be read seldom.
constexpr int64_t kPanelsAtOnce = 4;
constexpr int64_t kPixelsAtOnce = kPanelsAtOnce * kPanelColumns;

// Rows of panels that stay in the second cache, 128 KB of them, while all
// blocks of weights pass by.
constexpr int64_t kRowsAtOnce = 256;

// Parts for each thread, so that they end together; each gathers its pixels
// again.
constexpr int64_t kPartsOfThread = 2;
constexpr int64_t kLeastBlocks = 4;
// Blocks whose sums stay in the second cache from one slice to the next.
constexpr int64_t kMostBlocks = 64;

int64_t InnerAtOnce(const DenseShape& shape, const DenseSums& sums) {
  if (sums.in_half) return 1;
  if (sums.inputs_at_once == 0) return shape.inner();
  return std::min(shape.inner(),
                  sums.inputs_at_once * shape.y.kernel * shape.x.kernel);
}

// Slices of about the same number of rows.
int64_t SliceRows(int64_t inner_at_once) {
  return CeilDivide(inner_at_once, CeilDivide(inner_at_once, kRowsAtOnce));
}

}  // namespace

// Kept by the thread, for all layers: a run allocates nothing once it is warm.
struct DenseConvolution::Workspace {
  static Workspace& OfThread(int64_t blocks, bool is_tiled) {
    static thread_local Workspace workspace;
    workspace.Reserve(blocks, is_tiled);
    return workspace;
  }

  PanelGather gathers[kPanelsAtOnce];
  float *panels, *sums, *partial;  // aligned to 64 bytes

 private:
  void Reserve(int64_t blocks, bool is_tiled) {
    constexpr int64_t kLine = 64 / sizeof(float);
    constexpr int64_t kPanels =
        kPanelsAtOnce * kRowsAtOnce * kPanelColumns + kGatherSlack;
    const int64_t tiles = blocks * kPanelsAtOnce * kTile;
    const auto needed =
        static_cast<size_t>(kPanels + (is_tiled ? 2 : 1) * tiles + kLine);
    if (memory_.size() < needed) memory_.resize(needed);
    sums = memory_.data() + kLine -
           reinterpret_cast<uintptr_t>(memory_.data()) % 64 / sizeof(float);
    partial = is_tiled ? sums + tiles : sums;
    panels = partial + tiles;
  }

  std::vector<float> memory_;
};

int64_t DenseConvolution::Part::panels() const {
  return CeilDivide(pixels, kPanelColumns);
}

int64_t DenseConvolution::Part::columns(int64_t panel) const {
  return std::min(kPanelColumns, pixels - panel * kPanelColumns);
}

DenseConvolution::DenseConvolution(const DenseShape& shape,
                                   const float* weights,
                                   std::vector<HalfEpilogue> epilogues,
                                   const DenseSums& sums)
    : shape_(shape),
      row_blocks_(CeilDivide(shape.outputs, kRowBlock)),
      pixel_parts_(CeilDivide(shape.output_plane(), kPixelsAtOnce)),
      inner_at_once_(InnerAtOnce(shape, sums)),
      slice_rows_(SliceRows(inner_at_once_)),
      first_(epilogues.size()),
      rest_(epilogues.size()),
      epilogues_(std::move(epilogues)) {
  const int64_t inner = shape.inner();
  const bool scales_parts = is_tiled() && !sums.in_half;
  for (size_t c = 0; scales_parts && c < epilogues_.size(); ++c) {
    first_[c].scale = rest_[c].scale = epilogues_[c].scale;
    first_[c].shift = epilogues_[c].shift;
    epilogues_[c].scale = 1;
    epilogues_[c].shift = 0;
  }
  const int64_t size = PackedRowsSize(shape.outputs, inner);
  packed_.resize(size * shape.groups);
  for (int64_t group = 0; group < shape.groups; ++group) {
    PackRows(weights + group * shape.outputs * inner, shape.outputs, inner,
             packed_.data() + group * size);
  }
}

void DenseConvolution::Run(const uint16_t* input, uint16_t* output,
                           float* scratch, WorkTeam& team) const {
  constexpr int64_t kNumbersAtOnce = 1 << 14;
  ParallelFor(team, shape_.input_count(), kNumbersAtOnce,
              [&](int64_t begin, int64_t end) {
                WidenHalf(input + begin, end - begin, scratch + begin);
              });
  const int64_t blocks = BlocksPerPart(team.threads());
  const int64_t parts = shape_.images * shape_.groups * pixel_parts_ *
                        CeilDivide(row_blocks_, blocks);
  ParallelFor(team, parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      RunPart(PartOf(i, blocks), scratch, output);
    }
  });
}

int64_t DenseConvolution::BlocksPerPart(int threads) const {
  const int64_t others = shape_.images * shape_.groups * pixel_parts_;
  const int64_t parts = CeilDivide(kPartsOfThread * threads, others);
  return std::clamp(CeilDivide(row_blocks_, parts), kLeastBlocks, kMostBlocks);
}

DenseConvolution::Part DenseConvolution::PartOf(int64_t index,
                                                int64_t blocks_per_part) const {
  const int64_t block_parts = CeilDivide(row_blocks_, blocks_per_part);
  Part part;
  part.first_block = index % block_parts * blocks_per_part;
  part.last_block = std::min(row_blocks_, part.first_block + blocks_per_part);
  index /= block_parts;
  part.first_pixel = index % pixel_parts_ * kPixelsAtOnce;
  part.pixels =
      std::min(kPixelsAtOnce, shape_.output_plane() - part.first_pixel);
  index /= pixel_parts_;
  part.group = index % shape_.groups;
  part.image = index / shape_.groups;
  return part;
}

DenseConvolution::Slice DenseConvolution::SliceAt(int64_t begin) const {
  const int64_t tile = begin / inner_at_once_ * inner_at_once_;
  const int64_t tile_end = std::min(shape_.inner(), tile + inner_at_once_);
  const int64_t end = std::min(tile_end, begin + slice_rows_);
  return {begin, end, begin == tile, end == tile_end};
}

void DenseConvolution::RunPart(const Part& part, const float* wide,
                               uint16_t* output) const {
  Workspace& workspace =
      Workspace::OfThread(part.last_block - part.first_block, is_tiled());
  for (int64_t p = 0; p < part.panels() && !shape_.pixels_first; ++p) {
    workspace.gathers[p].Set(shape_.y, shape_.x,
                             part.first_pixel + p * kPanelColumns,
                             part.columns(p));
  }
  for (int64_t k = 0; k < shape_.inner();) {
    const Slice slice = SliceAt(k);
    Gather(part, slice, wide, workspace);
    MultiplySlice(part, slice, workspace, output);
    k = slice.end;
  }
}

void DenseConvolution::Gather(const Part& part, const Slice& slice,
                              const float* wide, Workspace& workspace) const {
  const int64_t plane = shape_.y.input * shape_.x.input;
  const int64_t group = part.image * shape_.groups + part.group;
  for (int64_t p = 0; p < part.panels(); ++p) {
    float* const rows =
        workspace.panels + p * (slice.end - slice.begin) * kPanelColumns;
    if (shape_.pixels_first) {
      GatherColumns(part, p, slice, wide, rows);
    } else {
      workspace.gathers[p].Gather(wide + group * shape_.inputs * plane,
                                  slice.begin, slice.end, rows);
    }
  }
}

void DenseConvolution::GatherColumns(const Part& part, int64_t panel,
                                     const Slice& slice, const float* wide,
                                     float* rows) const {
  const int64_t plane = shape_.y.input * shape_.x.input;
  const int64_t channels = shape_.groups * shape_.inputs;
  const int64_t pixel =
      part.image * plane + part.first_pixel + panel * kPanelColumns;
  const float* const from =
      wide + pixel * channels + part.group * shape_.inputs;
  for (int64_t i = 0; i < part.columns(panel); ++i) {
    for (int64_t k = slice.begin; k < slice.end; ++k) {
      rows[(k - slice.begin) * kPanelColumns + i] = from[i * channels + k];
    }
  }
}

void DenseConvolution::MultiplySlice(const Part& part, const Slice& slice,
                                     Workspace& workspace,
                                     uint16_t* output) const {
  const int64_t inner = shape_.inner(), rows = slice.end - slice.begin;
  const float* const packed =
      packed_.data() + part.group * PackedRowsSize(shape_.outputs, inner);
  for (int64_t block = part.first_block; block < part.last_block; ++block) {
    for (int64_t p = 0; p < part.panels(); ++p) {
      // Of one slice, sums are finished at once.
      const int64_t at =
          rows == inner
              ? 0
              : ((block - part.first_block) * kPanelsAtOnce + p) * kTile;
      float* const sums = workspace.sums + at;
      float* const tile = workspace.partial + at;
      MultiplyPanel(packed + (block * inner + slice.begin) * kRowBlock,
                    workspace.panels + p * rows * kPanelColumns, rows,
                    /*adds=*/!slice.begins_tile, tile);
      if (is_tiled() && slice.ends_tile) {
        AddTile(tile, slice.end <= inner_at_once_,
                part.group * shape_.outputs + block * kRowBlock, sums);
      }
      if (slice.end == inner) Finish(part, sums, block, p, output);
    }
  }
}

void DenseConvolution::AddTile(float* tile, bool is_first,
                               int64_t first_channel, float* sums) const {
  uint16_t halves[kPanelColumns];
  const int64_t channels = static_cast<int64_t>(epilogues_.size());
  const int64_t rows = std::min(kRowBlock, channels - first_channel);
  for (int64_t row = 0; row < rows; ++row) {
    float* const sum = sums + row * kPanelColumns;
    float* const added = tile + row * kPanelColumns;
    FinishHalf(added, (is_first ? first_ : rest_)[first_channel + row],
               kPanelColumns, halves);
    WidenHalf(halves, kPanelColumns, is_first ? sum : added);
    if (is_first) continue;
    for (int64_t i = 0; i < kPanelColumns; ++i) sum[i] += added[i];
    FinishHalf(sum, {}, kPanelColumns, halves);
    WidenHalf(halves, kPanelColumns, sum);
  }
}

void DenseConvolution::Finish(const Part& part, const float* sums,
                              int64_t block, int64_t panel,
                              uint16_t* output) const {
  const int64_t plane = shape_.output_plane();
  const int64_t channels = shape_.groups * shape_.outputs;
  const int64_t columns = part.columns(panel);
  const int64_t pixel = part.first_pixel + panel * kPanelColumns;
  const int64_t rows = std::min(kRowBlock, shape_.outputs - block * kRowBlock);
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t channel =
        part.group * shape_.outputs + block * kRowBlock + row;
    const float* const from = sums + row * kPanelColumns;
    if (!shape_.pixels_first) {
      FinishHalf(from, epilogues_[channel], columns,
                 output + (part.image * channels + channel) * plane + pixel);
      continue;
    }
    uint16_t finished[kPanelColumns];
    FinishHalf(from, epilogues_[channel], columns, finished);
    uint16_t* const to =
        output + (part.image * plane + pixel) * channels + channel;
    for (int64_t i = 0; i < columns; ++i) to[i * channels] = finished[i];
  }
}

}  // namespace dovetail::host
