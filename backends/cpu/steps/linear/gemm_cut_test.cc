#include "dovetail/backends/cpu/steps/linear/gemm_cut.h"

#include <algorithm>
#include <cstdint>

#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

GemmStepOptions OptionsOf(int64_t rows, int64_t depth, int64_t columns,
                          int threads) {
  GemmStepOptions options;
  options.shapes.batch = 1;
  options.shapes.rows = rows;
  options.shapes.depth = depth;
  options.shapes.columns = columns;
  options.threads = threads;
  return options;
}

TEST(GemmCutTest, PartsCoverTheRowsOnce) {
  for (const int64_t rows : {1, 5, 12, 13, 131, 133, 602, 3136}) {
    SCOPED_TRACE(rows);
    const GemmCut cut = GemmCutOf(OptionsOf(rows, 64, 192, 2));
    EXPECT_EQ(cut.RowBegin(0), 0);
    EXPECT_EQ(cut.RowBegin(cut.row_parts), rows);
    for (int64_t i = 0; i < cut.row_parts; ++i) {
      EXPECT_LT(cut.RowBegin(i), cut.RowBegin(i + 1));
      EXPECT_LE(cut.RowBegin(i + 1) - cut.RowBegin(i), kGemmRowsAtATime);
    }
  }
}

// 602 rows are five times as many as are computed together: of five parts one
// of two threads would have three.
TEST(GemmCutTest, ThreadsHaveAboutEquallyManyRows) {
  for (const int threads : {2, 3, 4}) {
    SCOPED_TRACE(threads);
    const GemmCut cut = GemmCutOf(OptionsOf(602, 768, 192, threads));
    ASSERT_EQ(cut.row_parts * cut.panel_parts % threads, 0);
    int64_t least = cut.rows, most = 0;
    for (int64_t i = 0; i < cut.row_parts; ++i) {
      const int64_t rows = cut.RowBegin(i + 1) - cut.RowBegin(i);
      least = std::min(least, rows);
      most = std::max(most, rows);
    }
    EXPECT_LE(most, least + 2 * cut.tile_rows);
  }
}

// Of as few columns as rows the threads have rows, of more they have columns.
TEST(GemmCutTest, FewColumnsStayTogether) {
  EXPECT_GE(GemmCutOf(OptionsOf(128, 512, 128, 2)).row_parts, 2);
  EXPECT_EQ(GemmCutOf(OptionsOf(128, 512, 1024, 2)).row_parts, 1);
  EXPECT_EQ(GemmCutOf(OptionsOf(128, 512, 128, 1)).row_parts, 1);
}

}  // namespace
}  // namespace dovetail::cpu
