#include "dovetail/core/ops/linear/einsum.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "dovetail/transformations/decompose/arithmetic/rules.h"

namespace dovetail {
namespace {

using Axes = std::vector<int>;

bool Has(const Axes& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

// A value with the name of each of its axes (see EinsumAxes).
struct Term {
  Value value;
  Axes axes;

  int Find(int axis) const {
    return static_cast<int>(std::find(axes.begin(), axes.end(), axis) -
                            axes.begin());
  }
  const Dimension& extent(int axis) const { return value.shape()[Find(axis)]; }
};

Term Ordered(NodeBuilder& b, const Term& term, const Axes& axes) {
  if (term.axes == axes) return term;
  std::vector<int64_t> order;
  for (int axis : axes) order.push_back(term.Find(axis));
  return {b.Transpose(term.value, order), axes};
}

// The diagonal of two axes of one name, which are put last: of n * n elements
// each n + 1st. Nothing unless both extents are known to be the same.
Term WithoutDouble(NodeBuilder& b, const Term& term, int axis) {
  const int first = term.Find(axis);
  std::vector<int64_t> order;
  Axes axes;
  for (int i = 0; i < static_cast<int>(term.axes.size()); ++i) {
    if (i != first) axes.push_back(term.axes[i]);
  }
  const int rest_first = static_cast<int>(
      std::find(axes.begin(), axes.end(), axis) - axes.begin());
  axes.erase(axes.begin() + rest_first);
  const int second = rest_first + (rest_first >= first ? 1 : 0);
  for (int i = 0; i < static_cast<int>(term.axes.size()); ++i) {
    if (i != first && i != second) order.push_back(i);
  }
  const Dimension n = term.value.shape()[first];
  if (n.is_dynamic() || n != term.value.shape()[second]) return {};
  order.insert(order.end(), {first, second});
  const Value matrix = b.Transpose(term.value, order);
  const int64_t count = n.value();
  const Value flat = b.Reshape(
      matrix, b.Concat({b.Dims(matrix, 0, -2), b.Ints({count * count})}));
  axes.push_back(axis);
  return {b.Slice(flat, static_cast<int64_t>(axes.size()) - 1, 0,
                  count * count, count + 1),
          axes};
}

Term WithoutDoubles(NodeBuilder& b, Term term) {
  for (size_t i = 0; i < term.axes.size(); ++i) {
    const int axis = term.axes[i];
    if (std::count(term.axes.begin(), term.axes.end(), axis) < 2) continue;
    term = WithoutDouble(b, term, axis);
    if (!term.value) return {};
    i = static_cast<size_t>(-1);  // from the start
  }
  return term;
}

// Summed over what nobody needs any more.
Term Summed(NodeBuilder& b, const Term& term, const std::set<int>& needed) {
  Axes kept;
  std::vector<int64_t> summed;
  for (size_t i = 0; i < term.axes.size(); ++i) {
    if (needed.count(term.axes[i]) != 0) {
      kept.push_back(term.axes[i]);
    } else {
      summed.push_back(static_cast<int64_t>(i));
    }
  }
  if (summed.empty()) return term;
  return {b.Reduce("ReduceSum", term.value, summed, /*keep_dims=*/false), kept};
}

// The axes of two terms, by what becomes of them in the product.
struct Split {
  Axes batch, left, right, contracted;
};

Split SplitAxes(const Term& a, const Term& b, const std::set<int>& needed) {
  Split split;
  for (int axis : a.axes) {
    if (!Has(b.axes, axis)) {
      split.left.push_back(axis);
    } else if (needed.count(axis) != 0) {
      split.batch.push_back(axis);
    } else {
      split.contracted.push_back(axis);
    }
  }
  for (int axis : b.axes) {
    if (!Has(a.axes, axis)) split.right.push_back(axis);
  }
  return split;
}

Axes Joined(Axes first, const Axes& second, const Axes& third = {}) {
  first.insert(first.end(), second.begin(), second.end());
  first.insert(first.end(), third.begin(), third.end());
  return first;
}

// With axes of extent 1 for those that it has not.
Value Aligned(NodeBuilder& b, const Term& term, const Axes& axes) {
  Axes own;
  std::vector<int64_t> missing;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (Has(term.axes, axes[i])) {
      own.push_back(axes[i]);
    } else {
      missing.push_back(static_cast<int64_t>(i));
    }
  }
  const Value ordered = Ordered(b, term, own).value;
  return missing.empty() ? ordered : b.Unsqueeze(ordered, missing);
}

// Extents of 1 broadcast, which a matrix product knows for its batch only.
bool CanContract(const Term& a, const Term& b, const Split& split) {
  return !split.contracted.empty() && IsFloat(a.value.type()) &&
         std::all_of(split.contracted.begin(), split.contracted.end(),
                     [&](int axis) {
                       return a.extent(axis).is_static() &&
                              a.extent(axis) == b.extent(axis);
                     });
}

Value ProductOfDims(NodeBuilder& b, Value x, size_t begin, size_t count) {
  if (count == 0) return b.Ints({1});
  const int first = static_cast<int>(begin);
  return b.Product(b.Dims(x, first, first + static_cast<int>(count)));
}

// [batch …, first …, second …] as [batch …, first, second].
Value AsMatrices(NodeBuilder& b, Value x, size_t batch, size_t first,
                 size_t second) {
  std::vector<Value> shape;
  if (batch > 0) shape.push_back(b.Dims(x, 0, static_cast<int>(batch)));
  shape.push_back(ProductOfDims(b, x, batch, first));
  shape.push_back(ProductOfDims(b, x, batch + first, second));
  return b.Reshape(x, b.Concat(shape));
}

Term Contract(NodeBuilder& b, const Term& one, const Term& other,
              const Split& split) {
  const Value left =
      Ordered(b, one, Joined(split.batch, split.left, split.contracted)).value;
  const Value right =
      Ordered(b, other, Joined(split.batch, split.contracted, split.right))
          .value;
  const size_t batch = split.batch.size(), k = split.contracted.size();
  const size_t rows = split.left.size(), columns = split.right.size();
  const Value product =
      b.MatMul(AsMatrices(b, left, batch, rows, k),
               AsMatrices(b, right, batch, k, columns));
  const auto dims = [&](Value x, size_t begin, size_t count) {
    const int first = static_cast<int>(begin);
    return b.Dims(x, first, first + static_cast<int>(count));
  };
  std::vector<Value> shape;
  if (batch > 0) shape.push_back(dims(product, 0, batch));
  if (rows > 0) shape.push_back(dims(left, batch, rows));
  if (columns > 0) shape.push_back(dims(right, batch + k, columns));
  return {b.Reshape(product, shape.empty() ? b.Ints({}) : b.Concat(shape)),
          Joined(split.batch, split.left, split.right)};
}

Term Multiply(NodeBuilder& b, const Term& one, const Term& other,
              const std::set<int>& needed) {
  const Split split = SplitAxes(one, other, needed);
  if (CanContract(one, other, split)) return Contract(b, one, other, split);
  const Axes all =
      Joined(Joined(split.batch, split.left, split.right), split.contracted);
  const Term product = {
      b.Multiply(Aligned(b, one, all), Aligned(b, other, all)), all};
  return Summed(b, product, needed);
}

// What the output and the terms from `next` on have.
std::set<int> NeededFrom(const std::vector<Term>& terms, size_t next,
                         const Axes& output) {
  std::set<int> needed(output.begin(), output.end());
  for (size_t i = next; i < terms.size(); ++i) {
    needed.insert(terms[i].axes.begin(), terms[i].axes.end());
  }
  return needed;
}

// The inputs with their axes; none when a rank is not known.
std::vector<Term> TermsOf(const Node& node, const EinsumEquation& equation,
                          int& dots) {
  for (int i = 0; i < node.input_count(); ++i) {
    const PartialShape& shape = node.input(i).shape();
    if (!shape.rank_known()) return {};
    dots = std::max(dots, EinsumDots(equation.inputs[i], shape.rank()));
  }
  std::vector<Term> terms;
  for (int i = 0; i < node.input_count(); ++i) {
    const Value value = node.input(i);
    terms.push_back({value, EinsumAxes(equation.inputs[i],
                                       value.shape().rank(), dots)});
  }
  return terms;
}

Replacement Einsum(NodeBuilder& b, const Node& node) {
  const auto equation =
      EinsumEquation::Parse(node.As<EinsumAttributes>()->equation);
  if (!equation.ok() || !node.port().shape.rank_known()) return {};
  int dots = 0;
  std::vector<Term> terms = TermsOf(node, *equation, dots);
  if (terms.empty()) return {};
  const Axes output =
      EinsumAxes(equation->output, node.port().shape.rank(), dots);
  for (size_t i = 0; i < terms.size(); ++i) {
    terms[i] = WithoutDoubles(b, terms[i]);
    if (!terms[i].value) return {};
  }
  Term product;
  for (size_t i = 0; i < terms.size(); ++i) {
    std::set<int> others = NeededFrom(terms, i + 1, output);
    others.insert(product.axes.begin(), product.axes.end());
    const Term term = Summed(b, terms[i], others);
    product = i == 0 ? term
                     : Multiply(b, product, term,
                                NeededFrom(terms, i + 1, output));
  }
  return {Ordered(b, product, output).value};
}

constexpr NodeRule kRules[] = {
    {"Einsum", 7, "ReduceSum, Transpose, MatMul or Multiply", &Einsum},
};

}  // namespace

absl::Span<const NodeRule> EinsumDecompositions() { return kRules; }

bool KnowsSummedExtents(const Node& einsum) {
  const auto equation =
      EinsumEquation::Parse(einsum.As<EinsumAttributes>()->equation);
  if (!equation.ok() || !einsum.port().shape.rank_known()) return false;
  int dots = 0;
  const std::vector<Term> terms = TermsOf(einsum, *equation, dots);
  const Axes output =
      EinsumAxes(equation->output, einsum.port().shape.rank(), dots);
  std::map<int, int> uses;
  std::set<int> unknown;
  for (const Term& term : terms) {
    for (size_t i = 0; i < term.axes.size(); ++i) {
      ++uses[term.axes[i]];
      if (term.value.shape()[i].is_dynamic()) unknown.insert(term.axes[i]);
    }
  }
  return !terms.empty() &&
         std::all_of(unknown.begin(), unknown.end(), [&](int axis) {
           return Has(output, axis) || uses[axis] == 1;
         });
}

}  // namespace dovetail
