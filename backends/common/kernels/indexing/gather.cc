#include "dovetail/backends/common/kernels/indexing/gather.h"

#include <algorithm>
#include <cstring>

namespace dovetail::host {
namespace {

// Indices that are looked at together.
constexpr int64_t kIndices = 256;

// The index from the beginning, or -1 for one that lies outside.
int64_t Inside(int64_t index, int64_t extent, bool from_end) {
  if (index < 0 && from_end) index += extent;
  return static_cast<uint64_t>(index) < static_cast<uint64_t>(extent) ? index
                                                                      : -1;
}

template <typename Index>
int64_t InsideOf(const Index* indices, int64_t count, int64_t extent,
                 bool from_end, int64_t* inside) {
  int64_t outside = 0;
  for (int64_t i = 0; i < count; ++i) {
    inside[i] = Inside(indices[i], extent, from_end);
    outside += inside[i] < 0;
  }
  return outside;
}

// The same of indices [first, first + count); returns how many lie outside.
int64_t InsideOf(Indices indices, int64_t first, int64_t count, int64_t extent,
                 bool from_end, int64_t* inside) {
  return indices.is_i64
             ? InsideOf(static_cast<const int64_t*>(indices.data) + first,
                        count, extent, from_end, inside)
             : InsideOf(static_cast<const int32_t*>(indices.data) + first,
                        count, extent, from_end, inside);
}

// Copies a run, or fills it with zeros if there is none. The size is known
// where it is that of one element, and the copy one instruction.
template <int kBytes>
struct FixedRun {
  explicit FixedRun(int64_t) {}
  void operator()(char* to, const char* from) const {
    if (from == nullptr) {
      std::memset(to, 0, kBytes);
    } else {
      std::memcpy(to, from, kBytes);
    }
  }
};
struct AnyRun {
  explicit AnyRun(int64_t bytes) : bytes(bytes) {}
  void operator()(char* to, const char* from) const {
    if (from == nullptr) {
      std::memset(to, 0, bytes);
    } else {
      std::memcpy(to, from, bytes);
    }
  }
  int64_t bytes;
};

template <typename F>
void WithRun(int64_t bytes, F f) {
  switch (bytes) {
    case 1:
      return f(FixedRun<1>(1));
    case 2:
      return f(FixedRun<2>(2));
    case 4:
      return f(FixedRun<4>(4));
    case 8:
      return f(FixedRun<8>(8));
    default:
      return f(AnyRun(bytes));
  }
}

// The runs that indices choose, one after the other.
template <typename Copy>
void CopyChosen(const char* from, int64_t bytes, const int64_t* inside,
                int64_t count, char* to, Copy copy) {
  for (int64_t j = 0; j < count; ++j, to += bytes) {
    copy(to, inside[j] < 0 ? nullptr : from + inside[j] * bytes);
  }
}

// Elements of a row, by indices that are looked at on the way: by InsideOf and
// CopyChosen they take 1.6 times as long (Zen 4). Returns how many lie outside.
template <typename Index, typename Copy>
int64_t ChooseElements(const char* from, int64_t bytes, int64_t extent,
                       const Index* indices, int64_t count, char* to,
                       Copy copy) {
  int64_t outside = 0;
  for (int64_t j = 0; j < count; ++j, to += bytes) {
    const int64_t index = Inside(indices[j], extent, true);
    outside += index < 0;
    copy(to, index < 0 ? nullptr : from + index * bytes);
  }
  return outside;
}

// GatherElements along the last axis; `to` is where element `begin` goes.
template <typename Copy>
int64_t GatherElementsOfRows(const GatherElementsShape& shape, const char* data,
                             Indices indices, char* to, int64_t begin,
                             int64_t end, Copy copy) {
  const int64_t bytes = shape.element_size;
  int64_t outside = 0, count = 0;
  for (int64_t i = begin; i < end; i += count, to += count * bytes) {
    count = std::min(shape.count - i % shape.count, end - i);
    const char* const from = data + i / shape.count * shape.extent * bytes;
    outside +=
        indices.is_i64
            ? ChooseElements(from, bytes, shape.extent,
                             static_cast<const int64_t*>(indices.data) + i,
                             count, to, copy)
            : ChooseElements(from, bytes, shape.extent,
                             static_cast<const int32_t*>(indices.data) + i,
                             count, to, copy);
  }
  return outside;
}

// Some indices, as stretches of neighbours: windows that are laid out side by
// side have long ones.
class Stretches {
 public:
  Stretches(const int64_t* inside, int64_t count) {
    for (int64_t j = 0; j < count; ++j) {
      const bool goes_on =
          j > 0 && inside[j] == inside[j - 1] + (inside[j] < 0 ? 0 : 1) &&
          (inside[j] < 0) == (inside[j - 1] < 0);
      if (!goes_on) begins_[count_++] = j;
    }
    begins_[count_] = count;
  }

  // Whether copying them takes less than copying each run by itself.
  bool AreLong() const { return begins_[count_] >= 8 * count_; }

