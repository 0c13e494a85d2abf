// The greatest or least numbers of rows, and where they are.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_TOP_K_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_TOP_K_H_

#include <cstdint>

namespace dovetail::host {

// NaN is above everything else. Of equal numbers the one with the lower index
// comes first, and is chosen.
struct TopKOptions {
  bool of_max = true;          // or of the least
  bool sort_by_index = false;  // or by value, the best first
};

// Where results go; null for what is not wanted.
struct TopKOutput {
  float* values = nullptr;
  int32_t* indices_i32 = nullptr;
  int64_t* indices_i64 = nullptr;
};

// 8-byte words of scratch memory that each thread needs.
int64_t TopKScratch(int64_t length, int64_t k);

// The best k of each of rows [begin, end) of `length` numbers each, one behind
// the other from `in` on; 1 <= k <= length < 2^31. `out` points to what belongs
// to row 0. Scratch may be null if none is needed.
void TopKRows(const float* in, int64_t length, int64_t k,
              const TopKOptions& options, const TopKOutput& out,
              uint64_t* scratch, int64_t begin, int64_t end);

// The best one along the middle axis of a dense array {outer, length, inner}:
// units [begin, end) of ColumnUnits(outer, inner), see common/columns.h.
// 1 <= length < 2^24.
void BestOfColumns(const float* in, int64_t length, int64_t inner, bool of_max,
                   const TopKOutput& out, int64_t begin, int64_t end);

// The best one of each of rows [begin, end) of `length` numbers each, one
// behind the other from `in` on; 1 <= length < 2^24. Many rows are compared
// together, which is faster than TopKRows where rows are short. Takes 17 KiB of
// stack.
void BestOfRows(const float* in, int64_t length, bool of_max,
                const TopKOutput& out, int64_t begin, int64_t end);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_TOP_K_H_
