#include "dovetail/core/reference/detection/prior_box.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "dovetail/core/ops/detection/prior_box.h"

namespace dovetail {
namespace {

// Writes boxes one after the other as fractions of the image, then, into the
// second half of the output, their variances.
class BoxWriter {
 public:
  BoxWriter(const Tensor& output, float image_width, float image_height)
      : begin_(output.mutable_data<float>()),
        next_(begin_),
        half_(output.element_count() / 2),
        width_(image_width),
        height_(image_height) {
    // Sizes and densities that contradict each other leave boxes out.
    std::fill_n(begin_, half_, 0.0f);
  }

  // Centre and half sizes in pixels. Cutting off what lies outside of the
  // image moves the near corner no further than to 0 and the far one no
  // further than to 1, even for a box that lies outside as a whole.
  void Add(float x, float y, float half_width, float half_height, bool cut) {
    const float near[] = {(x - half_width) / width_,
                          (y - half_height) / height_};
    const float far[] = {(x + half_width) / width_,
                         (y + half_height) / height_};
    for (const float corner : near) Add(cut ? std::max(corner, 0.0f) : corner);
    for (const float corner : far) Add(cut ? std::min(corner, 1.0f) : corner);
  }

  void Clip() {
    for (float* corner = begin_; corner != next_; ++corner) {
      *corner = std::clamp(*corner, 0.0f, 1.0f);
    }
  }

  // None stands for 0.1; one for all four corners.
  void WriteVariances(const std::vector<double>& variance) {
    for (int64_t i = 0; i < half_; ++i) {
      begin_[half_ + i] = static_cast<float>(
          variance.empty() ? 0.1 : variance[variance.size() == 1 ? 0 : i % 4]);
    }
  }

 private:
  void Add(float corner) {
    // The number of boxes was told by inference.
    if (next_ != begin_ + half_) *next_++ = corner;
  }

  float* const begin_;
  float* next_;
  const int64_t half_;
  const float width_, height_;
};

// Sizes of the feature map and of the image.
struct Sizes {
  int64_t map_height, map_width;
  float image_height, image_width;
};

absl::StatusOr<Sizes> SizesOf(const KernelContext& context) {
  const Sizes sizes = {context.input(0).ElementAsInt64(0),
                       context.input(0).ElementAsInt64(1),
                       static_cast<float>(context.input(1).ElementAsDouble(0)),
                       static_cast<float>(context.input(1).ElementAsDouble(1))};
  if (!(sizes.image_height > 0) || !(sizes.image_width > 0)) {
    return context.Error("input 1 is an image of ", sizes.image_height, "x",
                         sizes.image_width, " pixels");
  }
  return sizes;
}

// The boxes of one cell of PriorBox, around its centre.
class CellBoxes {
 public:
  CellBoxes(const PriorBoxAttributes& attributes, float image_height,
            BoxWriter& writer)
      : attributes_(attributes),
        min_sizes_(attributes.min_size),
        ratios_(AspectRatios(attributes)),
        writer_(writer) {
    // Sizes that are not scaled by all ratios are fractions of the height.
    if (attributes.scale_all_sizes) return;
    for (double& size : min_sizes_) size *= image_height;
  }

  void Add(float x, float y) {
    for (size_t i = 0; i < attributes_.fixed_size.size(); ++i)
      AddFixed(x, y, i);
    for (size_t i = 0; i < min_sizes_.size(); ++i) AddScaled(x, y, i);
  }

 private:
  // A box, or a grid of density x density boxes that together fill it.
  void AddDense(float x, float y, size_t i, float half_width,
                float half_height) {
    const auto size = static_cast<float>(attributes_.fixed_size[i]);
    const int64_t density = attributes_.density.empty()
                                ? 1
                                : static_cast<int64_t>(attributes_.density[i]);
    if (density < 1) return;
    const auto shift = static_cast<float>(
        static_cast<int64_t>(size / static_cast<float>(density)));
    for (int64_t row = 0; row < density; ++row) {
      for (int64_t column = 0; column < density; ++column) {
        const float left = x - size / 2 + shift / 2;
        const float top = y - size / 2 + shift / 2;
        writer_.Add(left + static_cast<float>(column) * shift,
                    top + static_cast<float>(row) * shift, half_width,
                    half_height, /*cut=*/true);
      }
    }
  }

  void AddFixed(float x, float y, size_t i) {
    const float half = static_cast<float>(attributes_.fixed_size[i]) / 2;
    if (!attributes_.fixed_ratio.empty()) {
      for (const double ratio : attributes_.fixed_ratio) {
        const auto root = static_cast<float>(std::sqrt(ratio));
        AddDense(x, y, i, half * root, half / root);
      }
      return;
    }
    if (!attributes_.density.empty()) AddDense(x, y, i, half, half);
    for (const double ratio : ratios_) {
      if (std::fabs(ratio - 1) < 1e-6) continue;
      const auto root = static_cast<float>(std::sqrt(ratio));
      AddDense(x, y, i, half * root, half / root);
    }
  }

