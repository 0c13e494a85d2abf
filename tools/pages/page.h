// A page for a browser in one file, which needs no network.
#ifndef DOVETAIL_TOOLS_PAGES_PAGE_H_
#define DOVETAIL_TOOLS_PAGES_PAGE_H_

#include <nlohmann/json.hpp>
#include <string>

#include "absl/strings/string_view.h"

namespace dovetail::pages {

// A page that shows `data` by `script`, which finds it as the variable `data`
// and has the functions of draw.js and graph.js. Data may hold any texts.
std::string Page(absl::string_view title, const nlohmann::ordered_json& data,
                 absl::string_view script);

}  // namespace dovetail::pages

#endif  // DOVETAIL_TOOLS_PAGES_PAGE_H_
