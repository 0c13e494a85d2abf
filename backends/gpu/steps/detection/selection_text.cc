#include "dovetail/backends/gpu/steps/detection/selection_text.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/codegen/vector_text.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail::gpu {
namespace {

// x1, y1, x2, y2.
constexpr char kCorner[] = R"(
float4 corner_box(__global const float* n) {
  return (float4)(min(n[1], n[3]), min(n[0], n[2]), max(n[1], n[3]),
                  max(n[0], n[2]));
}
)";
constexpr char kCenter[] = R"(
float4 center_box(__global const float* n) {
  const float2 half_size = (float2)(n[2], n[3]) / 2;
  return (float4)(n[0] - half_size.x, n[1] - half_size.y, n[0] + half_size.x,
                  n[1] + half_size.y);
}
)";

// Numbers of boxes as a heap, the best of them on top; of equal ones the first.
constexpr char kHeap[] = R"(
int is_better(__global const float* scores, int a, int b) {
  const float x = scores[a], y = scores[b];
  return x > y || (x == y && a < b);
}
void sink_box(__global const float* scores, __global int* heap, int at,
              int size) {
  const int moved = heap[at];
  for (;;) {
    int child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && is_better(scores, heap[child + 1], heap[child])) {
      ++child;
    }
    if (!is_better(scores, heap[child], moved)) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = moved;
}
)";

// The places of kept boxes: x1, y1, x2, y2 and area, each `stride` floats.
// NaN has no area. Sums of areas are not contracted, as a box whose overlap is
// just the limit stays.
constexpr char kOverlap[] = R"(
float box_area(float4 box) {
  return box.z >= box.x && box.w >= box.y ? (box.z - box.x) * (box.w - box.y)
                                          : 0.0f;
}
void keep_box(__global float* places, int stride, int at, float4 box) {
  places[at] = box.x;
  places[at + stride] = box.y;
  places[at + 2 * stride] = box.z;
  places[at + 3 * stride] = box.w;
  places[at + 4 * stride] = box_area(box);
}
$vector box_overlaps$n(__global const float* places, int stride, int at,
                       float4 box, float area) {
  #pragma OPENCL FP_CONTRACT OFF
  const $vector x1 = $load(places + at);
  const $vector y1 = $load(places + at + stride);
  const $vector x2 = $load(places + at + 2 * stride);
  const $vector y2 = $load(places + at + 3 * stride);
  const $vector areas = $load(places + at + 4 * stride);
  const $vector width = min(x2, ($vector)(box.z)) - max(x1, ($vector)(box.x));
  const $vector height = min(y2, ($vector)(box.w)) - max(y1, ($vector)(box.y));
  const $vector common = width * height;
  const $vector all = area + areas - common;
  return ((width > 0) & (height > 0) & (areas > 0) & (common > 0))
             ? common / all
             : ($vector)(0.0f);
}
)";

// Whether one of the first n kept boxes covers it.
constexpr char kCovered[] = R"(
int is_covered$n(__global const float* places, int stride, int n, float4 box,
                 float limit) {
  const float area = box_area(box);
  if (!(area > 0)) return n > 0 && 0 > limit;
  for (int at = 0; at < n; at += $n) {
    const $vector overlaps = box_overlaps$n(places, stride, at, box, area);
    if ($any((overlaps > limit) & (($ints)($numbers) + at < n))) return 1;
  }
  return 0;
}
)";

constexpr char kStart[] = R"(
__global int* heap = (__global int*)work + i * words;
const int stride = (slots + $n - 1) / $n * $n;
__global float* places = (__global float*)heap + count;
__global const float* line = scores + i * count;
__global const float* image = boxes + i / classes * count * 4;
int size = 0, n = 0;
for (int j = 0; j < count; ++j) {
  if (line[j] > score_limit) heap[size++] = j;
}
)";

