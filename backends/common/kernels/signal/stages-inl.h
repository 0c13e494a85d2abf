// The stages of a FourierPlan, on as many lines as a vector has lanes: row i of
// a tile has their i-th real parts, and then their i-th imaginary parts.
// Compiled once per instruction set: include it after highway.h in a file of
// foreach_target.h.
#if defined(DOVETAIL_BACKENDS_COMMON_KERNELS_SIGNAL_STAGES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_COMMON_KERNELS_SIGNAL_STAGES_INL_H_
#undef DOVETAIL_BACKENDS_COMMON_KERNELS_SIGNAL_STAGES_INL_H_
#else
#define DOVETAIL_BACKENDS_COMMON_KERNELS_SIGNAL_STAGES_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "dovetail/backends/common/kernels/signal/fourier_plan.h"
#include "dovetail/backends/common/kernels/simd/rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {

// Numbers of an element of all lines.
HWY_INLINE int64_t TileRow() { return 2 * RowLanes(); }

// The real and the imaginary parts of a tile. The inverse of a transform is the
// transform with the two exchanged, before and after.
struct TileParts {
  TileParts(float* tile, bool exchanged)
      : re(tile + (exchanged ? RowLanes() : 0)),
        im(tile + (exchanged ? 0 : RowLanes())) {}
  float *re, *im;
};

// (re, im) *= (by_re, by_im).
HWY_INLINE void Turn(RowVector& re, RowVector& im, RowVector by_re,
                     RowVector by_im) {
  const RowVector turned = hn::NegMulAdd(im, by_im, hn::Mul(re, by_re));
  im = hn::MulAdd(re, by_im, hn::Mul(im, by_re));
  re = turned;
}

// The transform of kRadix numbers: an odd one.
template <int kRadix>
struct Butterfly {
  static HWY_INLINE void Run(RowVector* re, RowVector* im, const float* roots) {
    constexpr int kPairs = kRadix / 2;
    const RowTag d;
    RowVector plus_re[kPairs], plus_im[kPairs];
    RowVector minus_re[kPairs], minus_im[kPairs];
    const RowVector first_re = re[0], first_im = im[0];
    for (int k = 0; k < kPairs; ++k) {
      const int a = k + 1, b = kRadix - 1 - k;
      plus_re[k] = hn::Add(re[a], re[b]);
      plus_im[k] = hn::Add(im[a], im[b]);
      minus_re[k] = hn::Sub(re[a], re[b]);
      minus_im[k] = hn::Sub(im[a], im[b]);
      re[0] = hn::Add(re[0], plus_re[k]);
      im[0] = hn::Add(im[0], plus_im[k]);
    }
    for (int j = 0; j < kPairs; ++j) {
      RowVector even_re = first_re, even_im = first_im;
      RowVector odd_re = hn::Zero(d), odd_im = hn::Zero(d);
      for (int k = 0; k < kPairs; ++k) {
        const RowVector cosine = hn::Set(d, roots[2 * (j * kPairs + k)]);
        const RowVector sine = hn::Set(d, roots[2 * (j * kPairs + k) + 1]);
        even_re = hn::MulAdd(plus_re[k], cosine, even_re);
        even_im = hn::MulAdd(plus_im[k], cosine, even_im);
        odd_re = hn::MulAdd(minus_re[k], sine, odd_re);
        odd_im = hn::MulAdd(minus_im[k], sine, odd_im);
      }
      const int a = j + 1, b = kRadix - 1 - j;
      re[a] = hn::Add(even_re, odd_im);
      im[a] = hn::Sub(even_im, odd_re);
      re[b] = hn::Sub(even_re, odd_im);
      im[b] = hn::Add(even_im, odd_re);
    }
  }
};

template <>
struct Butterfly<2> {
  static HWY_INLINE void Run(RowVector* re, RowVector* im, const float*) {
    const RowVector second_re = re[1], second_im = im[1];
    re[1] = hn::Sub(re[0], second_re);
    im[1] = hn::Sub(im[0], second_im);
    re[0] = hn::Add(re[0], second_re);
    im[0] = hn::Add(im[0], second_im);
  }
};

