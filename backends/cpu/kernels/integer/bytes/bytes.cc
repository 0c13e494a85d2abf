#include "dovetail/backends/cpu/kernels/integer/bytes/bytes.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "dovetail/backends/cpu/kernels/common/channel_block.h"
#include "dovetail/backends/cpu/kernels/integer/bytes/byte_scratch.h"
#include "dovetail/backends/cpu/kernels/integer/direct/direct_item.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/integer/bytes/bytes.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because they are included once per target.
#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32
#include "dovetail/backends/cpu/kernels/integer/bytes/copy_bytes-inl.h"
#include "dovetail/backends/cpu/kernels/integer/bytes/multiply_bytes-inl.h"
#include "dovetail/backends/cpu/kernels/integer/direct/compute_rows-inl.h"
#include "dovetail/backends/cpu/kernels/integer/multiply-inl.h"
#endif

#ifndef DOVETAIL_INTEGER_BYTES_ONCE
#define DOVETAIL_INTEGER_BYTES_ONCE
namespace dovetail::cpu {
namespace {

// Weights that stay in the L1 cache beside data and sums: 16 KiB.
constexpr int64_t kPartBytes = 16 << 10;
// With fewer pixels, looking for runs that are exact and multiplying these and
// the others takes too long; where many weights are great, so that more depends
// on the data, with fewer than that. Of networks of uniform weights, one of
// mostly 16 and 49 pixels a layer was slower by a seventh when all were
// multiplied so, and one of 169 and 49 faster by a fourth, of which a twentieth
// is that of 49, whose weights come from memory in half as many bytes. With
// AVX2 on an EPYC of family 25.
constexpr int64_t kFewPixels = 16, kSomePixels = 40;
// Sums of four save so little time of so many runs that a pass over the sums
// takes longer.
constexpr int64_t kFewRuns = 6;
// Taps in padding are multiplied here, and left out by DirectIntegerMethod: of
// dilated windows, which have many, so many have to be in the picture.
constexpr double kTapsInside = 0.75;

double ShareOfTapsInside(const WindowAxis& axis) {
  int64_t taps = 0;
  for (int64_t i = 0; i < axis.output; ++i) {
    const TapRange inside = TapsInside(axis, i);
    taps += inside.end - inside.begin;
  }
  return static_cast<double>(taps) /
         static_cast<double>(axis.output * axis.kernel);
}

bool AreMostTapsInside(const IntegerConvolutionShape& shape) {
  return (shape.rows.dilation == 1 && shape.columns.dilation == 1) ||
         ShareOfTapsInside(shape.rows) * ShareOfTapsInside(shape.columns) >=
             kTapsInside;
}

}  // namespace
}  // namespace dovetail::cpu
#endif  // DOVETAIL_INTEGER_BYTES_ONCE

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32

// A block's numbers by the least of them: what is smaller is sooner exact. From
// what its channels reach to what the block does.
void Lower(const DirectPlan& plan, const DirectItem& item, int64_t block,
           const ByteScratch& scratch) {
  const int64_t first = block * kChannelBlock;
  const uint8_t least = *std::min_element(
      scratch.least + first, scratch.least + first + kChannelBlock);
  const uint8_t greatest = *std::max_element(
      scratch.greatest + first, scratch.greatest + first + kChannelBlock);
  scratch.least[block] = least;
  scratch.greatest[block] = greatest - least;
  if (least == 0) return;
  const int64_t elements = plan.columns.places * plan.lanes;
  const int64_t height = plan.rows.PlacesOf(item.height);
  for (int64_t i = 0; i < height; ++i) {
    uint8_t* const row = scratch.tile + (i * plan.blocks + block) * elements;
    for (int64_t j = 0; j < elements; ++j) row[j] -= least;
  }
}

// The integer that is 0 when integers of the input are unsigned: signed ones
// are made so by adding 128.
int32_t UnsignedZeroPoint(const IntegerConvolutionShape& shape) {
  return shape.zero_point + (shape.input_type == ElementType::kI8 ? 128 : 0);
}

