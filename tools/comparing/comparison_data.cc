#include "dovetail/tools/comparing/comparison_data.h"

#include <cmath>

#include "dovetail/tools/pages/page.h"
#include "dovetail/tools/pages/texts.h"

namespace dovetail::comparing {
namespace {

using Json = nlohmann::ordered_json;

Json Number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json DifferenceData(const Difference& difference) {
  Json worst = Json::array();
  for (const Place& place : difference.worst) {
    worst.push_back({{"position", place.position},
                     {"want", Number(place.want)},
                     {"got", Number(place.got)}});
  }
  return {{"relative", Number(difference.relative)},
          {"largest", Number(difference.largest)},
          {"differing", difference.differing},
          {"count", difference.count},
          {"worst", std::move(worst)},
          {"problem", difference.problem}};
}

}  // namespace

Json ComparisonData(const Comparison& comparison) {
  Json layers = Json::array();
  for (const ComparedLayer& layer : comparison.layers) {
    layers.push_back({{"name", layer.name},
                      {"type", layer.type},
                      {"output", layer.output},
                      {"off", layer.is_off},
                      {"own", DifferenceData(layer.own)},
                      {"through", DifferenceData(layer.through)}});
  }
  Json outputs = Json::array();
  for (size_t i = 0; i < comparison.outputs.size(); ++i) {
    const Difference& difference = comparison.outputs[i];
    outputs.push_back({{"name", comparison.output_names[i]},
                       {"off", difference.relative > comparison.tolerance},
                       {"difference", DifferenceData(difference)}});
  }
  return {{"tolerance", comparison.tolerance},
          {"first_off", comparison.first_off},
          {"outputs", std::move(outputs)},
          {"layers", std::move(layers)}};
}

std::string ComparisonPage(
    const std::string& title,
    const std::vector<std::pair<std::string, std::string>>& facts,
    const Comparison& comparison) {
  Json data = ComparisonData(comparison);
  data["title"] = title;
  data["facts"] = facts;
  return pages::Page(title, data, pages::kCompareScript);
}

}  // namespace dovetail::comparing
