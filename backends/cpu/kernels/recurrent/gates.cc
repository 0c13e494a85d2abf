#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/recurrent/gates.cc"
#include "dovetail/backends/cpu/kernels/recurrent/gates.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because they are included once per target.
#include "dovetail/backends/common/kernels/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

using namespace host::HWY_NAMESPACE;
namespace {

using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Floats>;
constexpr int64_t kLanes = HWY_LANES(float);

// The units from i on.
class Units {
 public:
  Units(const GateArguments& arguments, int64_t i) : a_(arguments), i_(i) {}

  Vector FromData(int gate) const { return Load(a_.x, gate); }
  Vector FromState(int gate) const { return Load(a_.h, gate); }
  Vector Bias(int block) const { return Load(a_.bias, block); }
  Vector Before() const { return Load(a_.before, 0); }
  Vector Sum(int gate) const {
    return hn::Add(hn::Add(FromData(gate), FromState(gate)), Bias(gate));
  }

 private:
  Vector Load(const float* from, int block) const {
    return hn::LoadU(Floats(), from + block * a_.width + i_);
  }

  const GateArguments& a_;
  const int64_t i_;
};

// next + z * (before - next)
Vector Mix(Vector z, Vector next, Vector before) {
  return hn::MulAdd(z, hn::Sub(before, next), next);
}

void Lstm(const GateArguments& a) {
  const Floats d;
  for (int64_t i = 0; i < a.width; i += kLanes) {
    const Units units(a, i);
    const Vector forget = Sigmoid(d, units.Sum(0));
    const Vector input = Sigmoid(d, units.Sum(1));
    const Vector candidate = Tanh(d, units.Sum(2));
    const Vector output = Sigmoid(d, units.Sum(3));
    const Vector before = hn::LoadU(d, a.cell + i);
    const Vector cell =
        hn::MulAdd(input, candidate, hn::Mul(forget, before));
    hn::StoreU(cell, d, a.cell + i);
    hn::StoreU(hn::Mul(output, Tanh(d, cell)), d, a.state + i);
  }
}

void GruLinear(const GateArguments& a) {
  const Floats d;
  for (int64_t i = 0; i < a.width; i += kLanes) {
    const Units units(a, i);
    const Vector z = Sigmoid(d, units.Sum(0));
    const Vector reset = Sigmoid(d, units.Sum(1));
    const Vector recurrent = hn::Add(units.FromState(2), units.Bias(3));
    const Vector next = Tanh(
        d, hn::MulAdd(reset, recurrent,
                      hn::Add(units.FromData(2), units.Bias(2))));
    hn::StoreU(Mix(z, next, units.Before()), d, a.state + i);
  }
}

void Rnn(const GateArguments& a) {
  const Floats d;
  for (int64_t i = 0; i < a.width; i += kLanes) {
    hn::StoreU(Tanh(d, Units(a, i).Sum(0)), d, a.state + i);
  }
}

void GruReset(const GateArguments& a, float* z, float* reset) {
  const Floats d;
  for (int64_t i = 0; i < a.width; i += kLanes) {
    const Units units(a, i);
    hn::StoreU(Sigmoid(d, units.Sum(0)), d, z + i);
    hn::StoreU(hn::Mul(Sigmoid(d, units.Sum(1)), units.Before()), d,
               reset + i);
  }
}

void GruFinal(const GateArguments& a, const float* z) {
  const Floats d;
  for (int64_t i = 0; i < a.width; i += kLanes) {
    const Units units(a, i);
    const Vector next = Tanh(d, units.Sum(2));
    hn::StoreU(Mix(hn::LoadU(d, z + i), next, units.Before()), d,
               a.state + i);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(Lstm);
HWY_EXPORT(GruLinear);
HWY_EXPORT(Rnn);
HWY_EXPORT(GruReset);
HWY_EXPORT(GruFinal);

void LstmGates(const GateArguments& a) { HWY_DYNAMIC_DISPATCH(Lstm)(a); }
void GruLinearGates(const GateArguments& a) {
  HWY_DYNAMIC_DISPATCH(GruLinear)(a);
}
void RnnGates(const GateArguments& a) { HWY_DYNAMIC_DISPATCH(Rnn)(a); }
void GruResetGates(const GateArguments& a, float* z, float* reset) {
  HWY_DYNAMIC_DISPATCH(GruReset)(a, z, reset);
}
void GruFinalGates(const GateArguments& a, const float* z) {
  HWY_DYNAMIC_DISPATCH(GruFinal)(a, z);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