void CopyTile(const DirectPlan& plan, const DirectItem& item,
              const IntegerConvolutionOperands& operands,
              const ByteScratch& scratch) {
  const WindowAxis &rows = plan.shape.rows, &columns = plan.shape.columns;
  const int32_t zero_point = UnsignedZeroPoint(plan.shape);
  const uint8_t sign = plan.shape.input_type == ElementType::kI8 ? 128 : 0;
  const WidenedRow row(item.left, plan.columns.unit, plan.columns.places,
                       columns.input, zero_point);
  const int64_t elements = plan.columns.places * plan.lanes;
  const int64_t channels = plan.blocks * kChannelBlock;
  std::fill_n(scratch.least, channels, static_cast<uint8_t>(zero_point));
  std::fill_n(scratch.greatest, channels, static_cast<uint8_t>(zero_point));
  std::fill_n(scratch.is_wide, plan.blocks, false);
  uint8_t* to = scratch.tile;
  const int64_t height = plan.rows.PlacesOf(item.height);
  for (int64_t i = 0; i < height; ++i) {
    const int64_t y = item.top + i * plan.rows.unit;
    if (y < 0 || y >= rows.input) {
      to = std::fill_n(to, plan.blocks * elements,
                       static_cast<uint8_t>(zero_point));
      continue;
    }
    for (int64_t b = 0; b < plan.blocks; ++b, to += elements) {
      const int64_t row_bytes = columns.input * kChannelBlock;
      const uint8_t* const block = operands.BlockOfInput(
          item.n * plan.blocks + b, rows.input * row_bytes);
      CopyRow(row, plan.lanes, sign, block + y * row_bytes, to,
              scratch.least + b * kChannelBlock,
              scratch.greatest + b * kChannelBlock);
    }
  }
  for (int64_t b = 0; b < plan.blocks; ++b) Lower(plan, item, b, scratch);
}

// In the order of WidenWeights.
void WidenFours(const uint8_t* from, int64_t count, int16_t* to) {
  constexpr hn::FixedTag<uint16_t, 8> halves;
  constexpr hn::FixedTag<uint32_t, 4> words;
  constexpr hn::FixedTag<uint8_t, 16> bytes;
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const auto fours = hn::BitCast(halves, hn::LoadU(bytes, from + i));
    const auto even =
        hn::BitCast(words, hn::And(fours, hn::Set(halves, uint16_t{255})));
    const auto odd = hn::BitCast(words, hn::ShiftRight<8>(fours));
    auto* const at = reinterpret_cast<uint32_t*>(to + i);
    hn::StoreU(hn::InterleaveLower(words, even, odd), words, at);
    hn::StoreU(hn::InterleaveUpper(words, even, odd), words, at + 4);
  }
  for (; i < count; i += 4) {
    to[i] = from[i];
    to[i + 1] = from[i + 2];
    to[i + 2] = from[i + 1];
    to[i + 3] = from[i + 3];
  }
}

void WidenBlock(const DirectPlan& plan, const DirectItem& item, int64_t block,
                const ByteScratch& scratch) {
  const int64_t elements = plan.columns.places * plan.lanes;
  const int64_t height = plan.rows.PlacesOf(item.height);
  for (int64_t i = 0; i < height; ++i) {
    const int64_t first = (i * plan.blocks + block) * elements;
    WidenFours(scratch.tile + first, elements, scratch.wide + first);
  }
  scratch.is_wide[block] = true;
}

// One panel of outputs of all pixels of a work item.
class Panel {
 public:
  Panel(const DirectPlan& plan, const DirectItem& item, int64_t panel,
        const IntegerConvolutionOperands& operands, const ByteScratch& scratch)
      : plan_(plan), item_(item), panel_(panel), scratch_(scratch) {
    const ByteWeights at(plan);
    const char* const packed = static_cast<const char*>(operands.weights);
    const int64_t first = panel * 2 * kChannelBlock * plan.pairs() * 2;
    blocks_ = std::min<int64_t>(2, plan.output_blocks - 2 * panel);
    const int64_t first_run = panel * plan.window_runs();
    limits_ = reinterpret_cast<const uint8_t*>(packed + at.limits) + first_run;
    limits_of_four_ =
        reinterpret_cast<const uint8_t*>(packed + at.limits_of_four) +
        first_run;
    weights_ = reinterpret_cast<const int8_t*>(packed + at.bytes) + first;
    FindStarts(reinterpret_cast<const int32_t*>(packed + at.sums) +
               panel * 2 * kChannelBlock * plan.blocks);
    pixel_step_ = plan.columns.step * plan.lanes;
    FindRuns();
  }