template <>
struct Butterfly<4> {
  static HWY_INLINE void Run(RowVector* re, RowVector* im, const float*) {
    const RowVector a_re = hn::Add(re[0], re[2]), a_im = hn::Add(im[0], im[2]);
    const RowVector b_re = hn::Sub(re[0], re[2]), b_im = hn::Sub(im[0], im[2]);
    const RowVector c_re = hn::Add(re[1], re[3]), c_im = hn::Add(im[1], im[3]);
    const RowVector e_re = hn::Sub(re[1], re[3]), e_im = hn::Sub(im[1], im[3]);
    re[0] = hn::Add(a_re, c_re);
    im[0] = hn::Add(a_im, c_im);
    re[1] = hn::Add(b_re, e_im);
    im[1] = hn::Sub(b_im, e_re);
    re[2] = hn::Sub(a_re, c_re);
    im[2] = hn::Sub(a_im, c_im);
    re[3] = hn::Sub(b_re, e_im);
    im[3] = hn::Add(b_im, e_re);
  }
};

template <int kRadix, bool kTurns>
void RunStage(const FourierPlan::Stage& stage, const TileParts& in,
              const TileParts& out) {
  const RowTag d;
  const int64_t row = TileRow();
  const int64_t in_step = stage.stride * stage.groups * row;
  const int64_t out_step = stage.stride * row;
  const float* turns = stage.turns.data();
  const float* const roots = stage.roots.data();
  for (int64_t p = 0; p < stage.groups; ++p, turns += 2 * (kRadix - 1)) {
    const int64_t from = p * out_step, to = p * kRadix * out_step;
    for (int64_t q = 0; q < out_step; q += row) {
      RowVector re[kRadix], im[kRadix];
      for (int k = 0; k < kRadix; ++k) {
        re[k] = hn::Load(d, in.re + from + q + k * in_step);
        im[k] = hn::Load(d, in.im + from + q + k * in_step);
      }
      Butterfly<kRadix>::Run(re, im, roots);
      for (int j = 0; j < kRadix; ++j) {
        if (kTurns && j > 0) {
          Turn(re[j], im[j], hn::Set(d, turns[2 * j - 2]),
               hn::Set(d, turns[2 * j - 1]));
        }
        hn::Store(re[j], d, out.re + to + q + j * out_step);
        hn::Store(im[j], d, out.im + to + q + j * out_step);
      }
    }
  }
}

// Sums and differences of the pairs of elements of a large odd radix.
struct LargePairs {
  static constexpr int64_t kMost = FourierPlan::kLargestRadix / 2;

  // Element k of the radix is at in + k * step. Gives the sum of all elements.
  void Read(const TileParts& in, int64_t at, int64_t step, int64_t radix,
            RowVector& sum_re, RowVector& sum_im) {
    const RowTag d;
    const int64_t row = TileRow();
    pairs = radix / 2;
    first_re = sum_re = hn::Load(d, in.re + at);
    first_im = sum_im = hn::Load(d, in.im + at);
    for (int64_t k = 1; k <= pairs; ++k) {
      const int64_t a = at + k * step, b = at + (radix - k) * step;
      const RowVector a_re = hn::Load(d, in.re + a);
      const RowVector a_im = hn::Load(d, in.im + a);
      const RowVector b_re = hn::Load(d, in.re + b);
      const RowVector b_im = hn::Load(d, in.im + b);
      float* const to = numbers + 2 * (k - 1) * row;
      const RowVector plus_re = hn::Add(a_re, b_re);
      const RowVector plus_im = hn::Add(a_im, b_im);
      sum_re = hn::Add(sum_re, plus_re);
      sum_im = hn::Add(sum_im, plus_im);
      hn::Store(plus_re, d, to);
      hn::Store(plus_im, d, to + RowLanes());
      hn::Store(hn::Sub(a_re, b_re), d, to + row);
      hn::Store(hn::Sub(a_im, b_im), d, to + row + RowLanes());
    }
  }

  HWY_ALIGN float numbers[4 * kMost * HWY_LANES(float)];
  RowVector first_re, first_im;
  int64_t pairs;
};

// What elements j and radix - j are the sum and the difference of.
struct EvenAndOdd {
  explicit EvenAndOdd(const LargePairs& from)
      : even_re(from.first_re), even_im(from.first_im) {}

