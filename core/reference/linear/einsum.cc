#include "dovetail/core/ops/linear/einsum.h"

#include <algorithm>
#include <set>
#include <vector>

#include "dovetail/core/reference/common/indexing.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/linear/linear.h"
#include "dovetail/core/reference/linear/products.h"

namespace dovetail {
namespace {

bool Has(const std::vector<int>& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

// A tensor with a number for each axis; a number that is there twice stands
// for a diagonal.
template <typename T>
struct Operand {
  std::vector<int> axes;
  Shape shape;
  std::vector<T> elements;
};

// The operand with axes `axes`, of extent 1 where it has none: packed,
// diagonals taken, summed over all other axes.
template <typename T>
absl::StatusOr<Operand<T>> Arrange(const Operand<T>& operand,
                                   const std::vector<int>& axes) {
  const ElementStrides strides = RowMajorStrides(operand.shape);
  Operand<T> result;
  result.axes = axes;
  std::vector<int> order = axes;  // then those to sum over
  for (int axis : operand.axes) {
    if (!Has(order, axis)) order.push_back(axis);
  }
  Shape walk;
  ElementStrides steps;
  for (int axis : order) {
    int64_t extent = 1, step = 0;
    for (size_t i = 0; i < operand.axes.size(); ++i) {
      if (operand.axes[i] != axis || operand.shape[i] == 1) continue;
      extent = operand.shape[i];
      step += strides[i];
    }
    walk.push_back(extent);
    steps.push_back(step);
  }
  const int kept = static_cast<int>(axes.size());
  result.shape = Shape(walk.dims().subspan(0, kept));
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, result.shape.ElementCount());
  result.elements.assign(count, T{0});
  const int64_t summed = walk.Count(kept, walk.rank());
  if (summed == 0) return result;
  Odometer<1> at(walk, {steps});
  for (T& element : result.elements) {
    for (int64_t i = 0; i < summed; ++i, at.Next()) {
      element += operand.elements[at.offset(0)];
    }
  }
  return result;
}

// The extent of an axis, 1 where the operand has none. On a diagonal an extent
// of 1 broadcasts.
template <typename T>
int64_t ExtentIn(const Operand<T>& operand, int axis) {
  for (size_t i = 0; i < operand.axes.size(); ++i) {
    if (operand.axes[i] == axis && operand.shape[i] != 1) {
      return operand.shape[i];
    }
  }
  return 1;
}

// What an axis of both has in the product: an extent of 1 broadcasts.
template <typename T>
int64_t JointExtent(const Operand<T>& a, const Operand<T>& b, int axis) {
  const int64_t extent = ExtentIn(a, axis);
  return extent == 1 ? ExtentIn(b, axis) : extent;
}

// Repeats an arranged operand along the axes where it has extent 1 and `shape`
// has not.
template <typename T>
absl::StatusOr<Operand<T>> BroadcastTo(const Operand<T>& operand,
                                       const Shape& shape) {
  if (operand.shape == shape) return operand;
  Operand<T> result{operand.axes, shape, {}};
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, shape.ElementCount());
  result.elements.reserve(count);
  Odometer<1> at(shape, {BroadcastStrides(operand.shape, shape)});
  for (int64_t i = 0; i < count; ++i, at.Next()) {
    result.elements.push_back(operand.elements[at.offset(0)]);
  }
  return result;
}

// Products of two operands, summed over the axes that only they have: `needed`
// are those of operands to come and of the output. Axes of both that stay make
// many matrix multiplications, the others rows, columns and what is summed.
template <typename T>
absl::StatusOr<Operand<T>> Contract(const KernelContext& context,
                                    const Operand<T>& a, const Operand<T>& b,
                                    const std::set<int>& needed) {
  std::vector<int> batch, rows, columns, inner;
  for (int axis : std::set<int>(a.axes.begin(), a.axes.end())) {
    const bool stays = needed.count(axis) > 0;
    if (Has(b.axes, axis))
      (stays ? batch : inner).push_back(axis);
    else if (stays)
      rows.push_back(axis);
  }
  for (int axis : std::set<int>(b.axes.begin(), b.axes.end())) {
    if (!Has(a.axes, axis) && needed.count(axis) > 0) columns.push_back(axis);
  }
  auto joined = [&](std::initializer_list<const std::vector<int>*> parts) {
    std::vector<int> axes;
    for (const auto* part : parts) {
      axes.insert(axes.end(), part->begin(), part->end());
    }
    return axes;
  };
  auto shape_of = [&](const std::vector<int>& axes) {
    Shape shape;
    for (int axis : axes) shape.push_back(JointExtent(a, b, axis));
    return shape;
  };
  const std::vector<int> a_axes = joined({&batch, &rows, &inner});
  const std::vector<int> b_axes = joined({&batch, &inner, &columns});
  DOVETAIL_ASSIGN_OR_RETURN(Operand<T> left, Arrange(a, a_axes));
  DOVETAIL_ASSIGN_OR_RETURN(left, BroadcastTo(left, shape_of(a_axes)));
  DOVETAIL_ASSIGN_OR_RETURN(Operand<T> right, Arrange(b, b_axes));
  DOVETAIL_ASSIGN_OR_RETURN(right, BroadcastTo(right, shape_of(b_axes)));

  Operand<T> result;
  result.axes = joined({&batch, &rows, &columns});
  result.shape = shape_of(result.axes);
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, result.shape.ElementCount());
  result.elements.assign(count, T{0});
  if (count == 0) return result;
  const ProductDims dims{shape_of(rows).Count(), shape_of(inner).Count(),
                         shape_of(columns).Count()};
  MultiplyMatrices<T>(context, shape_of(batch).Count(), dims, [&](int64_t i) {
    return MatrixProduct<T>{
        {left.elements.data() + i * dims.rows * dims.inner, dims.inner, 1},
        {right.elements.data() + i * dims.inner * dims.columns, dims.columns,
         1},
        result.elements.data() + i * dims.rows * dims.columns};
  });
  return result;
}

