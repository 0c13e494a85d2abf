#include "dovetail/backends/common/kernels/signal/fourier.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/common/kernels/signal/fourier.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because it is included once per target.
#include "dovetail/backends/common/kernels/signal/stages-inl.h"
#include "dovetail/backends/common/kernels/signal/tiles-inl.h"
#include "dovetail/backends/common/kernels/simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {
namespace {

// The lines of a unit.
struct Unit {
  Unit(const FourierPass& pass, int64_t unit) {
    const int64_t lines = RowLanes();
    if (pass.inner == 1) {
      outer = unit * lines;
      column = 0;
      count = std::min(lines, pass.outer - outer);
    } else {
      const int64_t groups = (pass.inner + lines - 1) / lines;
      outer = unit / groups;
      column = unit % groups * lines;
      count = std::min(lines, pass.inner - column);
    }
  }
  // Where the first line begins.
  int64_t Begin(int64_t length, int64_t inner) const {
    return outer * length * inner + column;
  }
  int64_t outer, column, count;
};

void ClearFrom(float* tile, int64_t begin, int64_t end) {
  if (begin < end) {
    std::fill(tile + begin * TileRow(), tile + end * TileRow(), 0.0f);
  }
}

// rows[i] *= numbers[i], complex ones.
void Multiply(const TileParts& rows, const std::vector<float>& numbers) {
  const RowTag d;
  const int64_t row = TileRow(), count = static_cast<int64_t>(numbers.size());
  for (int64_t i = 0; 2 * i < count; ++i) {
    RowVector re = hn::Load(d, rows.re + i * row);
    RowVector im = hn::Load(d, rows.im + i * row);
    Turn(re, im, hn::Set(d, numbers[2 * i]), hn::Set(d, numbers[2 * i + 1]));
    hn::Store(re, d, rows.re + i * row);
    hn::Store(im, d, rows.im + i * row);
  }
}

void Scale(float* tile, int64_t rows, float by) {
  MapRow(tile, tile, rows * TileRow(), [=](auto x, int64_t) HWY_ATTR {
    return hn::Mul(x, hn::Set(RowTag(), by));
  });
}

// Transforms `tile` with the help of `other`, which holds the result
// afterwards if they are exchanged.
void RunStages(const FourierPlan& plan, bool inverse, float*& tile,
               float*& other) {
  for (const FourierPlan::Stage& stage : plan.stages()) {
    RunAnyStage(stage, TileParts(tile, inverse), TileParts(other, inverse));
    std::swap(tile, other);
  }
}

void Transform(const FourierPlan& plan, bool inverse, float*& tile,
               float*& other) {
  const FourierPlan* const convolution = plan.convolution();
  if (convolution == nullptr) {
    RunStages(plan, inverse, tile, other);
    return;
  }
  Multiply(TileParts(tile, inverse), plan.chirp());
  ClearFrom(tile, plan.points(), convolution->points());
  RunStages(*convolution, inverse, tile, other);
  Multiply(TileParts(tile, inverse), plan.filter());
  RunStages(*convolution, !inverse, tile, other);
  Multiply(TileParts(tile, inverse), plan.chirp());
}

// Numbers k and points - k of a line, times `by`, and of them the part that is
// even in k.
struct Mirrored {
  Mirrored(const float* a, const float* b, RowVector by)
      : a_re(hn::Mul(hn::Load(RowTag(), a), by)),
        a_im(hn::Mul(hn::Load(RowTag(), a + RowLanes()), by)),
        b_re(hn::Mul(hn::Load(RowTag(), b), by)),
        b_im(hn::Mul(hn::Load(RowTag(), b + RowLanes()), by)),
        even_re(hn::Add(a_re, b_re)),
        even_im(hn::Sub(a_im, b_im)) {}

