#include "dovetail/core/ops/linear/inverse.h"

#include <cmath>
#include <utility>
#include <vector>

#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/linear/linear.h"

namespace dovetail {
namespace {

// Gauss-Jordan elimination with partial pivoting on [matrix | identity], rows
// of 2n elements; the right half becomes the inverse.
class Elimination {
 public:
  explicit Elimination(int64_t n) : n_(n), rows_(n * 2 * n) {}

  double& At(int64_t row, int64_t column) {
    return rows_[row * 2 * n_ + column];
  }

  void Run() {
    for (int64_t column = 0; column < n_; ++column) {
      SwapRows(column, PivotRow(column));
      const double pivot = At(column, column);
      for (int64_t i = 0; i < 2 * n_; ++i) At(column, i) /= pivot;
      for (int64_t row = 0; row < n_; ++row) {
        const double factor = At(row, column);
        if (row == column || factor == 0) continue;
        for (int64_t i = column; i < 2 * n_; ++i) {
          At(row, i) -= factor * At(column, i);
        }
      }
    }
  }

 private:
  // The row from `column` on with the greatest element in this column.
  int64_t PivotRow(int64_t column) {
    int64_t best = column;
    for (int64_t row = column + 1; row < n_; ++row) {
      if (std::fabs(At(row, column)) > std::fabs(At(best, column))) best = row;
    }
    return best;
  }

  void SwapRows(int64_t a, int64_t b) {
    if (a == b) return;
    for (int64_t i = 0; i < 2 * n_; ++i) std::swap(At(a, i), At(b, i));
  }

  int64_t n_;
  std::vector<double> rows_;
};

template <typename T>
void InvertOne(const T* in, int64_t n, bool transpose, T* out) {
  Elimination elimination(n);
  for (int64_t row = 0; row < n; ++row) {
    for (int64_t column = 0; column < n; ++column) {
      elimination.At(row, column) = in[row * n + column];
    }
    elimination.At(row, n + row) = 1;
  }
  elimination.Run();
  for (int64_t row = 0; row < n; ++row) {
    for (int64_t column = 0; column < n; ++column) {
      const double element = elimination.At(row, n + column);
      out[transpose ? column * n + row : row * n + column] =
          static_cast<T>(element);
    }
  }
}

}  // namespace

absl::Status InverseKernel(KernelContext& context) {
  const int64_t count = context.input(0).element_count();
  if (count == 0) return absl::OkStatus();
  const bool adjoint = context.attributes<InverseAttributes>().adjoint;
  const int64_t n = context.input(0).shape().back();
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    return DispatchWideFloat(wide.input(0).type(), wide, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T* in = wide.input(0).data<T>();
      T* out = wide.output(0).mutable_data<T>();
      ParallelLoop(wide, count / (n * n), 2 * n * n * n,
                   [&](int64_t i, int64_t end) {
                     for (; i < end; ++i) {
                       InvertOne(in + i * n * n, n, adjoint, out + i * n * n);
                     }
                   });
      return absl::OkStatus();
    });
  });
}

}  // namespace dovetail
