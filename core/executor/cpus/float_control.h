// The control word of a thread's floating-point arithmetic: whether denormal
// numbers are computed or taken for zero, and how results are rounded.
#ifndef DOVETAIL_CORE_EXECUTOR_CPUS_FLOAT_CONTROL_H_
#define DOVETAIL_CORE_EXECUTOR_CPUS_FLOAT_CONTROL_H_

#include <cstdint>

namespace dovetail {

// On processors other than x86-64 and AArch64 there is one word, and setting it
// changes nothing.
class FloatControl {
 public:
  static FloatControl OfThread();

  // The same, but denormal operands count as zeros of their sign, and results
  // that would be denormal become such zeros.
  FloatControl WithDenormalsAsZeros() const;

  // Makes it this thread's, which takes some nanoseconds where it is not yet.
  void SetForThread() const;

  bool operator==(const FloatControl& other) const = default;

 private:
  explicit FloatControl(uint64_t word) : word_(word) {}

  uint64_t word_;
};

// This thread computes by `control` while one lives, and as before from then
// on.
class ScopedFloatControl {
 public:
  explicit ScopedFloatControl(FloatControl control)
      : before_(FloatControl::OfThread()) {
    control.SetForThread();
  }
  ~ScopedFloatControl() { before_.SetForThread(); }
  ScopedFloatControl(const ScopedFloatControl&) = delete;
  ScopedFloatControl& operator=(const ScopedFloatControl&) = delete;

 private:
  const FloatControl before_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_CPUS_FLOAT_CONTROL_H_
