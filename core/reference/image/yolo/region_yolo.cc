#include <algorithm>
#include <cmath>

#include "dovetail/core/ops/image/yolo/region_yolo.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/image/yolo/yolo.h"

namespace dovetail {
namespace {

template <typename T>
void Logistic(T* values, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    values[i] = T{1} / (T{1} + std::exp(-values[i]));
  }
}

// The softmax over `classes` planes of `area` elements, for each element.
template <typename T>
void SoftmaxOverPlanes(T* scores, int64_t classes, int64_t area) {
  for (int64_t cell = 0; cell < area; ++cell) {
    T* score = scores + cell;
    T greatest = score[0];
    for (int64_t c = 1; c < classes; ++c) {
      greatest = std::max(greatest, score[c * area]);
    }
    T sum{0};
    for (int64_t c = 0; c < classes; ++c) {
      score[c * area] = std::exp(score[c * area] - greatest);
      sum += score[c * area];
    }
    for (int64_t c = 0; c < classes; ++c) score[c * area] /= sum;
  }
}

// One box of all cells: [entries, area].
template <typename T>
void ActivateBox(const RegionYoloAttributes& attributes, int64_t area,
                 T* box) {
  Logistic(box, std::min<int64_t>(attributes.coords, 2) * area);
  T* object = box + attributes.coords * area;
  if (attributes.do_softmax) {
    Logistic(object, area);
    if (attributes.classes > 0) {
      SoftmaxOverPlanes(object + area, attributes.classes, area);
    }
  } else {
    Logistic(object, (1 + attributes.classes) * area);
  }
}

}  // namespace

absl::Status RegionYoloKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  const auto& attributes = context.attributes<RegionYoloAttributes>();
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    return DispatchWideFloat(wide.input(0).type(), wide, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const Shape& shape = wide.input(0).shape();
      const int64_t area = shape[2] * shape[3];
      const int64_t box_elements = attributes.entries() * area;
      const T* in = wide.input(0).template data<T>();
      T* out = wide.output(0).template mutable_data<T>();
      ParallelLoop(wide, shape[0] * attributes.regions(), 20 * box_elements,
                   [&](int64_t begin, int64_t end) {
                     for (int64_t box = begin; box < end; ++box) {
                       T* values = out + box * box_elements;
                       std::copy_n(in + box * box_elements, box_elements,
                                   values);
                       ActivateBox(attributes, area, values);
                     }
                   });
      return absl::OkStatus();
    });
  });
}

}  // namespace dovetail
