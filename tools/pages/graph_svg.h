// A graph as an SVG picture: a row of boxes for each distance from the inputs.
#ifndef DOVETAIL_TOOLS_PAGES_GRAPH_SVG_H_
#define DOVETAIL_TOOLS_PAGES_GRAPH_SVG_H_

#include <string>
#include <utility>
#include <vector>

namespace dovetail::pages {

struct Box {
  std::string title, name;  // two lines; long ones are cut
  std::string tip;          // what a viewer shows under the pointer
  std::string fill;         // "#5b9f5b"
  std::vector<int> inputs;  // indices of boxes before it
};

// `legend` says what colours mean: a text and a fill each, in a line above.
std::string GraphSvg(
    const std::vector<Box>& boxes,
    const std::vector<std::pair<std::string, std::string>>& legend);

}  // namespace dovetail::pages

#endif  // DOVETAIL_TOOLS_PAGES_GRAPH_SVG_H_
