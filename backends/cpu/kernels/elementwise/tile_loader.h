// Tiles between memory and registers of elementwise programs.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_TILE_LOADER_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_TILE_LOADER_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "dovetail/backends/cpu/kernels/elementwise/elementwise_geometry.h"
#include "dovetail/backends/cpu/kernels/elementwise/op_function.h"
#include "dovetail/backends/cpu/kernels/elementwise/register_assignment.h"

namespace dovetail::cpu {

// Where in a walk of kind kRows an element is.
struct WalkPosition {
  std::array<int64_t, kMaxWalkDims> index;  // of each dimension
  int64_t row;                              // offset of its row's first element

  int64_t in_row(const OperandWalk& walk) const {
    return index[walk.dims.size() - 1];
  }
};

// Loads one input, tile after tile. What it was made of must outlive it.
class TileLoader {
 public:
  TileLoader() = default;

  // memory: the input's first element; tile: the register of the input, as
  // long as a tile.
  TileLoader(const ElementwiseInput& input, const OperandWalk& walk,
             const void* memory, float* tile);

  // Elements [start, start + count) of the sweep, either in the register or
  // where they lie in memory. Up to the next multiple of kTileStep there are
  // numbers without a meaning, in the register.
  TileOperand Load(int64_t start, size_t count);

 private:
  const void* At(int64_t offset) const;
  TileOperand LoadDense(int64_t offset, size_t count);
  float LoadOne(int64_t offset) const;
  TileOperand LoadScalar(int64_t offset);
  TileOperand LoadRows(int64_t start, size_t count);
  bool RepeatsRows() const;
  void LoadRepeatedRows(WalkPosition position, size_t count);
  bool IsCached(const WalkPosition& position, size_t count);
  void LoadPartOfRow(int64_t offset, float* to, size_t count) const;
  TileOperand WholeTile(size_t count) const;

  const ElementwiseInput* input_ = nullptr;
  const OperandWalk* walk_ = nullptr;
  const char* memory_ = nullptr;
  int64_t element_size_ = 0;
  float* tile_ = nullptr;

  // What the register holds, if it is a pattern that repeats.
  int64_t cached_row_ = -1;
  int64_t cached_in_row_ = -1;
  size_t cached_count_ = 0;
};

// Elements [start, start + count) of an output, from a register.
void StoreTile(const ElementwiseResult& output, const OperandWalk& walk,
               const float* from, void* memory, int64_t start, size_t count);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_TILE_LOADER_H_
