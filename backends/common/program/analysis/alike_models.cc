#include "dovetail/backends/common/program/analysis/alike_models.h"

#include <utility>

#include "dovetail/core/graph/fused_names.h"

namespace dovetail {
namespace {

std::unique_ptr<Model> Nameless(const Model& model) {
  std::unique_ptr<Model> copy = model.Clone();
  for (const auto& node : copy->nodes()) {
    node->set_name("");
    SetFusedNames(*node, {});
    for (int i = 0; i < node->output_count(); ++i) node->port(i).names.clear();
  }
  return copy;
}

}  // namespace

std::optional<int> AlikeModels::FindOrAdd(const Model& model, int number) {
  std::unique_ptr<Model> nameless = Nameless(model);
  for (const Known& known : known_) {
    // rt_info says more than names, such as which precision to keep.
    const absl::Status differ = Model::Compare(*known.nameless, *nameless,
                                               /*with_rt_info=*/true);
    if (differ.ok()) return known.number;
  }
  known_.push_back({number, std::move(nameless)});
  return std::nullopt;
}

}  // namespace dovetail
