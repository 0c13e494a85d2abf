#include <algorithm>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/embedding/embedding.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/embedding/embedding.h"

namespace dovetail {
namespace {

// Which rows of the table make up which bag.
struct Bags {
  std::vector<int64_t> rows;    // those of a bag side by side
  std::vector<int64_t> places;  // of their weights
  // Bag b is [starts[b], starts[b + 1]) of these lists.
  std::vector<int64_t> starts;
  int64_t default_row = -1;  // of empty bags; -1: none
  int weights = -1;          // the input; -1: none
};

// Input 1, the indices, each a row of the table.
absl::StatusOr<std::vector<int64_t>> Rows(const KernelContext& context) {
  std::vector<int64_t> rows = ToInt64Vector(context.input(1));
  const int64_t count = context.input(0).shape()[0];
  for (int64_t row : rows) {
    if (row >= 0 && row < count) continue;
    return context.Error("input 1 (indices) has ", row, ", want 0 to ",
                         count - 1, ", a row of the table");
  }
  return rows;
}

absl::Status ReadOptional(const KernelContext& context, int default_index,
                          int weights, Bags& bags) {
  if (default_index > 0 && context.has_input(default_index)) {
    bags.default_row = context.input(default_index).ElementAsInt64(0);
    const int64_t count = context.input(0).shape()[0];
    if (bags.default_row < -1 || bags.default_row >= count) {
      return context.Error("input ", default_index, " (default_index) is ",
                           bags.default_row, ", want -1 to ", count - 1);
    }
  }
  if (context.has_input(weights)) bags.weights = weights;
  return absl::OkStatus();
}

std::vector<int64_t> Counting(int64_t count) {
  std::vector<int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), int64_t{0});
  return numbers;
}

// The sum of the rows of a bag, or their mean, in `out`.
template <typename T>
void FillBag(const KernelContext& context, const Bags& bags, int64_t bag,
             bool mean, int64_t length, T* out) {
  const T* const table = context.input(0).data<T>();
  const int64_t begin = bags.starts[bag], end = bags.starts[bag + 1];
  if (begin == end && bags.default_row >= 0) {
    std::copy_n(table + bags.default_row * length, length, out);
    return;
  }
  std::fill_n(out, length, T{0});
  for (int64_t i = begin; i < end; ++i) {
    const T* const row = table + bags.rows[i] * length;
    if (bags.weights < 0) {
      for (int64_t k = 0; k < length; ++k) out[k] += row[k];
    } else {
      const T weight = context.input(bags.weights).data<T>()[bags.places[i]];
      for (int64_t k = 0; k < length; ++k) out[k] += row[k] * weight;
    }
  }
  if (!mean || begin == end) return;
  // Sums are unsigned where the elements are i64.
  using Number =
      std::conditional_t<std::is_integral_v<T>, int64_t, T>;
  const bool is_signed = IsSigned(context.input(0).type());
  const Number count = static_cast<Number>(end - begin);
  for (int64_t k = 0; k < length; ++k) {
    out[k] = is_signed
                 ? static_cast<T>(static_cast<Number>(out[k]) / count)
                 : out[k] / static_cast<T>(count);
  }
}

absl::Status FillBags(KernelContext& context, const Bags& bags) {
  const int64_t count = static_cast<int64_t>(bags.starts.size()) - 1;
  const bool mean = BagReductionOf(context.node()) == BagReduction::kMean;
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    const int64_t length = wide.output(0).element_count() / count;
    const int64_t size = static_cast<int64_t>(bags.rows.size()) / count + 1;
    return DispatchWideArithmetic(
        wide.input(0).type(), wide, [&](auto tag) {
          using T = typename decltype(tag)::type;
          T* const out = wide.output(0).mutable_data<T>();
          ParallelLoop(wide, count, size * length,
                       [&](int64_t bag, int64_t end) {
                         for (; bag < end; ++bag) {
                           FillBag(wide, bags, bag, mean, length,
                                   out + bag * length);
                         }
                       });
          return absl::OkStatus();
        });
  });
}

// Puts rows into the order of their segments.
absl::Status SortIntoSegments(const KernelContext& context,
                              std::vector<int64_t> rows, Bags& bags) {
  const std::vector<int64_t> ids = ToInt64Vector(context.input(2));
  const int64_t count = context.input(3).ElementAsInt64(0);
  bags.starts.assign(count + 1, 0);
  for (int64_t id : ids) {
    if (id < 0 || id >= count) {
      return context.Error("input 2 (segment_ids) has ", id, ", want 0 to ",
                           count - 1, " for ", count, " segments");
    }
    ++bags.starts[id + 1];
  }
  std::partial_sum(bags.starts.begin(), bags.starts.end(),
                   bags.starts.begin());
  std::vector<int64_t> next = bags.starts;
  bags.rows.resize(rows.size());
  bags.places.resize(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const int64_t to = next[ids[i]]++;
    bags.rows[to] = rows[i];
    bags.places[to] = static_cast<int64_t>(i);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status EmbeddingBagOffsetsKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  Bags bags;
  DOVETAIL_ASSIGN_OR_RETURN(bags.rows, Rows(context));
  DOVETAIL_RETURN_IF_ERROR(ReadOptional(context, 3, 4, bags));
  const int64_t total = static_cast<int64_t>(bags.rows.size());
  bags.places = Counting(total);
  bags.starts = ToInt64Vector(context.input(2));
  bags.starts.push_back(total);
  int64_t before = 0;
  for (int64_t start : bags.starts) {
    if (start < before) {
      return context.Error("input 2 (offsets) wants ascending numbers from 0 "
                           "to ", total, ", and has ", start, " after ",
                           before);
    }
    before = start;
  }
  return FillBags(context, bags);
}

absl::Status EmbeddingBagPackedKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  Bags bags;
  DOVETAIL_ASSIGN_OR_RETURN(bags.rows, Rows(context));
  DOVETAIL_RETURN_IF_ERROR(ReadOptional(context, -1, 2, bags));
  const Shape& indices = context.input(1).shape();
  bags.places = Counting(static_cast<int64_t>(bags.rows.size()));
  bags.starts = Counting(indices[0] + 1);
  for (int64_t& start : bags.starts) start *= indices[1];
  return FillBags(context, bags);
}

absl::Status EmbeddingSegmentsKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  Bags bags;
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<int64_t> rows, Rows(context));
  DOVETAIL_RETURN_IF_ERROR(ReadOptional(context, 4, 5, bags));
  DOVETAIL_RETURN_IF_ERROR(SortIntoSegments(context, std::move(rows), bags));
  return FillBags(context, bags);
}

}  // namespace dovetail
