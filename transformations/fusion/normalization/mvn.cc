#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/normalization/divide_by_root.h"
#include "dovetail/transformations/fusion/normalization/rules.h"

namespace dovetail {
namespace {

// x - mean, where the mean is over `axes`.
struct Centred {
  Value x, mean;
  std::vector<int64_t> axes;
};

std::optional<Centred> WithMean(Value x, Value mean) {
  auto reduction = ReductionOf(mean, "ReduceMean");
  if (!reduction.has_value() || reduction->of != x) return std::nullopt;
  return Centred{x, mean, std::move(reduction->axes)};
}

std::optional<Centred> CentredOf(Value value) {
  if (const Node* difference = NodeOf(value, "Subtract")) {
    return WithMean(difference->input(0), difference->input(1));
  }
  const Node* sum = NodeOf(value, "Add");
  if (sum == nullptr) return std::nullopt;
  for (int i : {0, 1}) {
    if (const Value mean = NegatedIn(sum->input(1 - i))) {
      return WithMean(sum->input(i), mean);
    }
  }
  return std::nullopt;
}

// Whether `value` is the square of x - mean.
bool IsSquareOf(Value value, const Centred& centred) {
  if (const Node* difference = NodeOf(value, "SquaredDifference")) {
    const Value a = difference->input(0), b = difference->input(1);
    return (a == centred.x && b == centred.mean) ||
           (b == centred.x && a == centred.mean);
  }
  const Value root = SquareRootOf(value);
  const auto other = root ? CentredOf(root) : std::nullopt;
  return other.has_value() && other->x == centred.x &&
         other->axes == centred.axes;
}

// Whether `value` is the variance: mean((x - mean)^2) or mean(x^2) - mean^2.
bool IsVarianceOf(Value value, const Centred& centred) {
  if (const Node* difference = NodeOf(value, "Subtract")) {
    const auto squares = ReductionOf(difference->input(0), "ReduceMean");
    return squares.has_value() && squares->axes == centred.axes &&
           SquareRootOf(squares->of) == centred.x &&
           SquareRootOf(difference->input(1)) == centred.mean;
  }
  const auto variance = ReductionOf(value, "ReduceMean");
  return variance.has_value() && variance->axes == centred.axes &&
         IsSquareOf(variance->of, centred);
}

Value MakeMvn(NodeBuilder& b, const Centred& centred, const Root& root) {
  if (root.place == Root::Eps::kGreater || !(root.eps > 0) ||
      !IsVarianceOf(root.under, centred)) {
    return Value{};
  }
  const bool inside = root.place == Root::Eps::kInside;
  return b.Make(
      "MVN", {centred.x, b.Ints(centred.axes)},
      {{"eps", root.eps},
       {"normalize_variance", true},
       {"eps_mode", std::string(inside ? "INSIDE_SQRT" : "OUTSIDE_SQRT")}});
}

// (x - mean) / sqrt(mean((x - mean)^2) + eps)
Replacement Mvn(NodeBuilder& b, const Node& node) {
  const auto over = DivideByRootOf(node);
  if (!over.has_value()) return {};
  const auto centred = CentredOf(over->of);
  if (!centred.has_value()) return {};
  return {MakeMvn(b, *centred, over->root)};
}

// What is multiplied with a reciprocal root; the empty gamma for 1.
struct Scale {
  Root root;
  Value gamma;
};
std::optional<Scale> ScaleOf(Value value) {
  if (const auto root = InverseRootOf(value)) return Scale{*root, Value{}};
  const Node* product = NodeOf(value, "Multiply");
  if (product == nullptr) return std::nullopt;
  for (int i : {0, 1}) {
    if (const auto root = InverseRootOf(product->input(i))) {
      return Scale{*root, product->input(1 - i)};
    }
  }
  return std::nullopt;
}

// x * s and beta - mean * s have s in common.
struct Moments {
  Value x, mean, scale, beta;
};
std::optional<Moments> MomentsOf(const Node& sum) {
  for (int i : {0, 1}) {
    const Node* scaled = InnerNode(sum.input(i), "Multiply");
    const Node* rest = InnerNode(sum.input(1 - i), "Subtract");
    if (scaled == nullptr || rest == nullptr) continue;
    const Node* shift = InnerNode(rest->input(1), "Multiply");
    if (shift == nullptr) continue;
    for (int a : {0, 1}) {
      for (int c : {0, 1}) {
        if (scaled->input(a) != shift->input(c)) continue;
        return Moments{scaled->input(1 - a), shift->input(1 - c),
                       scaled->input(a), rest->input(0)};
      }
    }
  }
  return std::nullopt;
}

// x * s + (beta - mean * s), where s = gamma / sqrt(variance + eps).
Replacement OfMoments(NodeBuilder& b, const Node& node) {
  if (!IsFloatValue(OutputOf(node))) return {};
  const auto moments = MomentsOf(node);
  if (!moments.has_value() || moments->scale.port().uses.size() != 2) return {};
  const auto centred = WithMean(moments->x, moments->mean);
  const auto scale = ScaleOf(moments->scale);
  if (!centred.has_value() || !scale.has_value()) return {};
  const Value mvn = MakeMvn(b, *centred, scale->root);
  if (!mvn) return {};
  const Value scaled = scale->gamma ? b.Multiply(mvn, scale->gamma) : mvn;
  return {b.Add(scaled, moments->beta)};
}

constexpr NodeRule kRules[] = {
    {"Divide", 1, "(x - mean) / sqrt(variance + eps)", &Mvn},
    {"Multiply", 1, "(x - mean) * (1 / sqrt(variance + eps))", &Mvn},
    {"Add", 1, "x * s + (beta - mean * s)", &OfMoments},
};

}  // namespace

absl::Span<const NodeRule> MvnFusions() { return kRules; }

}  // namespace dovetail
