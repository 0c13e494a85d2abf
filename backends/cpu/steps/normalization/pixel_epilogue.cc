#include "dovetail/backends/cpu/steps/normalization/pixel_epilogue.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace dovetail::cpu {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Reads operations in the order in which kernels compute them.
class Reader {
 public:
  Reader(const Epilogue& epilogue, int64_t channels)
      : epilogue_(epilogue),
        scale_(channels, 1),
        shift_(channels, 0),
        slope_(channels, 1),
        last_shift_(channels, 0),
        low_(channels, -kInfinity),
        high_(channels, kInfinity) {}

  FoundPixelEpilogue Read() {
    ReadGrid();
    ReadAffine();
    ReadSlope();
    ReadLimits();
    ReadQuantization();
    FoundPixelEpilogue found;
    found.epilogue = epilogue_.First(at_);
    found.form = form_;
    found.form.channels = found.form.stride =
        static_cast<int64_t>(scale_.size());
    for (const ChannelVector* array :
         {&scale_, &shift_, &slope_, &last_shift_, &low_, &high_}) {
      found.numbers.insert(found.numbers.end(), array->begin(), array->end());
    }
    return found;
  }

 private:
  template <typename Op>
  const Op* Next(size_t ahead = 0) const {
    return epilogue_.Find<Op>(at_ + ahead);
  }

  template <typename Fn>
  void ForEach(Fn fn) {
    for (size_t c = 0; c < scale_.size(); ++c) fn(c);
  }

  // FakeQuantize to floats.
  void ReadGrid() {
    const auto* quantize = Next<QuantizeOp>();
    if (quantize == nullptr || Next<StoreOp>(1) != nullptr) return;
    const auto scale = UniformValue(quantize->scale);
    const auto shift = UniformValue(quantize->shift);
    if (!scale || !shift) return;
    form_.has_grid = true;
    form_.grid = {*scale, *shift, quantize->steps};
    scale_ = quantize->step;
    shift_ = quantize->offset;
    ++at_;
  }

  void ReadAffine() {
    while (const auto* affine = Next<AffineOp>()) {
      ForEach([&](size_t c) {
        scale_[c] *= affine->scale[c];
        shift_[c] = shift_[c] * affine->scale[c] + affine->shift[c];
      });
      ++at_;
    }
  }

  void ReadSlope() {
    const auto* slope = Next<SlopeOp>();
    if (slope == nullptr) return;
    form_.has_slope = true;
    slope_ = slope->slope;
    ++at_;
  }

  void ReadLimits() {
    for (;; ++at_) {
      if (Next<ActivationOp>() != nullptr) {
        ForEach([&](size_t c) { Limit(c, 0, kInfinity); });
      } else if (const auto* clamp = Next<ClampOp>()) {
        ForEach([&](size_t c) { Limit(c, clamp->low[c], clamp->high[c]); });
      } else {
        return;
      }
    }
  }

  // As two limits one after the other do it.
  void Limit(size_t c, float low, float high) {
    low_[c] = std::min(std::max(low_[c], low), high);
    high_[c] = std::min(std::max(high_[c], low), high);
  }

  // The scale is above 0, and so changes nothing about signs and order.
  void ReadQuantization() {
    const auto* quantize = Next<QuantizeOp>();
    const auto* store = Next<StoreOp>(1);
    if (quantize == nullptr || store == nullptr) return;
    const float least = quantize->offset.front();
    const auto is_positive = [](float scale) { return scale > 0; };
    if (!std::all_of(quantize->scale.begin(), quantize->scale.end(),
                     is_positive)) {
      return;
    }
    ForEach([&](size_t c) {
      const float scale = quantize->scale[c];
      const float shift = quantize->shift[c] + least;
      scale_[c] *= scale;
      shift_[c] *= scale;
      (form_.has_slope ? last_shift_ : shift_)[c] += shift;
      low_[c] = low_[c] * scale + shift;
      high_[c] = high_[c] * scale + shift;
      Limit(c, least, least + quantize->steps);
    });
    form_.output_type = store->type;
    at_ += 2;
  }

  const Epilogue& epilogue_;
  size_t at_ = 0;
  PixelEpilogue form_;
  ChannelVector scale_, shift_, slope_, last_shift_, low_, high_;
};

}  // namespace

FoundPixelEpilogue FindPixelEpilogue(Value normalized,
                                     const PlanBuilder& builder) {
  EpilogueSupport operations;
  operations.takes_activation = [](const Node& node) {
    return node.Is("Relu");
  };
  const Epilogue epilogue =
      FindEpilogue(normalized, operations,
                   [&](Value value) { return builder.IsReady(value); });
  return Reader(epilogue, PlanBuilder::ShapeOf(normalized)[1]).Read();
}

}  // namespace dovetail::cpu
