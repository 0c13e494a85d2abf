#include "dovetail/backends/cpu/kernels/integer/bytes/bytes.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
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
#include "dovetail/backends/cpu/kernels/integer/finish-inl.h"
#include "dovetail/backends/cpu/kernels/integer/multiply-inl.h"
#endif

#ifndef DOVETAIL_INTEGER_BYTES_ONCE
#define DOVETAIL_INTEGER_BYTES_ONCE
namespace dovetail::cpu {
namespace {

// Weights that stay in the L1 cache beside data and sums: 16 KiB.
constexpr int64_t kPartBytes = 16 << 10;
// With fewer pixels, looking for runs that are exact takes too long.
constexpr int64_t kFewPixels = 16;

}  // namespace
}  // namespace dovetail::cpu
#endif  // DOVETAIL_INTEGER_BYTES_ONCE

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32

void CopyTile(const DirectPlan& plan, const DirectItem& item,
              const uint8_t* input, const ByteScratch& scratch) {
  const WindowAxis &rows = plan.shape.rows, &columns = plan.shape.columns;
  const int32_t zero_point = UnsignedZeroPoint(plan.shape);
  const uint8_t sign = plan.shape.input_type == ElementType::kI8 ? 128 : 0;
  const WidenedRow row(item.left, plan.columns.unit, plan.columns.places,
                       columns.input, zero_point);
  const int64_t elements = plan.columns.places * plan.lanes;
  std::fill_n(scratch.greatest, plan.blocks * kChannelBlock,
              static_cast<uint8_t>(zero_point));
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
      const int64_t plane = item.n * plan.blocks + b;
      const uint8_t* const from =
          input + (plane * rows.input + y) * columns.input * kChannelBlock;
      CopyRow(row, plan.lanes, sign, from, to,
              scratch.greatest + b * kChannelBlock);
    }
  }
  for (int64_t b = 0; b < plan.blocks; ++b) {
    const uint8_t* const channels = scratch.greatest + b * kChannelBlock;
    scratch.greatest[b] = *std::max_element(channels, channels + kChannelBlock);
  }
}

