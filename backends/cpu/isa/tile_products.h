// Products of tiles (AMX), which all processors that have them do alike.
#ifndef DOVETAIL_BACKENDS_CPU_ISA_TILE_PRODUCTS_H_
#define DOVETAIL_BACKENDS_CPU_ISA_TILE_PRODUCTS_H_

namespace dovetail::cpu {

// A cycle: 16 times 16 sums of 64 bytes each, in 16 cycles.
inline constexpr int kBf16ProductsOfTiles = 512, kByteProductsOfTiles = 1024;

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ISA_TILE_PRODUCTS_H_
