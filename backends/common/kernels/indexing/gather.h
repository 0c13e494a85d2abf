// Gather, GatherElements and GatherND: runs of bytes that indices choose. No
// index leads out of the data: what lies outside is 0.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_GATHER_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_GATHER_H_

#include <array>
#include <cstdint>

namespace dovetail::host {

// Indices of either type.
struct Indices {
  const void* data;
  bool is_i64;  // or else i32

  int64_t operator[](int64_t i) const {
    return is_i64 ? static_cast<const int64_t*>(data)[i]
                  : static_cast<const int32_t*>(data)[i];
  }
};

// Data {batch, outer, extent, run}, indices {batch, count}, output {batch,
// outer, count, run}. An embedding has a batch and outer of 1.
struct GatherShape {
  int64_t batch = 1;
  int64_t outer = 1;
  int64_t extent;
  int64_t count;
  int64_t run_bytes;
  bool from_end = true;  // whether negative indices count from the end
};

// Runs [begin, end) of the batch * outer * count runs of the output.
void Gather(const GatherShape& shape, const void* data, Indices indices,
            void* out, int64_t begin, int64_t end);

// Data {outer, extent, inner}, indices and output {outer, count, inner}: each
// element has an index of its own along the middle axis. For GatherElements,
// `outer` and `inner` are the same for data and indices. Elements of 1, 2, 4 or
// 8 bytes; negative indices count from the end.
struct GatherElementsShape {
  int64_t outer;
  int64_t extent;
  int64_t count;
  int64_t inner;
  int element_size;
};

// Elements [begin, end) of the output. Returns how many indices lie outside.
int64_t GatherElements(const GatherElementsShape& shape, const void* data,
                       Indices indices, void* out, int64_t begin, int64_t end);

// Data {batch, dims[0] ... dims[tuple - 1], run}, indices {batch, count,
// tuple}, output {batch, count, run}. Negative indices count from the end.
struct GatherNdShape {
  int64_t batch = 1;
  int64_t count;
  int tuple;  // up to 8
  std::array<int64_t, 8> dims;
  int64_t run_bytes;
};

// Runs [begin, end) of the batch * count runs of the output.
void GatherNd(const GatherNdShape& shape, const void* data, Indices indices,
              void* out, int64_t begin, int64_t end);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_GATHER_H_