void WidenBlock(const DirectPlan& plan, const DirectItem& item, int64_t block,
                const ByteScratch& scratch) {
  constexpr hn::FixedTag<uint8_t, 16> bytes;
  const int64_t elements = plan.columns.places * plan.lanes;
  const int64_t height = plan.rows.PlacesOf(item.height);
  for (int64_t i = 0; i < height; ++i) {
    const int64_t first = (i * plan.blocks + block) * elements;
    const uint8_t* const from = scratch.tile + first;
    int16_t* const to = scratch.wide + first;
    int64_t j = 0;
    for (; j + 16 <= elements; j += 16) {
      hn::StoreU(hn::PromoteTo(kPairTag, hn::LoadU(bytes, from + j)), kPairTag,
                 to + j);
    }
    for (; j < elements; ++j) to[j] = from[j];
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
    limits_ = reinterpret_cast<const uint8_t*>(packed + at.limits) +
              panel * plan.window_runs();
    small_.weights = reinterpret_cast<const int8_t*>(packed + at.bytes) + first;
    small_.starts = reinterpret_cast<const int32_t*>(packed + at.starts) +
                    panel * 2 * kChannelBlock;
    small_.runs = scratch.small_runs;
    small_.steps = plan.run_pairs / 2;
    great_.weights =
        reinterpret_cast<const int16_t*>(packed + at.pairs) + first;
    great_.runs = scratch.great_runs;
    great_.steps = plan.run_pairs;
    great_.adds = true;
    small_.pixel_step = great_.pixel_step = plan.columns.step * plan.lanes;
    small_.block_step = great_.block_step = DirectPlan::kPixels * kChannelBlock;
    FindRuns();
  }

  // Several rows where they are short.
  void Compute(const Finish* finishes) {
    const int64_t width = item_.width;
    const int64_t most = std::max<int64_t>(1, DirectPlan::kPixels / width);
    for (int64_t y = 0; y < item_.height; y += most) {
      const int64_t rows = std::min(most, item_.height - y);
      for (int64_t x = 0; x < width; x += DirectPlan::kPixels) {
        const int64_t count = std::min(DirectPlan::kPixels, width - x);
        MultiplySmall(y, rows, x, count);
        MultiplyGreat(y, rows, x, count);
        for (int64_t i = 0; i < rows; ++i) {
          Store(y + i, x, count, SumsOf(i, count), finishes);
        }
      }
    }
  }

 private:
  // By the weights' limits.
  void FindRuns() {
    WindowRun* small = scratch_.small_runs;
    WindowRun* great = scratch_.great_runs;
    int64_t block = 0, left = plan_.row_runs;
    for (const WindowRun& run : plan_.runs.all()) {
      if (scratch_.greatest[block] <= limits_[run.weights]) {
        *small++ = run;
      } else {
        *great++ = run;
        if (!scratch_.is_wide[block]) {
          WidenBlock(plan_, item_, block, scratch_);
        }
      }
      if (--left > 0) continue;
      left = plan_.row_runs;
      if (++block == plan_.blocks) block = 0;
    }
    small_count_ = small - scratch_.small_runs;
    great_.run_count = great - scratch_.great_runs;
  }

  int64_t DataOf(int64_t y, int64_t x) const {
    return y * plan_.rows.step * plan_.blocks * plan_.columns.places *
               plan_.lanes +
           x * small_.pixel_step;
  }
  int32_t* SumsOf(int64_t row, int64_t count) const {
    return scratch_.sums + row * count * kChannelBlock;
  }

  // A part of the weights at a time that stays in the L1 cache.
  void MultiplySmall(int64_t y, int64_t rows, int64_t x, int64_t count) {
    const int64_t part = kPartBytes / (small_.steps * 64);
    auto t = small_;
    int64_t left = small_count_;
    do {
      t.run_count = std::min(part, left);
      for (int64_t i = 0; i < rows; ++i) {
        t.data = scratch_.tile + DataOf(y + i, x);
        t.sums = SumsOf(i, count);
        MultiplyRow(t, blocks_, count);
      }
      t.runs += t.run_count;
      t.starts = nullptr;
      t.adds = true;
      left -= t.run_count;
    } while (left > 0);
  }

  void MultiplyGreat(int64_t y, int64_t rows, int64_t x, int64_t count) {
    if (great_.run_count == 0) return;
    for (int64_t i = 0; i < rows; ++i) {
      great_.data = scratch_.wide + DataOf(y + i, x);
      great_.sums = SumsOf(i, count);
      MultiplyRow(great_, blocks_, count);
    }
  }

  void Store(int64_t y, int64_t x, int64_t count, const int32_t* sums,
             const Finish* finishes) const {
    const WindowAxis &rows = plan_.shape.rows, &columns = plan_.shape.columns;
    for (int64_t b = 0; b < blocks_; ++b) {
      const int64_t plane = item_.n * plan_.output_blocks + 2 * panel_ + b;
      const int64_t row = plane * rows.output + item_.y + y;
      finishes[b].Store(sums + b * small_.block_step,
                        (row * columns.output + item_.x + x) * kChannelBlock,
                        count);
    }
  }

  const DirectPlan& plan_;
  const DirectItem& item_;
  const int64_t panel_;
  const ByteScratch& scratch_;
  int64_t blocks_;
  const uint8_t* limits_;
  MultiplyArguments<ByteProducts> small_;
  int64_t small_count_ = 0;
  MultiplyArguments<PairProducts> great_;
};

void Run(const DirectPlan& plan, const IntegerConvolutionOperands& operands,
         int64_t first, int64_t count, void* memory) {
  const ByteScratch scratch(plan, memory);
  for (int64_t number = first; number < first + count; ++number) {
    const DirectItem item(plan, number);
    if (number == first || item.first_panel == 0) {
      CopyTile(plan, item, static_cast<const uint8_t*>(operands.input),
               scratch);
    }
    for (int64_t i = 0; i < item.panels; ++i) {
      const int64_t panel = item.first_panel + i;
      const auto finish_of = [&](int64_t b) {
        const int64_t block = std::min(2 * panel + b, plan.output_blocks - 1);
        return Finish(operands, block,
                      plan.shape.outputs - block * kChannelBlock);
      };
      const Finish finishes[2] = {finish_of(0), finish_of(1)};
      Panel(plan, item, panel, operands, scratch).Compute(finishes);
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
  return shape.rows.dilation == 1 && shape.columns.dilation == 1 &&
         pixels >= kFewPixels && AreMostPairsSmall(shape, weights);
}

ByteIntegerMethod::ByteIntegerMethod(const IntegerConvolutionShape& shape,
                                     int threads)
    : plan_(shape, threads, /*of_bytes=*/true),
      weights_(plan_),
      form_(absl::StrCat("bytes ", plan_.run_pairs, " of ",
                         UnsignedZeroPoint(shape), plan_.TapsForm())) {}

int64_t ByteIntegerMethod::scratch_bytes() const {
  return ByteScratch(plan_, nullptr).bytes;
}

void ByteIntegerMethod::Run(const IntegerConvolutionOperands& operands,
                            int64_t first, int64_t count, void* scratch) const {
  HWY_DYNAMIC_DISPATCH(Run)(plan_, operands, first, count, scratch);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
