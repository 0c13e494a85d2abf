#include "dovetail/core/ops/linear/grouped_matmul.h"

#include <algorithm>
#include <vector>

#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/linear/linear.h"
#include "dovetail/core/reference/linear/products.h"

namespace dovetail {
namespace {

// The ends of the groups: they do not fall and lie in [0, extent].
absl::Status CheckEnds(const KernelContext& context,
                       const std::vector<int64_t>& ends, int64_t extent) {
  int64_t before = 0;
  for (int64_t end : ends) {
    if (end < before || end > extent) {
      return context.Error("input 2 (ends of groups) has ", end, " after ",
                           before, ", want ", before, " to ", extent);
    }
    before = end;
  }
  return absl::OkStatus();
}

// One product: group number, dimensions and where it is.
template <typename T>
struct GroupProduct {
  int64_t group;
  ProductDims dims;
  MatrixProduct<T> product;
};

template <typename T>
std::vector<GroupProduct<T>> Products(const KernelContext& context,
                                      const std::vector<int64_t>& ends) {
  const Shape& a = context.input(0).shape();
  const Shape& b = context.input(1).shape();
  const T* a_data = context.input(0).data<T>();
  const T* b_data = context.input(1).data<T>();
  T* out = context.output(0).mutable_data<T>();
  const int64_t inner = a[a.rank() - 1];
  const int64_t columns = b[b.rank() - 2];
  const int64_t rows = a[a.rank() - 2];
  const int64_t groups =
      a.rank() == 3 ? a[0] : static_cast<int64_t>(ends.size());
  std::vector<GroupProduct<T>> products;
  for (int64_t group = 0; group < groups; ++group) {
    const int64_t begin = group == 0 || ends.empty() ? 0 : ends[group - 1];
    const int64_t size = ends.empty() ? 0 : ends[group] - begin;
    MatrixProduct<T> product{{a_data, inner, 1}, {b_data, 1, inner}, out};
    ProductDims dims{rows, inner, columns};
    if (b.rank() == 3) product.b.data += group * columns * inner;
    if (a.rank() == 3) {
      product.a.data += group * rows * inner;
      product.out += group * rows * columns;
    } else if (b.rank() == 3) {
      dims.rows = size;
      product.a.data += begin * inner;
      product.out += begin * columns;
    } else {
      dims.inner = size;
      product.a.data += begin;
      product.b.data += begin;
      product.out += group * rows * columns;
    }
    products.push_back({group, dims, product});
  }
  return products;
}

}  // namespace

absl::Status GroupedMatMulKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  const Shape& a = context.input(0).shape();
  const bool by_columns = context.input(1).rank() == 2;
  std::vector<int64_t> ends;
  if (a.rank() == 2) {
    ends = ToInt64Vector(context.input(2));
    DOVETAIL_RETURN_IF_ERROR(CheckEnds(context, ends, a[by_columns ? 1 : 0]));
  }
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    return DispatchWideArithmetic(
        wide.input(0).type(), wide, [&](auto tag) {
          using T = typename decltype(tag)::type;
          absl::Span<T> out = wide.output(0).mutable_span<T>();
          std::fill(out.begin(), out.end(), T{0});
          for (const auto& [group, dims, product] : Products<T>(wide, ends)) {
            // clang captures no structured bindings.
            const MatrixProduct<T>& factors = product;
            MultiplyMatrices<T>(wide, 1, dims,
                                [&](int64_t) { return factors; });
            if (!wide.has_input(3)) continue;
            const T* bias = wide.input(3).data<T>() + group * dims.columns;
            for (int64_t i = 0; i < dims.rows * dims.columns; ++i) {
              product.out[i] += bias[i % dims.columns];
            }
          }
          return absl::OkStatus();
        });
  });
}

}  // namespace dovetail
