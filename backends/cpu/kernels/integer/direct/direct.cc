#include "dovetail/backends/cpu/kernels/integer/direct/direct.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "dovetail/backends/cpu/kernels/common/channel_block.h"
#include "dovetail/backends/cpu/kernels/integer/direct/direct_item.h"
#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/integer/direct/direct.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because they are included once per target.
#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32
#include "dovetail/backends/cpu/kernels/integer/direct/compute_rows-inl.h"
#include "dovetail/backends/cpu/kernels/integer/multiply-inl.h"
#include "dovetail/backends/cpu/kernels/integer/widen-inl.h"
#endif

#ifndef DOVETAIL_INTEGER_DIRECT_ONCE
#define DOVETAIL_INTEGER_DIRECT_ONCE
namespace dovetail::cpu {
namespace {

// Weights that stay in the L1 cache beside data and sums: some 16 KiB.
constexpr int64_t kPartElements = 8 << 10;

}  // namespace
}  // namespace dovetail::cpu
#endif  // DOVETAIL_INTEGER_DIRECT_ONCE

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32

template <class Byte>
void WidenTile(const DirectPlan& plan, const DirectItem& item,
               const IntegerConvolutionOperands& operands, int16_t* tile) {
  const WindowAxis &rows = plan.shape.rows, &columns = plan.shape.columns;
  const WidenedRow row(item.left, plan.columns.unit, plan.columns.places,
                       columns.input, plan.shape.zero_point);
  const int64_t elements = plan.columns.places * plan.lanes;
  const int64_t height = plan.rows.PlacesOf(item.height);
  for (int64_t i = 0; i < height; ++i) {
    const int64_t y = item.top + i * plan.rows.unit;
    if (y < 0 || y >= rows.input) {
      tile += plan.blocks * elements;  // no run reads it
      continue;
    }
    for (int64_t b = 0; b < plan.blocks; ++b, tile += elements) {
      const int64_t row_bytes = columns.input * kChannelBlock;
      const uint8_t* const block = operands.BlockOfInput(
          item.n * plan.blocks + b, rows.input * row_bytes);
      WidenRow<Byte>(row, plan.lanes, block + y * row_bytes, tile);
    }
  }
}

// One panel of outputs of all pixels of a work item.
class Panel {
 public:
  Panel(const DirectPlan& plan, const DirectItem& item, int64_t panel,
        const IntegerConvolutionOperands& operands, const int16_t* tile,
        int32_t* sums)
      : plan_(plan), item_(item), panel_(panel), tile_(tile), sums_(sums) {
    blocks_ = std::min<int64_t>(2, plan.output_blocks - 2 * panel);
    t_.pixel_step = plan.columns.step * plan.lanes;
    t_.steps = plan.run_pairs;
    t_.weights = static_cast<const int16_t*>(operands.weights) +
                 panel * 2 * kChannelBlock * plan.pairs() * 2;
    t_.block_step = DirectPlan::kPixels * kChannelBlock;
  }

  void Compute(const IntegerConvolutionOperands& operands) {
    ComputeRows(plan_, item_, panel_, operands, sums_,
                [this](int64_t y, int64_t rows, int64_t x, int64_t count)
                    HWY_ATTR { Multiply(y, rows, x, count); });
  }

 private:
  // Weights are read from memory once for all these pixels, a part at a time
  // that stays in the L1 cache.
  void Multiply(int64_t y, int64_t rows, int64_t x, int64_t count) {
    const int64_t runs = plan_.window_runs();
    const int64_t part =
        rows * count > MostPixels(blocks_) ? EvenPart(runs) : runs;
    for (int64_t first = 0; first < runs; first += part) {
      t_.adds = first > 0;
      for (int64_t i = 0; i < rows; ++i) {
        MultiplyPart(y + i, x, x + count, first, first + part,
                     sums_ + i * count * kChannelBlock);
      }
    }
  }

  // Of about equal parts, since each begins and ends with all sums.
  int64_t EvenPart(int64_t runs) const {
    const int64_t some = kPartElements / (plan_.run_pairs * 32);
    return DivideUp(runs, std::max<int64_t>(1, (runs + some / 2) / some));
  }

  // Runs [first, last) of a row's pixels [begin, end).
  void MultiplyPart(int64_t y, int64_t begin, int64_t end, int64_t first,
                    int64_t last, int32_t* sums) {
    const int16_t* const row = tile_ + y * plan_.tile_step();
    const auto is_before = [](const WindowRun& run, int64_t number) {
      return run.weights < number;
    };
    for (const RunLists::Segment& segment : plan_.runs.segments()) {
      const int64_t from = std::max(begin, segment.begin - item_.x);
      const int64_t to = std::min(end, segment.end - item_.x);
      if (from >= to) continue;
      const auto runs = plan_.runs.Of(item_.y + y, segment);
      const auto first_run =
          first == 0
              ? runs.begin()
              : std::lower_bound(runs.begin(), runs.end(), first, is_before);
      const auto last_run =
          last >= plan_.window_runs()
              ? runs.end()
              : std::lower_bound(first_run, runs.end(), last, is_before);
      if (t_.adds && first_run == last_run) continue;
      t_.runs = &*first_run;
      t_.run_count = last_run - first_run;
      t_.data = row + from * t_.pixel_step;
      t_.sums = sums + (from - begin) * kChannelBlock;
      MultiplyRow(t_, blocks_, to - from);
    }
  }

  const DirectPlan& plan_;
  const DirectItem& item_;
  const int64_t panel_;
  const int16_t* const tile_;
  int32_t* const sums_;
  int64_t blocks_;
  MultiplyArguments<PairProducts> t_;
};

void Run(const DirectPlan& plan, const IntegerConvolutionOperands& operands,
         int64_t first, int64_t count, void* scratch) {
  int16_t* const tile = static_cast<int16_t*>(scratch);
  int32_t* const sums = reinterpret_cast<int32_t*>(tile + plan.tile_room());
  for (int64_t number = first; number < first + count; ++number) {
    const DirectItem item(plan, number);
    if (number == first || item.first_panel == 0) {
      if (plan.shape.input_type == ElementType::kI8) {
        WidenTile<int8_t>(plan, item, operands, tile);
      } else {
        WidenTile<uint8_t>(plan, item, operands, tile);
      }
    }
    for (int64_t i = 0; i < item.panels; ++i) {
      Panel(plan, item, item.first_panel + i, operands, tile, sums)
          .Compute(operands);
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

DirectIntegerMethod::DirectIntegerMethod(const IntegerConvolutionShape& shape,
                                         int threads)
    : PlannedIntegerMethod(shape, threads) {
  form_ = absl::StrCat(plan_.lanes == kChannelBlock ? "direct" : "direct rows",
                       plan_.TapsForm());
}

void DirectIntegerMethod::Run(const IntegerConvolutionOperands& operands,
                              int64_t first, int64_t count,
                              void* scratch) const {
  HWY_DYNAMIC_DISPATCH(Run)(plan_, operands, first, count, scratch);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
