#include "dovetail/tools/cli/output/parts_picture.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

namespace dovetail::cli {
namespace {

using PartNumbers = std::unordered_map<const Node*, int>;

struct PartBox {
  std::string device;
  int layers = 0;
  std::string first, last;  // names
};

// What one part gives another.
struct Crossing {
  int tensors = 0;
  int64_t bytes = 0;
  bool is_known = true;  // all shapes are static
};
using Crossings = std::map<std::pair<int, int>, Crossing>;

// By node; the query's layers are in topological order.
PartNumbers NumbersOf(const Model& model, const QueryResult& layers) {
  PartNumbers numbers;
  const auto order = model.TopologicalOrder();
  if (!order.ok()) return numbers;
  const size_t count = std::min(order->size(), layers.layers.size());
  for (size_t i = 0; i < count; ++i) {
    numbers[(*order)[i]] = layers.layers[i].part;
  }
  return numbers;
}

std::vector<PartBox> BoxesOf(const QueryResult& layers) {
  std::vector<PartBox> boxes;
  for (const QueryResult::Layer& layer : layers.layers) {
    if (layer.part < 0) continue;
    const auto number = static_cast<size_t>(layer.part);
    if (number >= boxes.size()) boxes.resize(number + 1);
    PartBox& box = boxes[number];
    box.device = layer.device;
    if (box.layers++ == 0) box.first = layer.name;
    box.last = layer.name;
  }
  return boxes;
}

Crossings CrossingsOf(const Model& model, const PartNumbers& numbers) {
  Crossings crossings;
  std::set<std::pair<Value, int>> counted;
  for (const auto& node : model.nodes()) {
    const int to = numbers.at(node.get());
    for (const Value& input : node->inputs()) {
      if (!input || to < 0) continue;
      const int from = numbers.at(input.node);
      if (from < 0 || from == to || !counted.emplace(input, to).second) {
        continue;
      }
      Crossing& crossing = crossings[{from, to}];
      ++crossing.tensors;
      const auto shape = input.shape().ToShape();
      crossing.is_known &= shape.ok();
      if (shape.ok()) {
        crossing.bytes += ByteSize(input.type(), shape->Count()).value_or(0);
      }
    }
  }
  return crossings;
}

std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(
      text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

std::string Shortened(const std::string& name) {
  constexpr size_t kMost = 34;
  if (name.size() <= kMost) return name;
  return absl::StrCat("…", name.substr(name.size() - kMost + 1));
}

std::string TextOf(const Crossing& crossing) {
  std::string text = crossing.tensors == 1
                         ? "1 tensor"
                         : absl::StrCat(crossing.tensors, " tensors");
  if (!crossing.is_known) return absl::StrCat(text, ", bytes unknown");
  if (crossing.bytes < 100'000) {
    return absl::StrCat(text, ", ", crossing.bytes, " bytes");
  }
  return absl::StrFormat("%s, %.2f MB", text,
                         static_cast<double>(crossing.bytes) / 1e6);
}

// Boxes below each other, and the arrows to their right.
class Picture {
 public:
  Picture(std::vector<PartBox> boxes, Crossings crossings)
      : boxes_(std::move(boxes)), crossings_(std::move(crossings)) {
    for (const PartBox& box : boxes_) {
      colors_.emplace(box.device, colors_.size());
      tops_.push_back(bottom_ + kGap);
      bottom_ = tops_.back() + HeightOf(box);
    }
    for (const auto& [ends, crossing] : crossings_) PlaceArrow(ends);
  }

  std::string Draw() {
    const int height = bottom_ + kGap;
    std::string svg = absl::StrFormat(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\">\n"
        "<defs><marker id=\"tip\" markerWidth=\"9\" markerHeight=\"9\" "
        "refX=\"8\" refY=\"4\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" "
        "fill=\"#444\"/></marker></defs>\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
        width(), height, width(), height);
    for (size_t p = 0; p < boxes_.size(); ++p) AddBox(p, svg);
    for (const auto& [ends, crossing] : crossings_) {
      AddArrow(ends, crossing, svg);
    }
    return absl::StrCat(svg, "</svg>\n");
  }

 private:
  static constexpr int kLeft = 20, kBoxWidth = 300, kGap = 26, kLane = 26;
  static constexpr int kLabels = 230;

  int width() const {
    return kLeft + kBoxWidth +
           kLane * (static_cast<int>(lane_ends_.size()) + 1) + kLabels;
  }
  // Higher for more layers, by their logarithm: a part of one layer is seen
  // beside one of a thousand.
  static int HeightOf(const PartBox& box) {
    return 54 + static_cast<int>(14 * std::log2(box.layers + 1.0));
  }

  void AddBox(size_t p, std::string& svg) const {
    static constexpr absl::string_view kColors[] = {
        "#9ecae9", "#fdbe85", "#a8ddb5", "#d4b9da", "#fee391", "#b2e2e2"};
    const PartBox& box = boxes_[p];
    const int top = tops_[p];
    absl::StrAppendFormat(
        &svg,
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" "
        "fill=\"%s\" stroke=\"#555\"/>\n",
        kLeft, top, kBoxWidth, HeightOf(box),
        kColors[colors_.at(box.device) % std::size(kColors)]);
    const auto line = [&](int y, absl::string_view style,
                          const std::string& text) {
      absl::StrAppendFormat(&svg, "<text x=\"%d\" y=\"%d\"%s>%s</text>\n",
                            kLeft + 12, top + y, style, Escaped(text));
    };
    line(20, " font-weight=\"bold\"",
         absl::StrCat(box.device, "   part ", p, ", ", box.layers,
                      box.layers == 1 ? " layer" : " layers"));
    line(37, "", Shortened(box.first));
    if (box.layers > 1) line(HeightOf(box) - 10, "", Shortened(box.last));
  }

  // Arrows that do not pass each other share a lane.
  void PlaceArrow(std::pair<int, int> ends) {
    size_t lane = 0;
    while (lane < lane_ends_.size() && lane_ends_[lane] > ends.first) ++lane;
    if (lane == lane_ends_.size()) lane_ends_.push_back(0);
    lane_ends_[lane] = ends.second;
    lanes_[ends] = static_cast<int>(lane);
  }

  void AddArrow(std::pair<int, int> ends, const Crossing& crossing,
                std::string& svg) const {
    const auto from = static_cast<size_t>(ends.first);
    const auto to = static_cast<size_t>(ends.second);
    const int lane = lanes_.at(ends);
    const int start = tops_[from] + HeightOf(boxes_[from]) - 12 - lane % 3 * 6;
    const int end = tops_[to] + 12 + lane % 3 * 6;
    const int side = kLeft + kBoxWidth, x = side + kLane * (lane + 1);
    absl::StrAppendFormat(
        &svg,
        "<path d=\"M%d,%d H%d V%d H%d\" fill=\"none\" stroke=\"#444\" "
        "marker-end=\"url(#tip)\"/>\n"
        "<text x=\"%d\" y=\"%d\">%s</text>\n",
        side, start, x, end, side + 2, width() - kLabels, (start + end) / 2 + 4,
        TextOf(crossing));
  }

  const std::vector<PartBox> boxes_;
  const Crossings crossings_;
  std::map<std::string, size_t> colors_;
  std::map<std::pair<int, int>, int> lanes_;
  std::vector<int> lane_ends_;  // of each, the part where its last arrow ends
  std::vector<int> tops_;
  int bottom_ = 0;
};

}  // namespace

DotParts PartsOf(const Model& model, const QueryResult& layers) {
  DotParts parts;
  parts.part_of = [numbers = NumbersOf(model, layers)](const Node& node) {
    const auto it = numbers.find(&node);
    return it == numbers.end() ? -1 : it->second;
  };
  for (const PartBox& box : BoxesOf(layers)) {
    parts.labels.push_back(
        absl::StrCat("part ", parts.labels.size(), ": ", box.device));
  }
  return parts;
}

std::string PartsSvg(const Model& model, const QueryResult& layers) {
  QueryResult numbered = layers;
  const bool is_cut =
      std::any_of(layers.layers.begin(), layers.layers.end(),
                  [](const auto& layer) { return layer.part >= 0; });
  for (QueryResult::Layer& layer : numbered.layers) {
    if (!is_cut && !layer.device.empty()) layer.part = 0;
  }
  return Picture(BoxesOf(numbered),
                 CrossingsOf(model, NumbersOf(model, numbered)))
      .Draw();
}

}  // namespace dovetail::cli