  HWY_INLINE void Add(const float* pair, const float* root) {
    const RowTag d;
    const int64_t lanes = RowLanes();
    const RowVector cosine = hn::Set(d, root[0]), sine = hn::Set(d, root[1]);
    even_re = hn::MulAdd(hn::Load(d, pair), cosine, even_re);
    even_im = hn::MulAdd(hn::Load(d, pair + lanes), cosine, even_im);
    odd_re = hn::MulAdd(hn::Load(d, pair + 2 * lanes), sine, odd_re);
    odd_im = hn::MulAdd(hn::Load(d, pair + 3 * lanes), sine, odd_im);
  }

  RowVector even_re, even_im;
  RowVector odd_re = hn::Zero(RowTag()), odd_im = hn::Zero(RowTag());
};

// Writes element j of a radix, multiplied with its power unless all are 1.
HWY_INLINE void StoreTurned(RowVector re, RowVector im,
                            const FourierPlan::Stage& stage, int64_t p,
                            int64_t j, const TileParts& out, int64_t at) {
  const RowTag d;
  if (!stage.turns.empty() && j > 0) {
    const float* const turn =
        stage.turns.data() + 2 * (p * (stage.radix - 1) + j - 1);
    Turn(re, im, hn::Set(d, turn[0]), hn::Set(d, turn[1]));
  }
  hn::Store(re, d, out.re + at);
  hn::Store(im, d, out.im + at);
}

// A large odd radix: two pairs of results at a time, which read the same sums.
inline void RunLargeStage(const FourierPlan::Stage& stage, const TileParts& in,
                          const TileParts& out) {
  const int64_t row = TileRow(), radix = stage.radix, pairs = radix / 2;
  const int64_t in_step = stage.stride * stage.groups * row;
  const int64_t out_step = stage.stride * row;
  LargePairs numbers;
  for (int64_t p = 0; p < stage.groups; ++p) {
    for (int64_t q = 0; q < out_step; q += row) {
      const int64_t to = p * radix * out_step + q;
      RowVector sum_re, sum_im;
      numbers.Read(in, p * out_step + q, in_step, radix, sum_re, sum_im);
      StoreTurned(sum_re, sum_im, stage, p, 0, out, to);
      for (int64_t j = 1; j <= pairs; j += 2) {
        const int64_t next = std::min(j + 1, pairs);
        const float* const root = stage.roots.data() + 2 * (j - 1) * pairs;
        const float* const root_next =
            stage.roots.data() + 2 * (next - 1) * pairs;
        EvenAndOdd x(numbers), y(numbers);
        for (int64_t k = 0; k < pairs; ++k) {
          x.Add(numbers.numbers + 2 * k * row, root + 2 * k);
          y.Add(numbers.numbers + 2 * k * row, root_next + 2 * k);
        }
        const auto store = [&](const EvenAndOdd& z, int64_t i) HWY_ATTR {
          StoreTurned(hn::Add(z.even_re, z.odd_im),
                      hn::Sub(z.even_im, z.odd_re), stage, p, i, out,
                      to + i * out_step);
          StoreTurned(hn::Sub(z.even_re, z.odd_im),
                      hn::Add(z.even_im, z.odd_re), stage, p, radix - i, out,
                      to + (radix - i) * out_step);
        };
        store(x, j);
        store(y, next);
      }
    }
  }
}

template <int kRadix>
void RunStage(const FourierPlan::Stage& stage, const TileParts& in,
              const TileParts& out) {
  if (stage.turns.empty()) {
    RunStage<kRadix, false>(stage, in, out);
  } else {
    RunStage<kRadix, true>(stage, in, out);
  }
}

inline void RunAnyStage(const FourierPlan::Stage& stage, const TileParts& in,
                        const TileParts& out) {
  switch (stage.radix) {
    case 2:
      return RunStage<2>(stage, in, out);
    case 3:
      return RunStage<3>(stage, in, out);
    case 4:
      return RunStage<4>(stage, in, out);
    case 5:
      return RunStage<5>(stage, in, out);
    case 7:
      return RunStage<7>(stage, in, out);
    default:
      return RunLargeStage(stage, in, out);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_SIGNAL_STAGES_INL_H_
