// A comparison as data for programs and for a page.
#ifndef DOVETAIL_TOOLS_COMPARING_COMPARISON_DATA_H_
#define DOVETAIL_TOOLS_COMPARING_COMPARISON_DATA_H_

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/tools/comparing/compare_layers.h"

namespace dovetail::comparing {

// "layers" and "outputs" with their differences, "first_off", "tolerance".
// Infinite numbers are null.
nlohmann::ordered_json ComparisonData(const Comparison& comparison);

// A page for a browser. `facts` are what it says at its head.
std::string ComparisonPage(
    const std::string& title,
    const std::vector<std::pair<std::string, std::string>>& facts,
    const Comparison& comparison);

}  // namespace dovetail::comparing

#endif  // DOVETAIL_TOOLS_COMPARING_COMPARISON_DATA_H_