constexpr char kSelect[] = R"(
for (int j = size / 2 - 1; j >= 0; --j) sink_box(line, heap, j, size);
while (size > 0 && n < most) {
  const int number = heap[0];
  const float4 box = $box(image + number * 4);
  heap[0] = heap[--size];
  sink_box(line, heap, 0, size);
  if (is_covered$n(places, stride, n, box, overlap_limit)) continue;
  keep_box(places, stride, n, box);
  kept[i * slots + n] = number;
  kept_scores[i * slots + n] = line[number];
  ++n;
}
counts[i] = n;
)";

// `seen`: how many of the kept boxes a score has been lowered for already.
constexpr char kSelectSoft[] = R"(
__global float* now = places + 5 * stride;
__global int* seen = (__global int*)now + count;
for (int j = 0; j < count; ++j) {
  now[j] = line[j];
  seen[j] = 0;
}
for (int j = size / 2 - 1; j >= 0; --j) sink_box(now, heap, j, size);
while (size > 0 && n < most) {
  const int number = heap[0];
  const float4 box = $box(image + number * 4);
  const float area = box_area(box), before = now[number];
  float score = before;
  for (int j = n - 1; j >= seen[number]; --j) {
    const float overlap =
        area > 0 ? box_overlaps1(places, stride, j, box, area) : 0.0f;
    if (sigma > 0) {
      score *= exp(-overlap * overlap / (2 * sigma));
    } else if (overlap > overlap_limit) {
      score = -INFINITY;
    }
    if (score <= score_limit) break;
  }
  seen[number] = n;
  now[number] = score;
  if (score == before) {
    keep_box(places, stride, n, box);
    kept[i * slots + n] = number;
    kept_scores[i * slots + n] = score;
    ++n;
  }
  if (score == before || !(score > score_limit)) heap[0] = heap[--size];
  sink_box(now, heap, 0, size);
}
counts[i] = n;
)";

// A score that has fallen to that of a box kept before may be of an earlier
// box.
constexpr char kOrderEqual[] = R"(
for (int j = 1; j < n; ++j) {
  __global int* at = kept + i * slots + j;
  __global const float* value = kept_scores + i * slots + j;
  for (int k = j; k > 0 && value[0] == value[-1] && at[0] < at[-1]; --k) {
    const int other = at[0];
    at[0] = at[-1];
    at[-1] = other;
    --at;
    --value;
  }
}
)";

std::string WithNames(absl::string_view pattern, int lanes, bool is_center) {
  return absl::StrReplaceAll(
      pattern, {{"$vector", FloatVector(lanes)},
                {"$ints", ClVector("int", lanes)},
                {"$numbers", LaneNumbers(lanes)},
                {"$n", absl::StrCat(lanes)},
                {"$load(", lanes == 1 ? "*(" : absl::StrCat("vload", lanes,
                                                            "(0, ")},
                {"$any", lanes == 1 ? "" : "any"},
                {"$box", is_center ? "center_box" : "corner_box"}});
}

}  // namespace

int64_t SelectionWords(int64_t boxes, int64_t slots, bool is_soft, int lanes) {
  const int64_t stride = CeilDivide(slots, int64_t{lanes}) * lanes;
  return boxes + 5 * stride + (is_soft ? 2 * boxes : 0);
}

void AddSelection(const SelectionText& text, KernelWriter& writer) {
  const bool is_center = text.encoding == BoxEncoding::kCenter;
  const int lanes = text.is_soft ? 1 : text.lanes;
  const auto add = [&](absl::string_view pattern) {
    return WithNames(pattern, lanes, is_center);
  };
  writer.Helper(is_center ? kCenter : kCorner);
  writer.Helper(kHeap);
  writer.Helper(add(kOverlap));
  if (!text.is_soft) writer.Helper(add(kCovered));
  writer.Body(add(kStart));
  writer.Body(add(text.is_soft ? kSelectSoft : kSelect));
  if (text.is_soft && text.sorts) writer.Body(kOrderEqual);
}

}  // namespace dovetail::gpu