  void Compute(const IntegerConvolutionOperands& operands) {
    ComputeRows(plan_, item_, panel_, operands, scratch_.sums,
                [this](int64_t y, int64_t rows, int64_t x, int64_t count)
                    HWY_ATTR { Multiply(y, rows, x, count); });
  }

 private:
  // Of the sums: what the data are less than differences from the zero point,
  // times weights, of which `sums` are those of each block of inputs.
  void FindStarts(const int32_t* sums) {
    const int32_t zero_point = UnsignedZeroPoint(plan_.shape);
    const int64_t step = blocks_ * kChannelBlock;
    SumVector starts[2] = {hn::Zero(kSumTag), hn::Zero(kSumTag)};
    for (int64_t b = 0; b < plan_.blocks; ++b, sums += step) {
      const int32_t shift = scratch_.least[b] - zero_point;
      if (shift == 0) continue;
      // Of a panel of one block, the first is read twice.
      const int32_t* const of[2] = {sums, sums + step - kChannelBlock};
      for (int i = 0; i < 2; ++i) {
        starts[i] = hn::Add(starts[i], hn::Mul(hn::Set(kSumTag, shift),
                                               hn::LoadU(kSumTag, of[i])));
      }
    }
    hn::StoreU(starts[0], kSumTag, starts_);
    hn::StoreU(starts[1], kSumTag, starts_ + kChannelBlock);
  }

  // By the weights' limits. Which list a run belongs to cannot be foreseen: it
  // is written to each, and stays in one.
  void FindRuns() {
    WindowRun* of_four = scratch_.runs_of_four;
    WindowRun* of_two = scratch_.runs_of_two;
    WindowRun* great = scratch_.great_runs;
    const bool has_eights = plan_.lanes == kChannelBlock;
    int64_t block = 0, left = plan_.row_runs;
    for (const WindowRun& run : plan_.runs.all()) {
      const uint8_t greatest = scratch_.greatest[block];
      const bool fits_four =
          has_eights && greatest <= limits_of_four_[run.weights];
      const bool fits_two = greatest <= limits_[run.weights];
      *of_four = *of_two = *great = run;
      of_four += fits_four;
      of_two += fits_two && !fits_four;
      great += !fits_two;
      if (!fits_two && !scratch_.is_wide[block]) {
        WidenBlock(plan_, item_, block, scratch_);
      }
      if (--left > 0) continue;
      left = plan_.row_runs;
      if (++block == plan_.blocks) block = 0;
    }
    // Each list is a pass over the sums.
    if (of_four - scratch_.runs_of_four <= kFewRuns &&
        of_two > scratch_.runs_of_two) {
      of_two = std::copy(scratch_.runs_of_four, of_four, of_two);
      of_four = scratch_.runs_of_four;
    }
    of_four_ = Between(scratch_.runs_of_four, of_four);
    of_two_ = Between(scratch_.runs_of_two, of_two);
    great_ = Between(scratch_.great_runs, great);
  }

  static absl::Span<const WindowRun> Between(const WindowRun* begin,
                                             const WindowRun* end) {
    return absl::MakeConstSpan(begin, end);
  }

  void Multiply(int64_t y, int64_t rows, int64_t x, int64_t count) const {
    const int64_t at = y * plan_.tile_step() + x * pixel_step_;
    bool adds = false;
    MultiplyRuns<ByteProductsOfFour>(of_four_, scratch_.tile + at, rows, count,
                                     adds);
    MultiplyRuns<ByteProducts>(of_two_, scratch_.tile + at, rows, count, adds);
    MultiplyGreat(scratch_.wide + at, rows, count, adds);
  }

  // A part of the weights at a time that stays in the L1 cache. `adds` to sums,
  // which there are from then on.
  template <class Products>
  void MultiplyRuns(absl::Span<const WindowRun> runs,
                    const typename Products::Data* data, int64_t rows,
                    int64_t count, bool& adds) const {
    const auto part = static_cast<size_t>(kPartBytes / (plan_.run_pairs * 32));
    for (; !runs.empty(); runs.remove_prefix(std::min(part, runs.size()))) {
      MultiplyPart<Products>(runs.first(std::min(part, runs.size())), weights_,
                             data, rows, count, adds);
    }
  }

