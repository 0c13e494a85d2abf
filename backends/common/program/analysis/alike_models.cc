#include "dovetail/backends/common/program/analysis/alike_models.h"

#include <utility>

namespace dovetail {
namespace {

std::unique_ptr<Model> Nameless(const Model& model) {
  std::unique_ptr<Model> copy = model.Clone();
  for (const auto& node : copy->nodes()) {
    node->set_name("");
    node->rt_info().children.erase("fused_names_0");
    for (int i = 0; i < node->output_count(); ++i) node->port(i).names.clear();
  }
  return copy;
}

}  // namespace

std::optional<int> AlikeModels::FindOrAdd(const Model& model, int number) {
  std::unique_ptr<Model> nameless = Nameless(model);
  // rt_info says more than names, such as which precision to keep.
  const uint64_t hash = nameless->Hash(/*with_rt_info=*/true);
  for (const Known& known : known_) {
    if (known.hash == hash &&
        Model::Compare(*known.nameless, *nameless, /*with_rt_info=*/true)
            .ok()) {
      return known.number;
    }
  }
  known_.push_back({number, hash, std::move(nameless)});
  return std::nullopt;
}

}  // namespace dovetail