  RowVector a_re, a_im, b_re, b_im, even_re, even_im;
};

// Of the transform of complex numbers that are the two halves of real lines,
// those at even and those at odd places, the first half of the lines' own.
void JoinHalves(const FourierPlan& plan, const float* tile, float* to) {
  const RowTag d;
  const int64_t row = TileRow(), lanes = RowLanes(), points = plan.points();
  const RowVector by = hn::Set(d, 0.5f);
  for (int64_t k = 0; k <= points / 2; ++k) {
    const Mirrored x(tile + k * row, tile + (k == 0 ? 0 : points - k) * row,
                     by);
    RowVector odd_re = hn::Add(x.a_im, x.b_im);
    RowVector odd_im = hn::Sub(x.b_re, x.a_re);
    Turn(odd_re, odd_im, hn::Set(d, plan.halves()[2 * k]),
         hn::Set(d, plan.halves()[2 * k + 1]));
    float* const mirror = to + (points - k) * row;
    hn::Store(hn::Add(x.even_re, odd_re), d, to + k * row);
    hn::Store(hn::Add(x.even_im, odd_im), d, to + k * row + lanes);
    hn::Store(hn::Sub(x.even_re, odd_re), d, mirror);
    hn::Store(hn::Sub(odd_im, x.even_im), d, mirror + lanes);
  }
}

// The other way round, times `scale`. The first and the last number, which are
// their own mirrors, count with their real parts alone.
void SplitHalves(const FourierPlan& plan, float* from, float scale,
                 float* tile) {
  const RowTag d;
  const int64_t row = TileRow(), lanes = RowLanes(), points = plan.points();
  const RowVector by = hn::Set(d, scale);
  hn::Store(hn::Zero(d), d, from + lanes);
  hn::Store(hn::Zero(d), d, from + points * row + lanes);
  for (int64_t k = 0; k <= points / 2; ++k) {
    const Mirrored x(from + k * row, from + (points - k) * row, by);
    RowVector odd_re = hn::Sub(x.a_re, x.b_re);
    RowVector odd_im = hn::Add(x.a_im, x.b_im);
    Turn(odd_re, odd_im, hn::Set(d, plan.halves()[2 * k]),
         hn::Set(d, -plan.halves()[2 * k + 1]));
    hn::Store(hn::Sub(x.even_re, odd_im), d, tile + k * row);
    hn::Store(hn::Add(x.even_im, odd_re), d, tile + k * row + lanes);
    if (k == 0) continue;
    float* const mirror = tile + (points - k) * row;
    hn::Store(hn::Add(x.even_re, odd_im), d, mirror);
    hn::Store(hn::Sub(odd_re, x.even_im), d, mirror + lanes);
  }
}

// Of real lines of an odd length, the half of their transform that is not
// there.
void Mirror(int64_t length, float* tile) {
  const RowTag d;
  const int64_t row = TileRow(), lanes = RowLanes();
  hn::Store(hn::Zero(d), d, tile + lanes);
  for (int64_t k = 1; k <= length / 2; ++k) {
    const float* const from = tile + k * row;
    float* const to = tile + (length - k) * row;
    hn::Store(hn::Load(d, from), d, to);
    hn::Store(hn::Neg(hn::Load(d, from + lanes)), d, to + lanes);
  }
}

// One unit. `tile` and `other` are scratch memory.
struct UnitRun {
  const FourierPlan& plan;
  const FourierPass& pass;
  const float* in;
  float* out;
  float *tile, *other;

  void Complex(const Unit& unit) {
    const int64_t n = plan.length(), have = std::min(n, pass.in_length);
    const bool inverse = pass.kind == FourierKind::kInverse;
    LoadComplex(in + 2 * unit.Begin(pass.in_length, pass.inner),
                {pass.in_length, pass.inner, unit.count}, have, tile);
    ClearFrom(tile, have, n);
    Transform(plan, inverse, tile, other);
    if (inverse) Scale(tile, n, 1 / static_cast<float>(n));
    StoreComplex(tile, n, {n, pass.inner, unit.count},
                 out + 2 * unit.Begin(n, pass.inner));
  }

