#include "dovetail/backends/common/kernels/indexing/scatter_runs.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace dovetail::host {
namespace {

bool InOrder(const ScatterRun& a, const ScatterRun& b) { return a.to < b.to; }

// Part [begin, end) of one of the batch. Data that is only replaced is copied
// between the runs, else everywhere before.
template <typename UpdateFn>
void ScatterPart(const std::vector<ScatterRun>& runs, UpdateFn update,
                 bool replaces, const char* data, const char* updates,
                 char* out, int64_t begin, int64_t end) {
  const auto copy = [&](int64_t from, int64_t to) {
    if (data != out && from < to) {
      std::memcpy(out + from, data + from, to - from);
    }
  };
  if (!replaces) copy(begin, end);
  auto run = std::partition_point(
      runs.begin(), runs.end(),
      [&](const ScatterRun& r) { return r.to + r.length <= begin; });
  int64_t done = begin;
  for (; run != runs.end() && run->to < end; ++run) {
    const int64_t first = std::max(run->to, begin);
    const int64_t last = std::min(run->to + run->length, end);
    if (replaces) copy(done, first);
    update(out + first, updates + run->from + (first - run->to), last - first);
    done = last;
  }
  if (replaces) copy(done, end);
}

}  // namespace

void AppendScatterRun(const ScatterRun& run, std::vector<ScatterRun>& runs) {
  if (!runs.empty() && runs.back().to + runs.back().length == run.to &&
      runs.back().from + runs.back().length == run.from) {
    runs.back().length += run.length;
  } else {
    runs.push_back(run);
  }
}

bool SortScatterRuns(std::vector<ScatterRun>& runs) {
  if (!std::is_sorted(runs.begin(), runs.end(), InOrder)) {
    std::sort(runs.begin(), runs.end(), InOrder);
  }
  for (size_t i = 1; i < runs.size(); ++i) {
    if (runs[i - 1].to + runs[i - 1].length > runs[i].to) return false;
  }
  return true;
}

std::optional<ScatterRuns> FindScatterRuns(const ScatterShape& shape,
                                           Indices indices, int64_t limit) {
  const int64_t bytes = shape.run_bytes;
  ScatterRuns found = {.batch = shape.batch,
                       .data_bytes = shape.Rows() * bytes,
                       .update_bytes = shape.count * bytes,
                       .runs = {}};
  for (int64_t i = 0; i < shape.count; ++i) {
    const int64_t row = shape.RowOf(indices, i);
    if (row < 0) return std::nullopt;
    AppendScatterRun({row * bytes, i * bytes, bytes}, found.runs);
    if (static_cast<int64_t>(found.runs.size()) > limit) return std::nullopt;
  }
  if (!SortScatterRuns(found.runs)) return std::nullopt;
  found.runs.shrink_to_fit();
  return found;
}

void ScatterByRuns(const ScatterRuns& runs, const ScatterUpdate& update,
                   const void* data, const void* updates, void* out,
                   int64_t begin, int64_t end) {
  const bool replaces = update.op == ScatterOp::kReplace;
  WithUpdate(update, 0, [&](auto apply) {
    while (begin < end) {
      const int64_t b = begin / runs.data_bytes;
      const int64_t at = b * runs.data_bytes;
      const int64_t last = std::min(end - at, runs.data_bytes);
      ScatterPart(runs.runs, apply, replaces,
                  static_cast<const char*>(data) + at,
                  static_cast<const char*>(updates) + b * runs.update_bytes,
                  static_cast<char*>(out) + at, begin - at, last);
      begin = at + last;
    }
  });
}

}  // namespace dovetail::host
