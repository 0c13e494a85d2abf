#include "dovetail/backends/cpu/kernels/elementwise/tile_loader.h"

#include <algorithm>
#include <cstring>

namespace dovetail::cpu {
namespace {

WalkPosition FindPosition(const OperandWalk& walk, int64_t start) {
  WalkPosition position;
  position.row = 0;
  const int last = static_cast<int>(walk.dims.size()) - 1;
  for (int i = last; i >= 0; --i) {
    position.index[i] = start % walk.dims[i];
    start /= walk.dims[i];
    if (i < last) position.row += position.index[i] * walk.strides[i];
  }
  return position;
}

void GoToNextRow(const OperandWalk& walk, WalkPosition& position) {
  const int last = static_cast<int>(walk.dims.size()) - 1;
  position.index[last] = 0;
  for (int i = last - 1; i >= 0; --i) {
    position.row += walk.strides[i];
    if (++position.index[i] < walk.dims[i]) return;
    position.row -= walk.strides[i] * walk.dims[i];
    position.index[i] = 0;
  }
}

// Calls part(offset, begin, count) for each stretch of a row that elements
// [start, start + count) of the sweep lie in; `begin` counts from `start`.
template <typename F>
void ForEachRow(const OperandWalk& walk, WalkPosition position, size_t count,
                F part) {
  const int64_t stride = walk.strides.back(), length = walk.dims.back();
  for (size_t done = 0; done < count;) {
    const int64_t in_row = position.in_row(walk);
    const size_t rest = std::min<size_t>(length - in_row, count - done);
    part(position.row + in_row * stride, done, rest);
    done += rest;
    GoToNextRow(walk, position);
  }
}

// By blocks, which compilers turn into stores of vectors.
void Fill(float number, float* to, size_t count) {
  constexpr size_t kBlock = 8;
  for (; count >= kBlock; count -= kBlock, to += kBlock) {
    for (size_t i = 0; i < kBlock; ++i) to[i] = number;
  }
  for (size_t i = 0; i < count; ++i) to[i] = number;
}

}  // namespace

TileLoader::TileLoader(const ElementwiseInput& input, const OperandWalk& walk,
                       const void* memory, float* tile)
    : input_(&input),
      walk_(&walk),
      memory_(static_cast<const char*>(memory)),
      element_size_(BitWidth(input.type) / 8),
      tile_(tile) {
  if (walk.kind == OperandWalk::Kind::kScalar) LoadScalar(0);
}

const void* TileLoader::At(int64_t offset) const {
  return memory_ + offset * element_size_;
}

TileOperand TileLoader::Load(int64_t start, size_t count) {
  switch (walk_->kind) {
    case OperandWalk::Kind::kScalar:
      return {tile_, 0};
    case OperandWalk::Kind::kDense:
      return LoadDense(start, count);
    case OperandWalk::Kind::kRows:
      return LoadRows(start, count);
  }
  return {tile_, 0};
}

// The lanes behind the last element get some number too: that a register has
// never been written must not decide anything.
TileOperand TileLoader::WholeTile(size_t count) const {
  while (count % kTileStep != 0) tile_[count++] = 1;
  return {tile_, ~size_t{0}};
}

TileOperand TileLoader::LoadDense(int64_t offset, size_t count) {
  if (input_->type == ElementType::kF32 && count % kTileStep == 0) {
    return {static_cast<const float*>(At(offset)), ~size_t{0}};
  }
  input_->load(At(offset), tile_, count);
  return WholeTile(count);
}

float TileLoader::LoadOne(int64_t offset) const {
  float number;
  if (input_->type == ElementType::kF32) {
    std::memcpy(&number, At(offset), sizeof(number));
  } else {
    input_->load(At(offset), &number, 1);
  }
  return number;
}

TileOperand TileLoader::LoadScalar(int64_t offset) {
  std::fill_n(tile_, kTileStep, LoadOne(offset));
  return {tile_, 0};
}

TileOperand TileLoader::LoadRows(int64_t start, size_t count) {
  const WalkPosition position = FindPosition(*walk_, start);
  const int64_t in_row = position.in_row(*walk_);
  const int64_t stride = walk_->strides.back();
  if (in_row + static_cast<int64_t>(count) <= walk_->dims.back()) {
    cached_row_ = -1;
    const int64_t offset = position.row + in_row * stride;
    if (stride == 0) return LoadScalar(offset);
    if (stride == 1) return LoadDense(offset, count);
    LoadPartOfRow(offset, tile_, count);
    return WholeTile(count);
  }
  if (IsCached(position, count)) return {tile_, ~size_t{0}};
  if (RepeatsRows()) {
    LoadRepeatedRows(position, count);
    return WholeTile(count);
  }
  ForEachRow(*walk_, position, count,
             [this](int64_t offset, size_t begin, size_t length) {
               LoadPartOfRow(offset, tile_ + begin, length);
             });
  return WholeTile(count);
}

bool TileLoader::RepeatsRows() const {
  const size_t rank = walk_->dims.size();
  return rank > 1 && walk_->strides[rank - 2] == 0;
}

// Each row once, and then copies of what is in the register already.
void TileLoader::LoadRepeatedRows(WalkPosition position, size_t count) {
  const size_t rank = walk_->dims.size();
  const int64_t length = walk_->dims[rank - 1], stride = walk_->strides.back();
  for (size_t done = 0; done < count;) {
    float* const to = tile_ + done;
    const int64_t in_row = position.in_row(*walk_);
    const int64_t all =
        (walk_->dims[rank - 2] - position.index[rank - 2]) * length - in_row;
    const size_t wanted = std::min<size_t>(all, count - done);
    size_t ready = std::min<size_t>(length - in_row, wanted);
    LoadPartOfRow(position.row + in_row * stride, to, ready);
    const size_t turn = std::min<size_t>(in_row, wanted - ready);
    LoadPartOfRow(position.row, to + ready, turn);
    for (ready += turn; ready < wanted;) {
      const size_t more = std::min(ready, wanted - ready);
      std::memcpy(to + ready, to, more * sizeof(float));
      ready += more;
    }
    done += wanted;
    position.index[rank - 2] = walk_->dims[rank - 2] - 1;
    GoToNextRow(*walk_, position);
  }
}

// Whether the register holds the same elements already, which it does where one
// row is repeated all over the tile. If it does not, it is to be loaded now.
bool TileLoader::IsCached(const WalkPosition& position, size_t count) {
  const size_t rank = walk_->dims.size();
  const int64_t row_index = position.index[rank - 2];
  const int64_t in_row = position.in_row(*walk_);
  const int64_t end =
      row_index * walk_->dims[rank - 1] + in_row + static_cast<int64_t>(count);
  const bool repeats =
      RepeatsRows() && end <= walk_->dims[rank - 2] * walk_->dims[rank - 1];
  if (repeats && cached_row_ == position.row && cached_in_row_ == in_row &&
      cached_count_ >= count) {
    return true;
  }
  cached_row_ = repeats ? position.row : -1;
  cached_in_row_ = in_row;
  cached_count_ = count;
  return false;
}

void TileLoader::LoadPartOfRow(int64_t offset, float* to, size_t count) const {
  const int64_t stride = walk_->strides.back();
  if (stride == 1) {
    input_->load(At(offset), to, count);
  } else if (stride == 0) {
    Fill(LoadOne(offset), to, count);
  } else {
    LoadStridedFloats(input_->type, At(offset), stride, to, count);
  }
}

void StoreTile(const ElementwiseResult& output, const OperandWalk& walk,
               const float* from, void* memory, int64_t start, size_t count) {
  const int64_t element_size = BitWidth(output.type) / 8;
  char* const bytes = static_cast<char*>(memory);
  if (walk.kind == OperandWalk::Kind::kDense) {
    output.store(from, bytes + start * element_size, count);
    return;
  }
  const int64_t stride = walk.strides.back();
  ForEachRow(walk, FindPosition(walk, start), count,
             [&](int64_t offset, size_t begin, size_t length) {
               void* const to = bytes + offset * element_size;
               if (stride == 1) {
                 output.store(from + begin, to, length);
               } else {
                 StoreStridedFloats(output.type, from + begin, to, stride,
                                    length);
               }
             });
}

}  // namespace dovetail::cpu
