// What the discrete Fourier transform of one length computes: the stages, and
// the roots of unity that they multiply with.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_SIGNAL_FOURIER_PLAN_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_SIGNAL_FOURIER_PLAN_H_

#include <cstdint>
#include <memory>
#include <vector>

namespace dovetail::host {

// A length that is a product of small primes is computed by the algorithm of
// Stockham, a stage for each factor; each reads all elements and writes them to
// other memory, in an order that is right after the last stage. Any other
// length becomes a convolution of such a length (Bluestein, 1970).
class FourierPlan {
 public:
  // A prime factor up to this is a stage, which takes as many operations for an
  // element. A convolution has two transforms of more than twice the length,
  // and takes as long as a factor of some 80 (Zen 3).
  static constexpr int64_t kLargestRadix = 61;

  // Numbers are stored as pairs. Element q + stride * (p + groups * k) of what
  // a stage reads, q < stride, p < groups, is the k-th of `radix` elements that
  // are transformed; of these the j-th is multiplied with a power of a root of
  // unity, exp(-2 pi i p j / (radix * groups)), and written as element
  // q + stride * (radix * p + j).
  struct Stage {
    int64_t radix = 0, groups = 0, stride = 0;
    // The powers by p and by j > 0; none where there is but one group, as all
    // are 1.
    std::vector<float> turns;
    // Of an odd radix: cosine and sine of 2 pi j k / radix, for j and for k
    // from 1 to (radix - 1) / 2.
    std::vector<float> roots;
  };

  // For lines of real numbers, too, if they are `real`.
  explicit FourierPlan(int64_t length, bool real = false);

  int64_t length() const { return length_; }
  bool real() const { return real_; }
  // The length of what is transformed: half that of real lines of an even
  // length, whose numbers are taken two by two for complex ones.
  int64_t points() const { return points_; }
  // Then the powers of exp(-2 pi i / length) up to points / 2.
  const std::vector<float>& halves() const { return halves_; }

  const std::vector<Stage>& stages() const { return stages_; }

  // Of a length with a large prime factor, which has no stages: a line is
  // multiplied with `chirp`, transformed by `convolution`, multiplied with
  // `filter`, transformed back (without a division by the length) and
  // multiplied with `chirp`. Null for other lengths.
  const FourierPlan* convolution() const { return convolution_.get(); }
  const std::vector<float>& chirp() const { return chirp_; }
  const std::vector<float>& filter() const { return filter_; }

  // How many elements of a line there are at a time.
  int64_t elements() const {
    return convolution_ != nullptr ? convolution_->points_ : points_;
  }

 private:
  void MakeStages();
  void MakeConvolution();

  const int64_t length_;
  const bool real_;
  const int64_t points_;
  std::vector<float> halves_;
  std::vector<Stage> stages_;
  std::unique_ptr<FourierPlan> convolution_;
  std::vector<float> chirp_, filter_;
};

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_SIGNAL_FOURIER_PLAN_H_
