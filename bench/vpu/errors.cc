// Errors of the VPU's time model on tables of measured layer times: a table,
// and a plot.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "dovetail/backends/vpu/compiler/compile.h"
#include "dovetail/bench/vpu/dump.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

struct Table {
  const char* file;
  const char* role;
  const char* colour;
};
// With the colour of its points.
constexpr Table kTables[] = {
    {"perlayer_resnet_v1_50_tf", "calibrated", "#1f77b4"},
    {"perlayer_inception_v1_tf", "calibrated", "#2ca02c"},
    {"perlayer_inception_v4_caffe", "checked", "#d62728"},
    {"perlayer_resnet_v1_50_tf_2requests_input448inferred", "checked",
     "#9467bd"},
};

struct Point {
  double measured;
  double modelled;
  bool is_convolution;
};

absl::StatusOr<std::vector<Point>> Measure(const Machine& machine,
                                           const std::string& path,
                                           bool prints_layers) {
  std::ifstream file(path);
  if (!file) return NotFound("no table ", path);
  std::stringstream text;
  text << file.rdbuf();
  DOVETAIL_ASSIGN_OR_RETURN(const Dump dump, ParseDump(text.str()));
  DOVETAIL_ASSIGN_OR_RETURN(const Stages stages,
                            Compile(machine, dump.network));
  std::vector<Point> points(dump.network.size());
  for (size_t i = 0; i < points.size(); ++i) {
    points[i] = {dump.microseconds[i], 0,
                 dump.network[i].type == "Convolution"};
  }
  for (const Stage& stage : stages) {
    points[stage.layer].modelled +=
        machine.microseconds(static_cast<double>(stage.cycles));
  }
  for (size_t i = 0; prints_layers && i < points.size(); ++i) {
    std::cout << absl::StrFormat("%8.0f %8.0f  %s\n", points[i].measured,
                                 points[i].modelled, dump.network[i].name);
  }
  return points;
}

void PrintRow(const Table& table, const std::vector<Point>& points) {
  std::vector<double> errors;
  double measured = 0, modelled = 0, sum = 0;
  for (const Point& point : points) {
    measured += point.measured;
    modelled += point.modelled;
    if (!point.is_convolution || point.measured <= 0) continue;
    errors.push_back(std::abs(point.modelled / point.measured - 1));
    sum += errors.back();
  }
  if (errors.empty()) return;
  std::sort(errors.begin(), errors.end());
  std::cout << absl::StrFormat(
      "%-52s %-10s %4d %6.1f %6.1f %6.1f %9.2f %9.2f %+6.1f\n", table.file,
      table.role, errors.size(), 100 * sum / errors.size(),
      100 * errors[errors.size() / 2], 100 * errors[errors.size() * 95 / 100],
      measured / 1000, modelled / 1000, 100 * (modelled / measured - 1));
}

// Both axes are logarithms of microseconds, 1 … 100 000.
std::string Plot(const std::vector<std::pair<std::string, Point>>& points) {
  constexpr double kSize = 600, kDecades = 5;
  const auto at = [](double us) {
    return kSize / kDecades * std::log10(std::clamp(us, 1.0, 1e5));
  };
  std::string svg = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-60 -20 %g %g\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect x=\"-60\" y=\"-20\" width=\"100%%\" height=\"100%%\" "
      "fill=\"white\"/>\n"
      "<path d=\"M0 %g L%g 0 M0 0 V%g H%g\" fill=\"none\" stroke=\"#888\"/>\n"
      "<text x=\"%g\" y=\"%g\">measured, us</text>"
      "<text x=\"20\" y=\"-5\">modelled, us</text>\n",
      kSize + 90, kSize + 70, kSize, kSize, kSize, kSize, kSize / 2,
      kSize + 38);
  for (int decade = 0; decade <= kDecades; ++decade) {
    const double x = kSize / kDecades * decade;
    absl::StrAppendFormat(&svg,
                          "<text x=\"%g\" y=\"%g\">%g</text>"
                          "<text x=\"-45\" y=\"%g\">%g</text>\n",
                          x, kSize + 18, std::pow(10, decade), kSize - x,
                          std::pow(10, decade));
  }
  for (const auto& [colour, point] : points) {
    absl::StrAppendFormat(
        &svg,
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\" "
        "fill-opacity=\"0.6\"/>\n",
        at(point.measured), kSize - at(point.modelled), colour);
  }
  double y = 20;
  for (const Table& table : kTables) {
    absl::StrAppendFormat(&svg,
                          "<text x=\"20\" y=\"%g\" fill=\"%s\">%s</text>\n",
                          y += 16, table.colour, table.file);
  }
  return svg + "</svg>\n";
}

int Run(const std::string& folder, const std::string& plot,
        bool prints_layers) {
  const absl::StatusOr<Machine> machine = DefaultMachine();
  std::vector<std::pair<std::string, Point>> all;
  std::cout << absl::StrFormat("%-52s %-10s %4s %6s %6s %6s %9s %9s %6s\n",
                               "convolutions, errors in %", "", "n", "mean",
                               "median", "p95", "ms", "model", "sum");
  for (const Table& table : kTables) {
    const auto points = Measure(
        *machine, absl::StrCat(folder, "/", table.file, ".tsv"), prints_layers);
    if (!points.ok()) {
      std::cout << table.file << ": " << points.status().message() << "\n";
      continue;
    }
    PrintRow(table, *points);
    for (const Point& point : *points) all.emplace_back(table.colour, point);
  }
  if (plot.empty()) return 0;
  std::ofstream file(plot);
  file << Plot(all);
  file.close();
  return file ? 0 : 1;
}

}  // namespace
}  // namespace dovetail::vpu

// errors [PLOT.svg [--layers]], with the tables in $DOVETAIL_SHARED/vpu.
int main(int argc, char** argv) {
  const char* const shared = std::getenv("DOVETAIL_SHARED");
  return dovetail::vpu::Run(absl::StrCat(shared ? shared : ".", "/vpu"),
                            argc > 1 ? argv[1] : "", argc > 2);
}
