#include <cmath>
#include <random>
#include <vector>

#include "dovetail/core/ops/random/random.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/reference/random/random.h"

namespace dovetail {
namespace {

// The Mersenne Twister that OpenVINO's CPU plugin draws from. (Its own
// reference code draws from RandomUniform's stream; models have only ever run
// on the former.)
class Draws {
 public:
  Draws(uint64_t global_seed, uint64_t op_seed) {
    std::seed_seq seeds{Word(global_seed), Word(op_seed)};
    if (global_seed == 0 && op_seed == 0) {
      engine_.seed(std::random_device{}());
    } else {
      engine_.seed(seeds);
    }
  }

  // A number in [0, 1].
  float Next() {
    return static_cast<float>(engine_()) /
           static_cast<float>(std::mt19937::max());
  }

 private:
  static uint32_t Word(uint64_t seed) { return static_cast<uint32_t>(seed); }
  std::mt19937 engine_;
};

// Sums of the probabilities of one row up to each class, over the whole sum.
template <typename T>
std::vector<T> CumulativeProbabilities(const T* probabilities, int64_t classes,
                                       bool are_logarithms) {
  std::vector<T> sums(classes);
  T sum(0);
  for (int64_t i = 0; i < classes; ++i) {
    sum = T(sum + (are_logarithms ? T(std::exp(probabilities[i]))
                                  : probabilities[i]));
    sums[i] = sum;
  }
  for (T& each : sums) each = T(each / sum);
  return sums;
}

// The first class at which the sums reach `sample`; the last one when rounding
// keeps them below it.
template <typename T>
int64_t Choose(const std::vector<T>& sums, T sample) {
  for (size_t i = 0; i < sums.size(); ++i) {
    if (sample <= sums[i]) return static_cast<int64_t>(i);
  }
  return static_cast<int64_t>(sums.size()) - 1;
}

// Takes a class out of the sums and scales them to 1 again.
template <typename T>
void Remove(std::vector<T>& sums, int64_t chosen) {
  const T own(chosen == 0 ? sums[0] : T(sums[chosen] - sums[chosen - 1]));
  const T rest(T(1) - own);
  for (int64_t i = 0; i < static_cast<int64_t>(sums.size()); ++i) {
    if (i >= chosen) sums[i] = T(sums[i] - own);
    sums[i] = T(sums[i] / rest);
  }
}

template <typename T, typename Index>
void Sample(KernelContext& context) {
  const auto& attributes = context.attributes<MultinomialAttributes>();
  const Shape& shape = context.input(0).shape();
  const int64_t classes = shape.back();
  const int64_t rows = shape.rank() == 2 ? shape[0] : 1;
  const int64_t samples = context.output(0).shape().back();
  Draws draws(attributes.global_seed, attributes.op_seed);
  Index* out = context.output(0).mutable_data<Index>();
  for (int64_t row = 0; row < rows; ++row) {
    std::vector<T> sums = CumulativeProbabilities(
        context.input(0).data<T>() + row * classes, classes,
        attributes.log_probs);
    for (int64_t i = 0; i < samples; ++i) {
      const int64_t chosen = Choose(sums, T(draws.Next()));
      *out++ = static_cast<Index>(chosen);
      if (!attributes.with_replacement) Remove(sums, chosen);
    }
  }
}

}  // namespace

absl::Status MultinomialKernel(KernelContext& context) {
  const int64_t classes = context.input(0).shape().back();
  const int64_t samples = context.output(0).shape().back();
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  if (classes == 0) return context.Error("there is no class to choose");
  if (!context.attributes<MultinomialAttributes>().with_replacement &&
      samples > classes) {
    return context.Error("cannot choose ", samples, " of ", classes,
                         " classes without replacement");
  }
  return DispatchFloat(
      context.input(0).type(), context, [&](auto tag) -> absl::Status {
        using T = typename decltype(tag)::type;
        return DispatchIndex(context.output(0).type(), context,
                             [&](auto index) -> absl::Status {
                               using Index = typename decltype(index)::type;
                               Sample<T, Index>(context);
                               return absl::OkStatus();
                             });
      });
}

}  // namespace dovetail
