#include "dovetail/testing/random_networks/random_affinities.h"

#include <random>
#include <set>

#include "absl/algorithm/container.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/state/variable.h"

namespace dovetail::random_networks {
namespace {

// For each node in topological order, which devices run it.
using Choices = std::vector<std::vector<std::string>>;

absl::StatusOr<Choices> ChoicesOf(const Core& core,
                                  const std::vector<std::string>& devices,
                                  const Model& model, size_t count) {
  Choices choices(count);
  for (const std::string& device : devices) {
    DOVETAIL_ASSIGN_OR_RETURN(const QueryResult answer,
                              core.Query(model, device));
    for (size_t i = 0; i < count; ++i) {
      if (!answer.layers[i].device.empty()) choices[i].push_back(device);
    }
  }
  return choices;
}

// Those that a variable's old value reaches and whose results reach a new one.
std::set<const Node*> BetweenVariables(const std::vector<Node*>& order) {
  const auto is_variable = [](const Node* node) {
    return VariableIdOf(*node) != nullptr;
  };
  std::set<const Node*> after, before;
  for (const Node* node : order) {
    const bool reads = absl::c_any_of(node->inputs(), [&](Value input) {
      return after.count(input.node) > 0;
    });
    if (reads || is_variable(node)) after.insert(node);
  }
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    if (is_variable(*it)) before.insert(*it);
    if (before.count(*it) == 0) continue;
    for (const Value input : (*it)->inputs()) before.insert(input.node);
  }
  std::set<const Node*> both;
  for (const Node* node : after) {
    if (before.count(node) > 0) both.insert(node);
  }
  return both;
}

}  // namespace

absl::Status SetRandomAffinities(const Core& core,
                                 const std::vector<std::string>& devices,
                                 unsigned seed, Model& model) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  DOVETAIL_ASSIGN_OR_RETURN(const Choices choices,
                            ChoicesOf(core, devices, model, order.size()));
  const std::set<const Node*> together = BetweenVariables(order);
  std::mt19937 generator(seed);
  const auto pick = [&] { return devices[generator() % devices.size()]; };
  const std::string of_variables = pick();
  bool runs_variables = true;
  for (size_t i = 0; i < order.size(); ++i) {
    if (together.count(order[i]) == 0) continue;
    runs_variables &= absl::c_linear_search(choices[i], of_variables);
  }
  std::string device = pick();
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i]->op().Has(kStructural)) continue;
    if (generator() % 3 == 0) device = pick();
    const bool is_together = together.count(order[i]) > 0;
    if (is_together && !runs_variables) continue;
    const std::string& chosen = is_together ? of_variables : device;
    const bool runs = absl::c_linear_search(choices[i], chosen);
    if (runs && (is_together || generator() % 8 != 0)) {
      order[i]->rt_info().Set({"affinity"}, chosen);
    }
  }
  return absl::OkStatus();
}

}  // namespace dovetail::random_networks