  // Weights are widened for all these pixels.
  void MultiplyGreat(const int16_t* data, int64_t rows, int64_t count,
                     bool& adds) const {
    const int64_t run_weights = plan_.run_pairs * blocks_ * 16;
    int64_t in_part = 0;
    for (size_t i = 0; i < great_.size(); ++i) {
      WidenWeights(weights_ + great_[i].weights * run_weights,
                   plan_.run_pairs / 2, blocks_,
                   scratch_.wide_weights + in_part * run_weights);
      scratch_.part_runs[in_part] = {great_[i].data,
                                     static_cast<int32_t>(in_part)};
      if (++in_part < ByteScratch::kWideRuns && i + 1 < great_.size()) continue;
      MultiplyPart<PairProducts>({scratch_.part_runs, size_t(in_part)},
                                 scratch_.wide_weights, data, rows, count,
                                 adds);
      in_part = 0;
    }
  }

  template <class Products>
  void MultiplyPart(absl::Span<const WindowRun> runs,
                    const typename Products::Weight* weights,
                    const typename Products::Data* data, int64_t rows,
                    int64_t count, bool& adds) const {
    MultiplyArguments<Products> t;
    t.pixel_step = pixel_step_;
    t.runs = runs.data();
    t.run_count = static_cast<int64_t>(runs.size());
    t.steps = plan_.run_pairs * 2 / Products::kNumbers;
    t.weights = weights;
    t.starts = adds ? nullptr : starts_;
    t.adds = adds;
    t.block_step = DirectPlan::kPixels * kChannelBlock;
    for (int64_t i = 0; i < rows; ++i) {
      t.data = data + i * plan_.tile_step();
      t.sums = scratch_.sums + i * count * kChannelBlock;
      MultiplyRow(t, blocks_, count);
    }
    adds = true;
  }

  const DirectPlan& plan_;
  const DirectItem& item_;
  const int64_t panel_;
  const ByteScratch& scratch_;
  int64_t blocks_;
  const uint8_t* limits_;
  const uint8_t* limits_of_four_;
  const int8_t* weights_;
  int32_t starts_[2 * kChannelBlock];
  int64_t pixel_step_;
  absl::Span<const WindowRun> of_four_, of_two_, great_;
};

void Run(const DirectPlan& plan, const IntegerConvolutionOperands& operands,
         int64_t first, int64_t count, void* memory) {
  const ByteScratch scratch(plan, memory);
  for (int64_t number = first; number < first + count; ++number) {
    const DirectItem item(plan, number);
    if (number == first || item.first_panel == 0) {
      CopyTile(plan, item, operands, scratch);
    }
    for (int64_t i = 0; i < item.panels; ++i) {
      const int64_t panel = item.first_panel + i;
      Panel(plan, item, panel, operands, scratch).Compute(operands);
    }
  }
}

#else

void Run(const DirectPlan&, const IntegerConvolutionOperands&, int64_t, int64_t,
         void*) {}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(Run);

bool ByteIntegerMethod::IsFitting(const IntegerConvolutionShape& shape,
                                  const int8_t* weights) {
  const int64_t pixels = shape.batch * shape.rows.output * shape.columns.output;
  if (pixels < kFewPixels || !AreMostTapsInside(shape)) return false;
  return AreMostPairsSmall(shape, weights) ||
         (pixels >= kSomePixels && shape.inputs > DirectPlan::kFewChannels);
}

ByteIntegerMethod::ByteIntegerMethod(const IntegerConvolutionShape& shape,
                                     int threads)
    : plan_(shape, threads, /*of_bytes=*/true),
      weights_(plan_),
      form_(absl::StrCat("bytes with limits ", plan_.run_pairs,
                         plan_.TapsForm())) {}

int64_t ByteIntegerMethod::scratch_bytes() const {
  return ByteScratch(plan_, nullptr).bytes;
}

void ByteIntegerMethod::Run(const IntegerConvolutionOperands& operands,
                            int64_t first, int64_t count, void* scratch) const {
  HWY_DYNAMIC_DISPATCH(Run)(plan_, operands, first, count, scratch);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