  void AddScaled(float x, float y, size_t i) {
    const float half = static_cast<float>(min_sizes_[i]) / 2;
    writer_.Add(x, y, half, half, /*cut=*/false);
    if (attributes_.min_max_aspect_ratios_order) {
      AddGeometricMean(x, y, i);
      AddRatios(x, y, i);
    } else {
      AddRatios(x, y, i);
      AddGeometricMean(x, y, i);
    }
  }

  // The square between min_size and max_size.
  void AddGeometricMean(float x, float y, size_t i) {
    if (i >= attributes_.max_size.size()) return;
    const auto half = static_cast<float>(
        std::sqrt(min_sizes_[i] * attributes_.max_size[i]) / 2);
    writer_.Add(x, y, half, half, /*cut=*/false);
  }

  void AddRatios(float x, float y, size_t i) {
    // Without scale_all_sizes only the first size has them, after the last.
    if (!attributes_.scale_all_sizes && i + 1 != min_sizes_.size()) return;
    const float half =
        static_cast<float>(min_sizes_[attributes_.scale_all_sizes ? i : 0]) / 2;
    for (const double ratio : ratios_) {
      if (std::fabs(ratio - 1) < 1e-6) continue;
      const auto root = static_cast<float>(std::sqrt(ratio));
      writer_.Add(x, y, half * root, half / root, /*cut=*/false);
    }
  }

  const PriorBoxAttributes& attributes_;
  std::vector<double> min_sizes_;
  const std::vector<double> ratios_;
  BoxWriter& writer_;
};

// Pixels from one cell to the next, and of the first cell's centre.
struct Grid {
  float step_x, step_y, offset;
};

Grid GridOf(const PriorBoxAttributes& attributes, const Sizes& sizes) {
  auto step = static_cast<float>(attributes.step);
  const auto map_height = static_cast<float>(sizes.map_height);
  if (!attributes.scale_all_sizes) {
    step = step == -1 ? sizes.image_height / map_height
                      : step * sizes.image_height;
  }
  if (step != 0) return {step, step, static_cast<float>(attributes.offset)};
  return {sizes.image_width / static_cast<float>(sizes.map_width),
          sizes.image_height / map_height, 0.5f};
}

Grid GridOf(const PriorBoxClusteredAttributes& attributes, const Sizes& sizes) {
  const auto either = [&](double own) {
    return static_cast<float>(own == 0 ? attributes.step : own);
  };
  Grid grid = {either(attributes.step_w), either(attributes.step_h),
               static_cast<float>(attributes.offset)};
  if (grid.step_x == 0 && grid.step_y == 0) {
    grid.step_x = sizes.image_width / static_cast<float>(sizes.map_width);
    grid.step_y = sizes.image_height / static_cast<float>(sizes.map_height);
  }
  return grid;
}

// Calls `add(x, y)` with the centre of every cell.
template <typename AddFn>
void ForEachCell(const Sizes& sizes, const Grid& grid, AddFn add) {
  for (int64_t row = 0; row < sizes.map_height; ++row) {
    for (int64_t column = 0; column < sizes.map_width; ++column) {
      add((static_cast<float>(column) + grid.offset) * grid.step_x,
          (static_cast<float>(row) + grid.offset) * grid.step_y);
    }
  }
}

}  // namespace

absl::Status PriorBoxKernel(KernelContext& context) {
  const auto& attributes = context.attributes<PriorBoxAttributes>();
  DOVETAIL_ASSIGN_OR_RETURN(const Sizes sizes, SizesOf(context));
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  BoxWriter writer(context.output(0), sizes.image_width, sizes.image_height);
  CellBoxes boxes(attributes, sizes.image_height, writer);
  ForEachCell(sizes, GridOf(attributes, sizes),
              [&](float x, float y) { boxes.Add(x, y); });
  if (attributes.clip) writer.Clip();
  writer.WriteVariances(attributes.variance);
  return absl::OkStatus();
}

absl::Status PriorBoxClusteredKernel(KernelContext& context) {
  const auto& attributes = context.attributes<PriorBoxClusteredAttributes>();
  DOVETAIL_ASSIGN_OR_RETURN(const Sizes sizes, SizesOf(context));
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  BoxWriter writer(context.output(0), sizes.image_width, sizes.image_height);
  ForEachCell(sizes, GridOf(attributes, sizes), [&](float x, float y) {
    for (size_t i = 0; i < attributes.width.size(); ++i) {
      writer.Add(x, y, static_cast<float>(attributes.width[i]) / 2,
                 static_cast<float>(attributes.height[i]) / 2,
                 /*cut=*/false);
    }
  });
  if (attributes.clip) writer.Clip();
  writer.WriteVariances(attributes.variance);
  return absl::OkStatus();
}

}  // namespace dovetail
