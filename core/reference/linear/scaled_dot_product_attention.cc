#include "dovetail/core/ops/linear/scaled_dot_product_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "dovetail/core/reference/common/indexing.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/linear/linear.h"
#include "dovetail/core/reference/linear/products.h"

namespace dovetail {
namespace {

// An input that is broadcast to [N …, rows, columns]: strides of all axes.
struct Broadcast {
  ElementStrides strides;  // of the leading axes
  int64_t row_stride = 0;
  int64_t column_stride = 0;
};

Broadcast BroadcastOf(const Shape& from, const Shape& leading, int64_t rows,
                      int64_t columns) {
  Shape to = leading;
  to.push_back(rows);
  to.push_back(columns);
  Broadcast result;
  result.strides = BroadcastStrides(from, to);
  result.column_stride = result.strides.back();
  result.strides.pop_back();
  result.row_stride = result.strides.back();
  result.strides.pop_back();
  return result;
}

template <typename T>
class AttentionLoop {
 public:
  explicit AttentionLoop(const KernelContext& context)
      : context_(context), output_(context.output(0).mutable_data<T>()) {
    const Shape& query = context.input(0).shape();
    const Shape& value = context.input(2).shape();
    leading_ = context.output(0).shape();
    leading_.resize(leading_.rank() - 2);
    queries_ = query[query.rank() - 2];
    depth_ = query[query.rank() - 1];
    keys_ = value[value.rank() - 2];
    width_ = value[value.rank() - 1];
    causal_ =
        context.attributes<ScaledDotProductAttentionAttributes>().causal;
    has_mask_ = !causal_ && context.has_input(3);
    has_sink_ = context.has_input(5);
    query_ = BroadcastOf(query, leading_, queries_, depth_);
    key_ = BroadcastOf(context.input(1).shape(), leading_, keys_, depth_);
    value_ = BroadcastOf(value, leading_, keys_, width_);
    if (has_mask_) {
      mask_ = BroadcastOf(context.input(3).shape(), leading_, queries_, keys_);
    }
    if (has_sink_) {
      sink_ = BroadcastOf(context.input(5).shape(), leading_, queries_, 1);
    }
    scale_ = context.has_input(4) ? context.input(4).data<T>()[0]
                                  : 1 / std::sqrt(static_cast<T>(depth_));
  }

  int64_t matrices() const { return leading_.Count(); }
  int64_t queries() const { return queries_; }
  int64_t cost() const { return keys_ * (depth_ + width_ + 20) / 2 + 1; }

  // One row of the output; `scores` has room for one score a key.
  void Run(int64_t matrix, int64_t row, std::vector<T>& scores) const {
    Odometer<5> at(leading_, {query_.strides, key_.strides, value_.strides,
                              has_mask_ ? mask_.strides : query_.strides,
                              has_sink_ ? sink_.strides : query_.strides});
    at.Seek(matrix);
    const T* query = Data(0) + at.offset(0) + row * query_.row_stride;
    for (int64_t key = 0; key < keys_; ++key) {
      scores[key] = scale_ * DotProduct(query,
                                        Data(1) + at.offset(1) +
                                            key * key_.row_stride,
                                        depth_);
    }
    if (has_mask_) ApplyMask(at.offset(3) + row * mask_.row_stride, scores);
    if (causal_) {
      std::fill(scores.begin() + std::min(row + 1, keys_), scores.end(),
                -std::numeric_limits<T>::infinity());
    }
    const T* sink =
        has_sink_ ? Data(5) + at.offset(4) + row * sink_.row_stride : nullptr;
    Softmax(sink, scores);
    T* out = output_ + (matrix * queries_ + row) * width_;
    std::fill(out, out + width_, T{0});
    for (int64_t key = 0; key < keys_; ++key) {
      const T* value = Data(2) + at.offset(2) + key * value_.row_stride;
      for (int64_t i = 0; i < width_; ++i) out[i] += scores[key] * value[i];
    }
  }

 private:
  const T* Data(int input) const { return context_.input(input).data<T>(); }

  void ApplyMask(int64_t first, std::vector<T>& scores) const {
    const Tensor& mask = context_.input(3);
    for (int64_t key = 0; key < keys_; ++key) {
      const int64_t i = first + key * mask_.column_stride;
      if (mask.type() != ElementType::kBoolean) {
        scores[key] += mask.data<T>()[i];
      } else if (mask.data<uint8_t>()[i] == 0) {
        scores[key] = -std::numeric_limits<T>::infinity();
      }
    }
  }

  // A sink takes its part of the sum and is left out.
  static void Softmax(const T* sink, std::vector<T>& scores) {
    T greatest =
        sink != nullptr ? *sink : -std::numeric_limits<T>::infinity();
    for (T score : scores) greatest = std::max(greatest, score);
    T sum = sink != nullptr ? std::exp(*sink - greatest) : T{0};
    for (T& score : scores) sum += score = std::exp(score - greatest);
    for (T& score : scores) score /= sum;
  }

  const KernelContext& context_;
  T* output_;
  Shape leading_;
  int64_t queries_, keys_, depth_, width_;
  bool causal_, has_mask_, has_sink_;
  Broadcast query_, key_, value_, mask_, sink_;
  T scale_;
};

}  // namespace

absl::Status ScaledDotProductAttentionKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  return WithWideTypes(context, 0, [](KernelContext& wide) {
    return DispatchWideFloat(wide.input(0).type(), wide, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const AttentionLoop<T> loop(wide);
      const int64_t keys = wide.input(2).shape()[wide.input(2).rank() - 2];
      ParallelLoop(wide, loop.matrices() * loop.queries(), loop.cost(),
                   [&](int64_t i, int64_t end) {
                     std::vector<T> scores(keys);
                     for (; i < end; ++i) {
                       loop.Run(i / loop.queries(), i % loop.queries(),
                                scores);
                     }
                   });
      return absl::OkStatus();
    });
  });
}

}  // namespace dovetail