  void Copy(const char* from, int64_t bytes, const int64_t* inside,
            char* to) const {
    for (int64_t i = 0; i < count_; ++i) {
      const int64_t begin = begins_[i];
      const int64_t size = (begins_[i + 1] - begin) * bytes;
      if (inside[begin] < 0) {
        std::memset(to + begin * bytes, 0, size);
      } else {
        std::memcpy(to + begin * bytes, from + inside[begin] * bytes, size);
      }
    }
  }

 private:
  int64_t begins_[kIndices + 1], count_ = 0;
};

// Rows of Gather: each chooses by its batch's indices.
class GatherRows {
 public:
  GatherRows(const GatherShape& shape, const char* data, Indices indices,
             char* out)
      : shape_(shape), data_(data), indices_(indices), out_(out) {}

  // Of `rows` rows of one batch, indices [first, first + count).
  template <typename CopyRun>
  void Copy(int64_t row, int64_t rows, int64_t first, int64_t count,
            CopyRun copy) const {
    const int64_t bytes = shape_.run_bytes;
    const int64_t list = row / shape_.outer * shape_.count;
    int64_t inside[kIndices];
    for (int64_t k = first; k < first + count; k += kIndices) {
      const int64_t some = std::min(kIndices, first + count - k);
      InsideOf(indices_, list + k, some, shape_.extent, shape_.from_end,
               inside);
      const Stretches stretches(inside, some);
      for (int64_t r = row; r < row + rows; ++r) {
        const char* const from = data_ + r * shape_.extent * bytes;
        char* const to = out_ + (r * shape_.count + k) * bytes;
        if (stretches.AreLong()) {
          stretches.Copy(from, bytes, inside, to);
        } else {
          CopyChosen(from, bytes, inside, some, to, copy);
        }
      }
    }
  }

 private:
  const GatherShape& shape_;
  const char* const data_;
  const Indices indices_;
  char* const out_;
};

// The run of the data that tuple `i` chooses, counted over all batches, or -1.
int64_t RunOfTuple(const GatherNdShape& shape, Indices indices, int64_t i) {
  int64_t run = i / shape.count;
  for (int k = 0; k < shape.tuple; ++k) {
    const int64_t index =
        Inside(indices[i * shape.tuple + k], shape.dims[k], true);
    if (index < 0) return -1;
    run = run * shape.dims[k] + index;
  }
  return run;
}

}  // namespace

void Gather(const GatherShape& shape, const void* data, Indices indices,
            void* out, int64_t begin, int64_t end) {
  WithRun(shape.run_bytes, [&](auto copy) {
    const GatherRows rows(shape, static_cast<const char*>(data), indices,
                          static_cast<char*>(out));
    // Rows of a batch have the same indices, but the first may begin, and the
    // last may end within.
    for (int64_t i = begin; i < end;) {
      const int64_t row = i / shape.count, k = i % shape.count;
      const int64_t whole =
          std::min((end - i) / shape.count, shape.outer - row % shape.outer);
      const bool is_whole = k == 0 && whole > 0;
      const int64_t count =
          is_whole ? shape.count : std::min(shape.count - k, end - i);
      rows.Copy(row, is_whole ? whole : 1, k, count, copy);
      i += count * (is_whole ? whole : 1);
    }
  });
}

int64_t GatherElements(const GatherElementsShape& shape, const void* data,
                       Indices indices, void* out, int64_t begin, int64_t end) {
  const int64_t bytes = shape.element_size;
  const int64_t plane = shape.count * shape.inner;
  char* to = static_cast<char*>(out) + begin * bytes;
  int64_t outside = 0;
  WithRun(bytes, [&](auto copy) {
    if (shape.inner == 1) {
      outside = GatherElementsOfRows(shape, static_cast<const char*>(data),
                                     indices, to, begin, end, copy);
      return;
    }
    int64_t inside[kIndices], count = 0;
    for (int64_t i = begin; i < end; i += count) {
      count = std::min({kIndices, plane - i % plane, end - i});
      outside += InsideOf(indices, i, count, shape.extent, true, inside);
      const char* const from = static_cast<const char*>(data) +
                               i / plane * shape.extent * shape.inner * bytes;
      int64_t column = i % shape.inner;
      for (int64_t j = 0; j < count; ++j, to += bytes) {
        const int64_t element = inside[j] * shape.inner + column;
        copy(to, inside[j] < 0 ? nullptr : from + element * bytes);
        if (++column == shape.inner) column = 0;
      }
    }
  });
  return outside;
}

void GatherNd(const GatherNdShape& shape, const void* data, Indices indices,
              void* out, int64_t begin, int64_t end) {
  const char* const from = static_cast<const char*>(data);
  char* const to = static_cast<char*>(out);
  WithRun(shape.run_bytes, [&](auto copy) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t run = RunOfTuple(shape, indices, i);
      copy(to + i * shape.run_bytes,
           run < 0 ? nullptr : from + run * shape.run_bytes);
    }
  });
}

}  // namespace dovetail::host