template <typename T>
std::vector<Operand<T>> ReadOperands(const KernelContext& context,
                                     const EinsumEquation& equation, int dots) {
  std::vector<Operand<T>> operands;
  for (int i = 0; i < context.input_count(); ++i) {
    const Tensor& input = context.input(i);
    const absl::Span<const T> elements(input.data<T>(), input.element_count());
    operands.push_back({EinsumAxes(equation.inputs[i], input.rank(), dots),
                        input.shape(),
                        {elements.begin(), elements.end()}});
  }
  return operands;
}

template <typename T>
absl::Status Run(const KernelContext& context, const EinsumEquation& equation) {
  int dots = 0;
  for (int i = 0; i < context.input_count(); ++i) {
    dots =
        std::max(dots, EinsumDots(equation.inputs[i], context.input(i).rank()));
  }
  const std::vector<Operand<T>> operands =
      ReadOperands<T>(context, equation, dots);
  const Tensor& output = context.output(0);
  const std::vector<int> output_axes =
      EinsumAxes(equation.output, output.rank(), dots);
  Operand<T> product = operands[0];
  for (size_t i = 1; i < operands.size(); ++i) {
    std::set<int> needed(output_axes.begin(), output_axes.end());
    for (size_t later = i + 1; later < operands.size(); ++later) {
      needed.insert(operands[later].axes.begin(), operands[later].axes.end());
    }
    DOVETAIL_ASSIGN_OR_RETURN(product,
                              Contract(context, product, operands[i], needed));
  }
  DOVETAIL_ASSIGN_OR_RETURN(product, Arrange(product, output_axes));
  std::copy(product.elements.begin(), product.elements.end(),
            output.mutable_data<T>());
  return absl::OkStatus();
}

}  // namespace

absl::Status EinsumKernel(KernelContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(
      const EinsumEquation equation,
      EinsumEquation::Parse(context.attributes<EinsumAttributes>().equation));
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    return DispatchWideArithmetic(wide.input(0).type(), wide, [&](auto tag) {
      return Run<typename decltype(tag)::type>(wide, equation);
    });
  });
}

}  // namespace dovetail
