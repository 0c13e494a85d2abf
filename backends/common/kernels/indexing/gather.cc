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
  const int64_t bytes = shape.run_bytes;
  char* to = static_cast<char*>(out) + begin * bytes;
  WithRun(bytes, [&](auto copy) {
    int64_t inside[kIndices], count = 0;
    for (int64_t i = begin; i < end; i += count) {
      const int64_t row = i / shape.count, k = i % shape.count;
      count = std::min({kIndices, shape.count - k, end - i});
      InsideOf(indices, row / shape.outer * shape.count + k, count,
               shape.extent, shape.from_end, inside);
      const char* const from =
          static_cast<const char*>(data) + row * shape.extent * bytes;
      for (int64_t j = 0; j < count; ++j, to += bytes) {
        copy(to, inside[j] < 0 ? nullptr : from + inside[j] * bytes);
      }
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
