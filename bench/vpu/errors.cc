// Errors of the VPU's time model on tables of measured layer times: a table,
// and a plot.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dovetail/backends/vpu/contention/closed_loop.h"
#include "dovetail/backends/vpu/program/program.h"
#include "dovetail/bench/vpu/dump.h"
#include "dovetail/bench/vpu/resized.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/memory/mapped_file.h"

namespace dovetail::vpu {
namespace {

struct Table {
  std::string path;
  std::string role;
  std::string colour;  // of its points
  int requests = 1;    // that ran at once
  int inferences = 0;  // of which the last was measured; 0: each one, alike
  int64_t says = 0, input = 0;  // pixels of its input, and what they are
};

std::vector<Table> OwnTables(const std::string& folder) {
  const auto path = [&](absl::string_view name) {
    return absl::StrCat(folder, "/perlayer_", name, ".tsv");
  };
  return {{path("resnet_v1_50_tf"), "calibrated", "#1f77b4"},
          {path("inception_v1_tf"), "calibrated", "#2ca02c"},
          {path("inception_v4_caffe"), "checked", "#d62728"},
          // docs/vpu_model.md says why 416.
          {path("resnet_v1_50_tf_2requests_input448inferred"), "checked",
           "#9467bd", 2, 10, 448, 416}};
}

std::string NameOf(const Table& table) {
  return std::filesystem::path(table.path).stem().string();
}

struct Point {
  double measured;
  double modelled;
  bool is_convolution;
};

struct Measured {
  std::vector<Point> points;
  LoopTimes loop;
};

absl::StatusOr<Measured> Measure(const Machine& machine, const Table& table,
                                 bool prints_layers) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                            MappedFile::Read(table.path));
  DOVETAIL_ASSIGN_OR_RETURN(
      Dump dump,
      ParseDump({static_cast<const char*>(file->data()), file->size()}));
  if (table.input > 0) {
    dump = Resized(std::move(dump), table.says, table.input);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Program program,
                            Program::Compile(machine, dump.network));
  Measured measured;
  DOVETAIL_ASSIGN_OR_RETURN(
      measured.loop,
      table.inferences > 0
          ? RunInferences(program, table.requests, table.inferences)
          : RunClosedLoop(program, table.requests));
  std::vector<Point>& points = measured.points;
  for (size_t i = 0; i < dump.network.size(); ++i) {
    points.push_back(
        {dump.microseconds[i], 0, dump.network[i].type == "Convolution"});
  }
  for (size_t i = 0; i < program.stages().size(); ++i) {
    points[program.stages()[i].layer].modelled += measured.loop.stages[i];
  }
  for (size_t i = 0; prints_layers && i < points.size(); ++i) {
    std::cout << absl::StrFormat("%8.0f %8.0f  %s\n", points[i].measured,
                                 points[i].modelled, dump.network[i].name);
  }
  return measured;
}

// Between two of the sorted values in proportion, as NumPy and spreadsheets do.
double Quantile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const size_t below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] +
         (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

void PrintRow(const Table& table, const Measured& measures) {
  std::vector<double> errors;
  double measured = 0, modelled = 0, sum = 0;
  for (const Point& point : measures.points) {
    measured += point.measured;
    modelled += point.modelled;
    if (!point.is_convolution || point.measured <= 0) continue;
    errors.push_back(std::abs(point.modelled / point.measured - 1));
    sum += errors.back();
  }
  std::sort(errors.begin(), errors.end());
  const size_t count = errors.size();
  std::cout << absl::StrFormat("%-52s %-10s %4d ", NameOf(table), table.role,
                               count);
  if (count == 0) {  // known as a whole only
    std::cout << absl::StrFormat("%6s %6s %6s", "", "", "");
  } else {
    std::cout << absl::StrFormat("%6.1f %6.1f %6.1f", 100 * sum / count,
                                 100 * Quantile(errors, 0.5),
                                 100 * Quantile(errors, 0.95));
  }
  std::cout << absl::StrFormat(
      " %9.2f %9.2f %+6.1f %9.2f %7.2f\n", measured / 1000, modelled / 1000,
      100 * (modelled / measured - 1), measures.loop.latency / 1000,
      measures.loop.per_second());
}

// Both axes are logarithms of microseconds, 1 … 100 000.
std::string Plot(const std::vector<Table>& tables,
                 const std::vector<std::pair<std::string, Point>>& points) {
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
  for (const Table& table : tables) {
    absl::StrAppendFormat(&svg,
                          "<text x=\"20\" y=\"%g\" fill=\"%s\">%s</text>\n",
                          y += 16, table.colour, NameOf(table));
  }
  return svg + "</svg>\n";
}

int Run(const Machine& machine, const std::vector<Table>& tables,
        const std::string& plot, bool prints_layers) {
  std::vector<std::pair<std::string, Point>> all;
  std::cout << absl::StrFormat(
      "%-52s %-10s %4s %6s %6s %6s %9s %9s %6s %9s %7s\n",
      "convolutions, errors in %", "", "n", "mean", "median", "p95", "ms",
      "model", "sum", "latency", "1/s");
  int failed = 0;
  for (const Table& table : tables) {
    const auto measured = Measure(machine, table, prints_layers);
    if (!measured.ok()) {
      std::cout << table.path << ": " << measured.status().message() << "\n";
      failed = 1;
      continue;
    }
    PrintRow(table, *measured);
    for (const Point& point : measured->points) {
      all.emplace_back(table.colour, point);
    }
  }
  if (plot.empty()) return failed;
  std::ofstream file(plot);
  file << Plot(tables, all);
  file.close();
  return file ? failed : 1;
}

int RunOn(const std::vector<absl::string_view>& arguments) {
  constexpr const char* kColours[] = {"#1f77b4", "#2ca02c", "#d62728",
                                      "#9467bd"};
  std::vector<Table> tables;
  std::string plot;
  bool prints_layers = false;
  int requests = 1;
  absl::StatusOr<Machine> machine = DefaultMachine();
  for (absl::string_view argument : arguments) {
    if (argument == "--layers") {
      prints_layers = true;
    } else if (absl::ConsumePrefix(&argument, "--requests=")) {
      if (!absl::SimpleAtoi(argument, &requests)) return 2;
    } else if (absl::ConsumePrefix(&argument, "--set=")) {
      const std::pair<absl::string_view, absl::string_view> entry =
          absl::StrSplit(argument, absl::MaxSplits('=', 1));
      const absl::Status set =
          SetMachineValue(entry.first, entry.second, *machine);
      if (!set.ok()) {
        std::cout << set.message() << "\n";
        return 2;
      }
    } else if (absl::EndsWith(argument, ".tsv")) {
      tables.push_back({std::string(argument), "given",
                        kColours[tables.size() % 4], requests});
    } else {
      plot = std::string(argument);
    }
  }
  const char* const shared = std::getenv("DOVETAIL_SHARED");
  if (tables.empty())
    tables = OwnTables(absl::StrCat(shared ? shared : ".", "/vpu"));
  return Run(*machine, tables, plot, prints_layers);
}

}  // namespace
}  // namespace dovetail::vpu

// errors [PLOT.svg] [--layers] [--set=KEY=VALUE …] [[--requests=N] TABLE.tsv
// …]: tables are those in $DOVETAIL_SHARED/vpu, or those given, measured with N
// requests at once; keys are those of a processor's description.
int main(int argc, char** argv) {
  return dovetail::vpu::RunOn({argv + 1, argv + argc});
}
