#include "dovetail/backends/common/kernels/indexing/gather.h"

#include <cstring>

namespace dovetail::host {
namespace {

// The index from the beginning, or -1 for one that lies outside.
int64_t Inside(int64_t index, int64_t extent, bool from_end) {
  if (index < 0 && from_end) index += extent;
  return index >= 0 && index < extent ? index : -1;
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

int64_t CountOutside(Indices indices, int64_t count, int64_t extent,
                     bool from_end) {
  int64_t outside = 0;
  for (int64_t i = 0; i < count; ++i) {
    outside += Inside(indices[i], extent, from_end) < 0;
  }
  return outside;
}

void Gather(const GatherShape& shape, const void* data, Indices indices,
            void* out, int64_t begin, int64_t end) {
  const char* const from = static_cast<const char*>(data);
  char* const to = static_cast<char*>(out);
  const int64_t bytes = shape.run_bytes;
  WithRun(bytes, [&](auto copy) {
    int64_t row = begin / shape.count, k = begin % shape.count;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = row / shape.outer * shape.count;
      const int64_t index =
          Inside(indices[first + k], shape.extent, shape.from_end);
      copy(to + i * bytes,
           index < 0 ? nullptr : from + (row * shape.extent + index) * bytes);
      if (++k == shape.count) {
        k = 0;
        ++row;
      }
    }
  });
}

void GatherElements(const GatherElementsShape& shape, const void* data,
                    Indices indices, void* out, int64_t begin, int64_t end) {
  const char* const from = static_cast<const char*>(data);
  char* const to = static_cast<char*>(out);
  const int64_t bytes = shape.element_size;
  WithRun(bytes, [&](auto copy) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t inner = i % shape.inner;
      const int64_t outer = i / shape.inner / shape.count;
      const int64_t index = Inside(indices[i], shape.extent, true);
      const int64_t element =
          (outer * shape.extent + index) * shape.inner + inner;
      copy(to + i * bytes, index < 0 ? nullptr : from + element * bytes);
    }
  });
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
