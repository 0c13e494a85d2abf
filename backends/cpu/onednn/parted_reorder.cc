#include "dovetail/backends/cpu/onednn/parted_reorder.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/backends/cpu/onednn/stream.h"

namespace dovetail::cpu {
namespace {

using Desc = dnnl::memory::desc;
using Dims = dnnl::memory::dims;

// A part is worth a call, and its copy stays in a cache.
constexpr int64_t kPartBytes = 1 << 19;

int64_t BytesOf(const Desc& desc) {
  return static_cast<int64_t>(
      dnnl::memory::data_type_size(desc.get_data_type()));
}

int OutermostAxis(const Desc& desc) {
  const Dims dims = desc.get_dims(), strides = desc.get_strides();
  int outermost = 0;
  for (int i = 0; i < static_cast<int>(dims.size()); ++i) {
    if (dims[i] > 1 &&
        (dims[outermost] == 1 || strides[i] > strides[outermost])) {
      outermost = i;
    }
  }
  return outermost;
}

// How many elements along the axis a block has.
int64_t BlockOf(const Desc& desc, int axis) {
  const Dims blocks = desc.get_inner_blks(), axes = desc.get_inner_idxs();
  int64_t block = 1;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (axes[i] == axis) block *= blocks[i];
  }
  return block;
}

// Whether there are elements and what pads blocks, and nothing else.
bool HasElementsOnly(const Desc& desc) {
  int64_t bytes = BytesOf(desc);
  for (const int64_t dim : desc.get_padded_dims()) bytes *= dim;
  return desc.get_format_kind() == dnnl::memory::format_kind::blocked &&
         bytes > 0 && static_cast<int64_t>(desc.get_size()) == bytes;
}

}  // namespace

void Reorder(const Desc& from, const void* source, const Desc& to,
             void* destination) {
  SetPrimitiveThreads(1);
  dnnl::memory in(from, CpuEngine(), const_cast<void*>(source));
  dnnl::memory out(to, CpuEngine(), destination);
  dnnl::stream stream(CpuEngine());
  dnnl::reorder(in, out).execute(stream, in, out);
}

PartedReorder::PartedReorder(const Desc& from, const Desc& to)
    : from_(from), to_(to) {
  if (HasElementsOnly(from) && HasElementsOnly(to) &&
      from.get_inner_nblks() == 0) {
    axis_ = OutermostAxis(from);
    const int64_t size = from.get_dims()[axis_];
    apart_ = static_cast<int64_t>(from.get_size()) / size;
    const int64_t block = BlockOf(to, axis_);
    length_ = std::max<int64_t>(1, kPartBytes / (block * apart_)) * block;
    parts_ = static_cast<int>((size + length_ - 1) / length_);
  }
}

void PartedReorder::Run(const void* source, void* destination,
                        int part) const {
  const char* const begin =
      static_cast<const char*>(source) + part * length_ * apart_;
  if (parts_ == 1) {
    return RunPart(from_, begin, from_.get_size(), to_, destination);
  }
  Dims size = from_.get_dims();
  const Dims origin(size.size(), 0);
  Dims offsets = origin;
  offsets[axis_] = part * length_;
  size[axis_] = std::min(length_, size[axis_] - offsets[axis_]);
  Desc to = to_.submemory_desc(size, offsets);
  if (part + 1 < parts_) {
    // Parts of one size are described alike, so that one kernel makes them all.
    destination = static_cast<char*>(destination) +
                  BytesOf(to) * to.get_submemory_offset();
    to = to_.submemory_desc(size, origin);
  }
  RunPart(from_.submemory_desc(size, origin), begin,
          static_cast<size_t>(size[axis_] * apart_), to, destination);
}

void PartedReorder::RunPart(const Desc& from, const char* source, size_t bytes,
                            const Desc& to, void* destination) const {
  std::unique_ptr<char[]> copy;
  if (reinterpret_cast<uintptr_t>(source) % BytesOf(from) != 0) {
    copy = std::make_unique_for_overwrite<char[]>(bytes);
    std::memcpy(copy.get(), source, bytes);
    source = copy.get();
  }
  Reorder(from, source, to, destination);
}

}  // namespace dovetail::cpu
