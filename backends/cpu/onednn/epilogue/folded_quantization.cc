#include "dovetail/backends/cpu/onednn/epilogue/folded_quantization.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace dovetail::cpu {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Nothing: the operation has none.
std::optional<ClampOp> LimitsOf(const Epilogue& epilogue, size_t i) {
  if (const auto* clamp = epilogue.Find<ClampOp>(i)) return *clamp;
  const auto* activation = epilogue.Find<ActivationOp>(i);
  if (activation == nullptr || !activation->node->Is("Relu")) return {};
  return ClampOp{{0}, {kInfinity}};
}

float At(const ChannelVector& channels, size_t c) {
  return channels[channels.size() == 1 ? 0 : c];
}

class Folding {
 public:
  explicit Folding(const QuantizeOp& quantize)
      : quantize_(quantize),
        channels_(quantize.scale.size()),
        scale_(channels_, 1),
        bias_(channels_, 0) {
    result_.low.assign(channels_, -kInfinity);
    result_.high.assign(channels_, kInfinity);
  }

  void Add(const AffineOp& affine) {
    for (size_t c = 0; c < channels_; ++c) {
      scale_[c] *= affine.scale[c];
      bias_[c] = bias_[c] * affine.scale[c] + affine.shift[c];
    }
  }

  // The later one wins where two exclude each other.
  void Add(const ClampOp& limits) {
    for (size_t c = 0; c < channels_; ++c) {
      const float low = At(limits.low, c), high = At(limits.high, c);
      result_.low[c] = std::min(std::max(result_.low[c], low), high);
      result_.high[c] = std::min(std::max(result_.high[c], low), high);
    }
  }

  FoldedQuantization Finish(size_t stages, const StoreOp* store) {
    result_.stages = stages;
    result_.is_stored = StoresAsItIs(quantize_, store);
    result_.step = quantize_.step;
    result_.offset = quantize_.offset;
    for (size_t c = 0; c < channels_; ++c) Quantize(c);
    if (result_.is_stored) {
      const bool is_u8 = store->type == ElementType::kU8;
      result_.limits_low = Any(result_.low, is_u8 ? 0 : -128, 1);
      result_.limits_high = Any(result_.high, is_u8 ? 255 : 127, -1);
    }
    return std::move(result_);
  }

 private:
  void Quantize(size_t c) {
    const float scale = quantize_.scale[c], shift = quantize_.shift[c];
    const float offset = result_.is_stored ? quantize_.offset[c] : 0;
    result_.scale.push_back(static_cast<float>(scale_[c] * scale));
    result_.bias.push_back(
        static_cast<float>(bias_[c] * scale + shift + offset));
    for (float* limit : {&result_.low[c], &result_.high[c]}) {
      const float level = *limit * scale + shift;
      *limit =
          std::nearbyint(std::clamp(level, 0.0f, quantize_.steps)) + offset;
    }
  }

  // Whether any is further from the type's end, in that direction.
  static bool Any(const ChannelVector& limits, float end, float direction) {
    return std::any_of(limits.begin(), limits.end(), [=](float limit) {
      return (limit - end) * direction > 0;
    });
  }

  const QuantizeOp& quantize_;
  const size_t channels_;
  std::vector<double> scale_, bias_;
  FoldedQuantization result_;
};

}  // namespace

bool StoresAsItIs(const QuantizeOp& quantize, const StoreOp* store) {
  return store != nullptr && std::fmod(quantize.offset.front(), 2.0f) == 0;
}

std::optional<FoldedQuantization> FoldQuantization(const Epilogue& epilogue) {
  size_t affine = 0;
  while (epilogue.Find<AffineOp>(affine) != nullptr) ++affine;
  size_t limits = affine;
  while (LimitsOf(epilogue, limits).has_value()) ++limits;
  const auto* quantize = epilogue.Find<QuantizeOp>(limits);
  if (quantize == nullptr) return std::nullopt;
  Folding folding(*quantize);
  for (size_t i = 0; i < affine; ++i) {
    folding.Add(*epilogue.Find<AffineOp>(i));
  }
  for (size_t i = affine; i < limits; ++i) {
    folding.Add(*LimitsOf(epilogue, i));
  }
  return folding.Finish(limits + 1, epilogue.Find<StoreOp>(limits + 1));
}

}  // namespace dovetail::cpu
