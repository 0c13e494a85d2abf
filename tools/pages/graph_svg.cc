#include "dovetail/tools/pages/graph_svg.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

namespace dovetail::pages {
namespace {

// In pixels: of a box, of what lies between boxes, of the legend's line.
constexpr double kWidth = 136, kHeight = 32, kGapX = 14, kGapY = 16;
constexpr double kLegend = 34, kMargin = 12;
constexpr size_t kMostBytes = 21;

struct Point {
  double x = 0, y = 0;
};

std::string Escaped(const std::string& text) {
  return absl::StrReplaceAll(
      text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

// Cuts no character of UTF-8 in two.
std::string Shortened(const std::string& text) {
  if (text.size() <= kMostBytes) return text;
  size_t end = kMostBytes - 1;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
    --end;
  }
  return text.substr(0, end) + "…";
}

std::vector<std::vector<int>> RowsOf(const std::vector<Box>& boxes) {
  std::vector<std::vector<int>> rows;
  std::vector<size_t> ranks(boxes.size(), 0);
  for (size_t i = 0; i < boxes.size(); ++i) {
    for (const int from : boxes[i].inputs) {
      ranks[i] = std::max(ranks[i], ranks[from] + 1);
    }
    if (rows.size() <= ranks[i]) rows.resize(ranks[i] + 1);
    rows[ranks[i]].push_back(static_cast<int>(i));
  }
  return rows;
}

// Each box under the middle of what it reads, as far as its row has room.
void PlaceRow(const std::vector<Box>& boxes, std::vector<int> row,
              std::vector<Point>& points) {
  std::vector<double> middles(boxes.size(), 0);
  for (const int i : row) {
    for (const int from : boxes[i].inputs) middles[i] += points[from].x;
    middles[i] /=
        static_cast<double>(std::max<size_t>(1, boxes[i].inputs.size()));
  }
  std::stable_sort(row.begin(), row.end(),
                   [&](int a, int b) { return middles[a] < middles[b]; });
  double next = middles[row.front()], shift = 0;
  for (const int i : row) {
    points[i].x = std::max(next, middles[i]);
    next = points[i].x + kWidth + kGapX;
    shift += (points[i].x - middles[i]) / static_cast<double>(row.size());
  }
  for (const int i : row) points[i].x -= shift;
}

// From the margin on.
std::vector<Point> PointsOf(const std::vector<Box>& boxes) {
  std::vector<Point> points(boxes.size());
  double y = kLegend, left = 0;
  for (const std::vector<int>& row : RowsOf(boxes)) {
    PlaceRow(boxes, row, points);
    for (const int i : row) {
      points[i].y = y;
      left = std::min(left, points[i].x);
    }
    y += kHeight + kGapY;
  }
  for (Point& point : points) point.x += kMargin - left;
  return points;
}

void AppendEdge(const Point& from, const Point& to, std::string& svg) {
  const double x0 = from.x + kWidth / 2, y0 = from.y + kHeight;
  const double x1 = to.x + kWidth / 2;
  absl::StrAppendFormat(&svg,
                        "<path d=\"M%g %gC%g %g %g %g %g %g\" fill=\"none\" "
                        "stroke=\"#999\"/>\n",
                        x0, y0, x0, y0 + kGapY, x1, to.y - kGapY, x1, to.y);
}

void AppendBox(const Box& box, const Point& at, std::string& svg) {
  absl::StrAppendFormat(
      &svg,
      "<g><title>%s</title><rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" "
      "rx=\"4\" fill=\"%s\" stroke=\"#777\"/><text x=\"%g\" y=\"%g\">%s</text>"
      "<text x=\"%g\" y=\"%g\" fill=\"#444\">%s</text></g>\n",
      Escaped(box.tip), at.x, at.y, kWidth, kHeight, box.fill, at.x + 6,
      at.y + 13, Escaped(Shortened(box.title)), at.x + 6, at.y + 26,
      Escaped(Shortened(box.name)));
}

}  // namespace

std::string GraphSvg(
    const std::vector<Box>& boxes,
    const std::vector<std::pair<std::string, std::string>>& legend) {
  const std::vector<Point> points = PointsOf(boxes);
  double right = kMargin, bottom = kLegend;
  std::string body;
  for (const auto& [text, fill] : legend) {
    absl::StrAppendFormat(&body,
                          "<rect x=\"%g\" y=\"8\" width=\"12\" height=\"12\" "
                          "fill=\"%s\" stroke=\"#777\"/><text x=\"%g\" "
                          "y=\"18\">%s</text>\n",
                          right, fill, right + 17, Escaped(text));
    right += 40 + 7 * static_cast<double>(text.size());
  }
  for (size_t i = 0; i < boxes.size(); ++i) {
    for (const int from : boxes[i].inputs) {
      AppendEdge(points[from], points[i], body);
    }
    right = std::max(right, points[i].x + kWidth + kMargin);
    bottom = std::max(bottom, points[i].y + kHeight + kMargin);
  }
  for (size_t i = 0; i < boxes.size(); ++i) {
    AppendBox(boxes[i], points[i], body);
  }
  return absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%%\" "
      "height=\"100%%\" fill=\"#fff\"/>\n%s</svg>\n",
      right, bottom, body);
}

}  // namespace dovetail::pages