  bool TwoByTwo() const { return plan.points() < plan.length(); }
  // From one number of real lines to the next.
  int64_t RealStep() const { return TwoByTwo() ? RowLanes() : TileRow(); }

  void RealForward(const Unit& unit) {
    const int64_t n = plan.length(), have = std::min(n, pass.in_length);
    if (have < n || !TwoByTwo()) ClearFrom(tile, 0, plan.points());
    LoadReal(in + unit.Begin(pass.in_length, pass.inner),
             {pass.in_length, pass.inner, unit.count}, have, tile, RealStep());
    Transform(plan, /*inverse=*/false, tile, other);
    if (TwoByTwo()) {
      JoinHalves(plan, tile, other);
      std::swap(tile, other);
    }
    const int64_t half = n / 2 + 1;
    StoreComplex(tile, half, {half, pass.inner, unit.count},
                 out + 2 * unit.Begin(half, pass.inner));
  }

  void RealInverse(const Unit& unit) {
    const int64_t n = plan.length(), half = n / 2 + 1;
    const int64_t have = std::min(half, pass.in_length);
    const float scale = 1 / static_cast<float>(n);
    LoadComplex(in + 2 * unit.Begin(pass.in_length, pass.inner),
                {pass.in_length, pass.inner, unit.count}, have, tile);
    ClearFrom(tile, have, half);
    if (TwoByTwo()) {
      SplitHalves(plan, tile, scale, other);
      std::swap(tile, other);
    } else {
      Scale(tile, half, scale);
      Mirror(n, tile);
    }
    Transform(plan, /*inverse=*/true, tile, other);
    StoreReal(tile, RealStep(), n, {n, pass.inner, unit.count},
              out + unit.Begin(n, pass.inner));
  }
};

}  // namespace

int64_t CountUnits(const FourierPass& pass) {
  const int64_t lines = RowLanes();
  if (pass.inner == 1) return (pass.outer + lines - 1) / lines;
  return pass.outer * ((pass.inner + lines - 1) / lines);
}

// Half of a spectrum may have an element more than what is transformed.
int64_t TileElements(const FourierPlan& plan) {
  return std::max(plan.elements(), plan.points() + 1) * TileRow();
}

void RunUnits(const FourierPlan& plan, const FourierPass& pass, const float* in,
              float* out, int64_t begin, int64_t end, float* scratch) {
  UnitRun run = {plan, pass, in, out, scratch, scratch + TileElements(plan)};
  for (int64_t i = begin; i < end; ++i) {
    const Unit unit(pass, i);
    switch (pass.kind) {
      case FourierKind::kRealForward:
        run.RealForward(unit);
        break;
      case FourierKind::kRealInverse:
        run.RealInverse(unit);
        break;
      default:
        run.Complex(unit);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::host {

HWY_EXPORT(CountUnits);
HWY_EXPORT(TileElements);
HWY_EXPORT(RunUnits);

int64_t FourierOutLength(const FourierPlan& plan, FourierKind kind) {
  return kind == FourierKind::kRealForward ? plan.length() / 2 + 1
                                           : plan.length();
}

int64_t FourierUnits(const FourierPass& pass) {
  return HWY_DYNAMIC_DISPATCH(CountUnits)(pass);
}

int64_t FourierScratchElements(const FourierPlan& plan) {
  return 2 * HWY_DYNAMIC_DISPATCH(TileElements)(plan);
}

void RunFourier(const FourierPlan& plan, const FourierPass& pass,
                const float* in, float* out, int64_t begin, int64_t end,
                float* scratch) {
  HWY_DYNAMIC_DISPATCH(RunUnits)(plan, pass, in, out, begin, end, scratch);
}

}  // namespace dovetail::host
#endif  // HWY_ONCE
