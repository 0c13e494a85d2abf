// Convolutions of f16 tensors by products of blocks.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_DENSE_DENSE_CONVOLUTION_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_DENSE_DENSE_CONVOLUTION_H_

#include <cstdint>
#include <vector>

#include "dovetail/backends/common/kernels/dense/dense_gather.h"
#include "dovetail/backends/common/kernels/dense/half_rows.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/ops/common/window.h"

namespace dovetail::host {

// Numbers lie in memory by channel, rows, columns, for each image. A product of
// a matrix {rows, inner} with constants is one of an image of `rows` columns
// whose pixels lie one behind the other: `pixels_first`.
struct DenseShape {
  int64_t images = 1, groups = 1;
  int64_t inputs = 1, outputs = 1;  // channels of a group
  WindowAxis y, x;
  bool pixels_first = false;

  int64_t inner() const { return inputs * y.kernel * x.kernel; }
  int64_t input_count() const {
    return images * groups * inputs * y.input * x.input;
  }
  int64_t output_plane() const { return y.output * x.output; }
};

// How the products of one output are added up. By default all in f32.
struct DenseSums {
  // Input channels whose products are added in f32; the result takes its scale,
  // the first one its shift, and is rounded to f16, as each sum of two such is.
  // 0: all of a group.
  int64_t inputs_at_once = 0;
  // Each product and each sum is rounded to f16, without regard to the above.
  bool in_half = false;
};

// Immutable. Sums are f32 unless DenseSums says otherwise, in one order
// whatever the processor and the number of threads: see MultiplyPanel.
class DenseConvolution {
 public:
  // `weights` are {groups, outputs, inputs, y.kernel, x.kernel}; `epilogues`
  // one for each output channel of all groups.
  DenseConvolution(const DenseShape& shape, const float* weights,
                   std::vector<HalfEpilogue> epilogues,
                   const DenseSums& sums = {});

  // Of f32 numbers that Run needs beside.
  int64_t scratch_count() const { return shape_.input_count() + kGatherSlack; }

  // Bits of f16 numbers, dense.
  void Run(const uint16_t* input, uint16_t* output, float* scratch,
           WorkTeam& team) const;

 private:
  // Of the output: pixels and blocks of channels that one thread does at once.
  struct Part {
    int64_t image, group, first_pixel, pixels, first_block, last_block;

    int64_t panels() const;
    int64_t columns(int64_t panel) const;
  };
  // Rows of all panels that are multiplied before the next ones are gathered.
  struct Slice {
    int64_t begin, end;
    bool begins_tile, ends_tile;  // of inner_at_once_
  };
  // What a part works in, of its thread.
  struct Workspace;

  int64_t BlocksPerPart(int threads) const;
  Part PartOf(int64_t index, int64_t blocks_per_part) const;
  Slice SliceAt(int64_t begin) const;
  void RunPart(const Part& part, const float* wide, uint16_t* output) const;
  void Gather(const Part& part, const Slice& slice, const float* wide,
              Workspace& workspace) const;
  void GatherColumns(const Part& part, int64_t panel, const Slice& slice,
                     const float* wide, float* rows) const;
  void MultiplySlice(const Part& part, const Slice& slice, Workspace& workspace,
                     uint16_t* output) const;
  // Of a block of output channels, the first of which is one of all groups':
  // adds the sums of a tile, all of them rounded.
  void AddTile(float* tile, bool is_first, int64_t first_channel,
               float* sums) const;
  void Finish(const Part& part, const float* sums, int64_t block, int64_t panel,
              uint16_t* output) const;

  bool is_tiled() const { return inner_at_once_ < shape_.inner(); }

  const DenseShape shape_;
  const int64_t row_blocks_;  // of one group
  const int64_t pixel_parts_;
  std::vector<float> packed_;
  // Rows of the inner extent that are added in f32.
  const int64_t inner_at_once_;
  const int64_t slice_rows_;
  // Of the first rows, of the others, and of all together.
  std::vector<HalfEpilogue> first_, rest_, epilogues_;
};

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_DENSE_DENSE_CONVOLUTION_H_
