#include "dovetail/tools/comparing/sensitive_layers.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/tools/comparing/difference.h"
#include "dovetail/transformations/common/precise.h"

namespace dovetail::comparing {
namespace {

using Indices = std::vector<int>;

Indices Without(const Indices& all, size_t begin, size_t count) {
  const size_t end = std::min(begin + count, all.size());
  Indices rest(all.begin(), all.begin() + static_cast<ptrdiff_t>(begin));
  rest.insert(rest.end(), all.begin() + static_cast<ptrdiff_t>(end), all.end());
  return rest;
}

// What devices compute in fewer bits.
bool IsCandidate(const Node& node) {
  static constexpr OpType kTypes[] = {"Convolution", "GroupConvolution",
                                      "ConvolutionBackpropData",
                                      "GroupConvolutionBackpropData", "MatMul"};
  return std::any_of(std::begin(kTypes), std::end(kTypes),
                     [&](OpType type) { return node.Is(type); });
}

class Search {
 public:
  Search(const Core& core, const Model& model, absl::Span<const Tensor> inputs,
         const Side& got, absl::Span<const Tensor> expected)
      : core_(core),
        model_(model),
        inputs_(inputs),
        got_(got),
        expected_(expected) {
    for (const auto& node : model.nodes()) {
      if (IsCandidate(*node)) names_.push_back(node->name());
    }
  }

  const std::vector<std::string>& names() const { return names_; }
  std::vector<std::string> NamesOf(const Indices& layers) const {
    std::vector<std::string> names;
    for (const int layer : layers) names.push_back(names_[layer]);
    return names;
  }

  // The worst difference of an output where those layers are marked.
  absl::StatusOr<double> ErrorWith(const Indices& layers) const {
    const std::unique_ptr<Model> marked = model_.Clone();
    MarkLayers(*marked, NamesOf(layers));
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> found,
                              InferOn(core_, *marked, got_, inputs_));
    double worst = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      worst = std::max(worst, Differ(expected_[i], found[i]).relative);
    }
    return worst;
  }

 private:
  const Core& core_;
  const Model& model_;
  const absl::Span<const Tensor> inputs_;
  const Side& got_;
  const absl::Span<const Tensor> expected_;
  std::vector<std::string> names_;
};

}  // namespace

absl::StatusOr<std::vector<int>> LeastThatHolds(
    int count,
    const std::function<absl::StatusOr<bool>(const std::vector<int>& kept)>&
        holds) {
  Indices kept;
  for (int i = 0; i < count; ++i) kept.push_back(i);
  for (size_t part = std::max<size_t>(kept.size(), 1);; part = part / 2) {
    for (size_t begin = 0; begin < kept.size();) {
      Indices fewer = Without(kept, begin, part);
      DOVETAIL_ASSIGN_OR_RETURN(const bool still, holds(fewer));
      if (still) {
        kept = std::move(fewer);
      } else {
        begin += part;
      }
    }
    if (part <= 1) return kept;
  }
}

absl::StatusOr<Sensitivity> FindSensitiveLayers(
    const Core& core, const Model& model, absl::Span<const Tensor> inputs,
    absl::Span<const Tensor> expected, const Side& got, double bound) {
  const Search search(core, model, inputs, got, expected);
  Sensitivity found;
  found.candidates = static_cast<int>(search.names().size());
  Indices all;
  for (int i = 0; i < found.candidates; ++i) all.push_back(i);
  DOVETAIL_ASSIGN_OR_RETURN(found.without, search.ErrorWith({}));
  DOVETAIL_ASSIGN_OR_RETURN(found.with_all, search.ErrorWith(all));
  found.with = found.without;
  if (found.without <= bound) return found;
  found.is_possible = found.with_all <= bound;
  if (!found.is_possible) return found;
  found.with = found.with_all;
  const auto holds = [&](const Indices& kept) -> absl::StatusOr<bool> {
    DOVETAIL_ASSIGN_OR_RETURN(const double error, search.ErrorWith(kept));
    if (error > bound) return false;
    found.with = error;  // of the fewest so far
    return true;
  };
  DOVETAIL_ASSIGN_OR_RETURN(const Indices least,
                            LeastThatHolds(found.candidates, holds));
  found.layers = search.NamesOf(least);
  return found;
}

void MarkLayers(Model& model, const std::vector<std::string>& names) {
  for (const auto& node : model.nodes()) {
    const bool is_named =
        std::find(names.begin(), names.end(), node->name()) != names.end();
    if (is_named && IsCandidate(*node)) MarkPrecise(*node);
  }
}

}  // namespace dovetail::comparing
