#include "dovetail/core/ops/detection/detectron/regions.h"

#include <algorithm>
#include <vector>

#include "dovetail/core/reference/detection/detectron/detectron.h"
#include "dovetail/core/reference/detection/suppression/greedy.h"

namespace dovetail {

absl::Status PriorGridKernel(KernelContext& context) {
  const auto& attributes = context.attributes<PriorGridAttributes>();
  const Shape& features = context.input(1).shape();
  const Shape& image = context.input(2).shape();
  const int64_t rows = attributes.h > 0 ? attributes.h : features[2];
  const int64_t columns = attributes.w > 0 ? attributes.w : features[3];
  const auto stride = [](double own, int64_t pixels, int64_t cells) {
    return own != 0 ? static_cast<float>(own)
                    : static_cast<float>(pixels) / static_cast<float>(cells);
  };
  const float stride_x = stride(attributes.stride_x, image[3], columns);
  const float stride_y = stride(attributes.stride_y, image[2], rows);
  const absl::Span<const float> priors = context.input(0).span<float>();
  const absl::Span<float> output = context.output(0).mutable_span<float>();
  std::fill(output.begin(), output.end(), 0.0f);
  float* out = output.data();
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      const float x = stride_x * (static_cast<float>(column) + 0.5f);
      const float y = stride_y * (static_cast<float>(row) + 0.5f);
      for (size_t i = 0; i < priors.size(); ++i) {
        *out++ = priors[i] + (i % 2 == 0 ? x : y);
      }
    }
  }
  return absl::OkStatus();
}

absl::Status TopKRoisKernel(KernelContext& context) {
  const auto& attributes = context.attributes<TopKRoisAttributes>();
  const float* rois = context.input(0).data<float>();
  const absl::Span<float> output = context.output(0).mutable_span<float>();
  std::fill(output.begin(), output.end(), 0.0f);
  float* out = output.data();
  for (const int64_t i :
       BestFirst(context.input(1).span<float>(), attributes.max_rois)) {
    out = std::copy_n(rois + i * 4, 4, out);
  }
  return absl::OkStatus();
}

}  // namespace dovetail
