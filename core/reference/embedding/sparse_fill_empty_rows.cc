#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/reference/embedding/embedding.h"

namespace dovetail {
namespace {

// An element of the result: where its value comes from and where it lies.
struct Entry {
  int64_t source;  // -1: the default value
  int64_t row, column;
};

// All entries row by row, each row from the left.
std::vector<Entry> Entries(const std::vector<int64_t>& indices, int64_t rows) {
  std::vector<int64_t> order(indices.size() / 2);
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return std::tie(indices[2 * a], indices[2 * a + 1]) <
           std::tie(indices[2 * b], indices[2 * b + 1]);
  });
  std::vector<Entry> entries;
  size_t next = 0;
  for (int64_t row = 0; row < rows; ++row) {
    if (next == order.size() || indices[2 * order[next]] != row) {
      entries.push_back({-1, row, 0});
    }
    for (; next < order.size() && indices[2 * order[next]] == row; ++next) {
      entries.push_back({order[next], row, indices[2 * order[next] + 1]});
    }
  }
  return entries;
}

template <typename T>
void WriteIndices(const std::vector<Entry>& entries, const Tensor& output) {
  T* out = output.mutable_data<T>();
  for (const Entry& entry : entries) {
    *out++ = static_cast<T>(entry.row);
    *out++ = static_cast<T>(entry.column);
  }
}

void WriteEmptyRows(const std::vector<Entry>& entries, const Tensor& output) {
  uint8_t* const empty = output.mutable_data<uint8_t>();
  for (const Entry& entry : entries) empty[entry.row] = entry.source < 0;
}

}  // namespace

absl::Status SparseFillEmptyRowsKernel(KernelContext& context) {
  const std::vector<Entry> entries =
      Entries(ToInt64Vector(context.input(2)),
              context.input(1).ElementAsInt64(0));
  if (context.output(1).element_count() !=
      static_cast<int64_t>(entries.size())) {
    return context.Error("there are ", entries.size(), " values, want ",
                         context.output(1).element_count());
  }
  DOVETAIL_RETURN_IF_ERROR(DispatchIndex(
      context.output(0).type(), context, [&](auto tag) {
        WriteIndices<typename decltype(tag)::type>(entries, context.output(0));
        return absl::OkStatus();
      }));
  WriteEmptyRows(entries, context.output(2));
  return DispatchBySize(context.output(1).type(), context, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* const values = context.input(0).data<T>();
    const T* const filling = context.input(3).data<T>();
    T* out = context.output(1).mutable_data<T>();
    for (const Entry& entry : entries) {
      *out++ = entry.source < 0 ? *filling : values[entry.source];
    }
    return absl::OkStatus();
  });
}

}  // namespace dovetail
