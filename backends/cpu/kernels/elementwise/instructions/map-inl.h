// Loops of elementwise instructions over a tile. Compiled once per instruction
// set.
#if defined(                                                              \
    DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_INSTRUCTIONS_MAP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_INSTRUCTIONS_MAP_INL_H_
#undef DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_INSTRUCTIONS_MAP_INL_H_
#else
#define DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_INSTRUCTIONS_MAP_INL_H_
#endif

#include "dovetail/backends/cpu/kernels/elementwise/op_function.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, kTileStep>;

HWY_INLINE hn::Vec<Floats> LoadOperand(const TileOperand& operand, size_t i) {
  return hn::LoadU(Floats(), operand.data + (i & operand.mask));
}

// f is called with a vector (two, three) of operands and answers the result's.
template <class F>
HWY_INLINE void Map1(const OpArguments& arguments, F f) {
  const Floats d;
  const TileOperand a = arguments.in[0];
  float* const out = arguments.out;
  const size_t count = arguments.count;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    hn::StoreU(f(LoadOperand(a, i)), d, out + i);
  }
}

template <class F>
HWY_INLINE void Map2(const OpArguments& arguments, F f) {
  const Floats d;
  const TileOperand a = arguments.in[0], b = arguments.in[1];
  float* const out = arguments.out;
  const size_t count = arguments.count;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    hn::StoreU(f(LoadOperand(a, i), LoadOperand(b, i)), d, out + i);
  }
}

template <class F>
HWY_INLINE void Map3(const OpArguments& arguments, F f) {
  const Floats d;
  const TileOperand a = arguments.in[0], b = arguments.in[1];
  const TileOperand c = arguments.in[2];
  float* const out = arguments.out;
  const size_t count = arguments.count;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    hn::StoreU(f(LoadOperand(a, i), LoadOperand(b, i), LoadOperand(c, i)), d,
               out + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_INSTRUCTIONS_MAP_INL_H_
