#include "dovetail/backends/gpu/steps/roi/sample_text.h"

namespace dovetail::gpu {
namespace {

// Products and sums are rounded each, as the reference does it: where a sample
// lies decides whether it counts.
constexpr char kSample[] = R"(
long roi_clamp(float value, long low, long high) {
  if (!(value > (float)low)) return low;
  return value >= (float)high ? high : (long)value;
}
int roi_near(float position, int extent) {
  return position >= -1.0f && position <= (float)extent;
}
float roi_sample(__global const float* plane, int height, int width, float y,
                 float x) {
#pragma OPENCL FP_CONTRACT OFF
  y = clamp(y, 0.0f, (float)(height - 1));
  x = clamp(x, 0.0f, (float)(width - 1));
  const int top = min((int)y, height - 1), left = min((int)x, width - 1);
  const int right = min(left + 1, width - 1);
  const __global float* low = plane + top * width;
  const __global float* high = plane + min(top + 1, height - 1) * width;
  const float down = y - (float)top, along = x - (float)left;
  return (1 - down) * ((1 - along) * low[left] + along * low[right]) +
         down * ((1 - along) * high[left] + along * high[right]);
}
)";

constexpr char kRange[] = R"(
long2 roi_range(float start, float step, long count, float low, float high) {
#pragma OPENCL FP_CONTRACT OFF
  if (!(low <= high)) return (long2)(0, 0);
  if (step == 0) return (long2)(0, count);
  const float a = (low - start) / step, b = (high - start) / step;
  const float first = a > b ? b : a, last = a > b ? a : b;
  return (long2)(roi_clamp(floor(first) - 2, 0, count),
                 roi_clamp(ceil(last) + 2, 0, count));
}
long roi_samples(float size, int ratio) {
  return ratio > 0 ? ratio : roi_clamp(ceil(size), 0, 1L << 60);
}
)";

constexpr char kBin[] = R"(
typedef struct {
  float begin, step, count;
  long first, last;
} RoiBin;
RoiBin roi_bin(float start, float size, int bin, int ratio, int extent) {
#pragma OPENCL FP_CONTRACT OFF
  RoiBin result;
  const long count = roi_samples(size, ratio);
  result.count = (float)count;
  result.step = size / result.count;
  result.begin = start + (float)bin * size;
  const long2 range = roi_range(result.begin, result.step, count, -1.0f,
                                (float)extent);
  result.first = range.x;
  result.last = range.y;
  return result;
}
float roi_mean(__global const float* plane, int height, int width, RoiBin y,
               RoiBin x, int is_max) {
#pragma OPENCL FP_CONTRACT OFF
  float sum = 0;
  for (long i = y.first; i < y.last; ++i) {
    const float at_y = y.begin + y.step * ((float)i + 0.5f);
    if (!roi_near(at_y, height)) continue;
    for (long j = x.first; j < x.last; ++j) {
      const float at_x = x.begin + x.step * ((float)j + 0.5f);
      if (!roi_near(at_x, width)) continue;
      const float value = roi_sample(plane, height, width, at_y, at_x);
      sum = !is_max ? sum + value : sum < value ? value : sum;
    }
  }
  const float count = y.count * x.count;
  return is_max ? sum : count > 0 ? sum / count : 0.0f;
}
)";

}  // namespace

void AddSampleFunctions(Launch& launch) { launch.writer.Helper(kSample); }

void AddBinFunctions(Launch& launch) {
  AddSampleFunctions(launch);
  launch.writer.Helper(kRange);
  launch.writer.Helper(kBin);
}

}  // namespace dovetail::gpu
