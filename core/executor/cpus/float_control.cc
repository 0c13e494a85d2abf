#include "dovetail/core/executor/cpus/float_control.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace dovetail {
namespace {

#if defined(__x86_64__)
// MXCSR; its lowest bits only record which exceptions there were.
constexpr uint64_t kRecords = 0x3f;
constexpr uint64_t kDenormalsAsZeros = 1 << 6 | 1 << 15;  // DAZ, FTZ

uint64_t ReadWord() { return _mm_getcsr() & ~kRecords; }
void WriteWord(uint64_t word) { _mm_setcsr(static_cast<uint32_t>(word)); }
#elif defined(__aarch64__)
constexpr uint64_t kDenormalsAsZeros = uint64_t{1} << 24;  // FPCR.FZ

uint64_t ReadWord() {
  uint64_t word;
  asm volatile("mrs %0, fpcr" : "=r"(word));
  return word;
}
void WriteWord(uint64_t word) { asm volatile("msr fpcr, %0" : : "r"(word)); }
#else
constexpr uint64_t kDenormalsAsZeros = 0;

uint64_t ReadWord() { return 0; }
void WriteWord(uint64_t) {}
#endif

}  // namespace

FloatControl FloatControl::OfThread() { return FloatControl(ReadWord()); }

FloatControl FloatControl::WithDenormalsAsZeros() const {
  return FloatControl(word_ | kDenormalsAsZeros);
}

void FloatControl::SetForThread() const {
  if (*this == OfThread()) return;
  WriteWord(word_);
}

}  // namespace dovetail
