#include "dovetail/tools/profiling/memory_plan.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace dovetail::profiling {
namespace {

using Json = nlohmann::ordered_json;

// The numbers that a line begins with, and what stands behind them.
struct Line {
  std::vector<int64_t> numbers;
  absl::string_view rest;
};

std::optional<Line> ReadNumbers(absl::string_view text, size_t count) {
  Line line;
  while (line.numbers.size() < count) {
    const size_t end = std::min(text.find(' '), text.size());
    int64_t number;
    if (!absl::SimpleAtoi(text.substr(0, end), &number) || number < 0) {
      return std::nullopt;
    }
    line.numbers.push_back(number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  line.rest = text;
  return line;
}

// Whether the region lies in an arena, and its steps are in order.
bool IsSound(const std::vector<int64_t>& region,
             const std::vector<int64_t>& arenas) {
  const auto arena = static_cast<size_t>(region[0]);
  return arena < arenas.size() && region[1] <= arenas[arena] &&
         region[2] <= arenas[arena] - region[1] && region[3] <= region[4];
}

}  // namespace

Json MemoryPlanData(absl::string_view text) {
  std::vector<int64_t> arenas;
  Json regions = Json::array();
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::ConsumePrefix(&line, "arena ")) {
      const auto arena = ReadNumbers(line, 2);
      const bool is_next =
          arena && arena->numbers[0] == static_cast<int64_t>(arenas.size());
      if (is_next) arenas.push_back(arena->numbers[1]);
    } else if (absl::ConsumePrefix(&line, "region ")) {
      const auto region = ReadNumbers(line, 5);
      if (!region || !IsSound(region->numbers, arenas)) continue;
      const std::pair<std::string, std::string> names =
          absl::StrSplit(region->rest, absl::MaxSplits(' ', 1));
      Json& entry = regions.emplace_back(region->numbers);
      entry.push_back(names.first);
      entry.push_back(names.second);
    }
  }
  if (regions.empty()) return nullptr;
  return {{"arenas", arenas}, {"regions", std::move(regions)}};
}

}  // namespace dovetail::profiling
