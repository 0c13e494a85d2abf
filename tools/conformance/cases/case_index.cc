#include "dovetail/tools/conformance/cases/case_index.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/status.h"

namespace dovetail::conformance {
namespace {

using Row = std::map<std::string, std::string>;

// One line of the index by the names of the columns.
Row ParseRow(const std::vector<std::string>& columns, absl::string_view line) {
  const std::vector<std::string> fields = absl::StrSplit(line, '\t');
  Row row;
  for (size_t i = 0; i < columns.size(); ++i) {
    row[columns[i]] = i < fields.size() ? fields[i] : "";
  }
  return row;
}

absl::StatusOr<double> ParseTolerance(absl::string_view text) {
  double value;
  if (!absl::SimpleAtod(text, &value) || !(value >= 0)) {
    return InvalidArgument("'", text, "' is no tolerance");
  }
  return value;
}

// "0.01;labels;boxes": one an output.
absl::StatusOr<std::vector<Tolerance>> ParseOutputTolerances(
    absl::string_view text) {
  std::vector<Tolerance> tolerances;
  for (const absl::string_view part : absl::StrSplit(text, ';')) {
    Tolerance tolerance;
    if (part == "labels") {
      tolerance.kind = Tolerance::Kind::kLabels;
    } else if (part == "boxes") {
      tolerance.kind = Tolerance::Kind::kBoxes;
    } else {
      DOVETAIL_ASSIGN_OR_RETURN(tolerance.absolute, ParseTolerance(part));
    }
    tolerances.push_back(tolerance);
  }
  return tolerances;
}

// "0.0103/0.243": the difference and the greatest number, with three digits.
// 0 where that can't be told.
double RoundingsOf(absl::string_view text) {
  constexpr double kDigits = 1.005, kDraws = 4, kGreatest = 4;
  const std::vector<absl::string_view> parts = absl::StrSplit(text, '/');
  double difference = 0, greatest = 0;
  if (parts.size() != 2 || !absl::SimpleAtod(parts[0], &difference) ||
      !absl::SimpleAtod(parts[1], &greatest)) {
    return 0;
  }
  return kDigits * std::max(difference, std::min(kDraws * difference,
                                                 greatest / kGreatest));
}

// "0.0103/0.243;shape": one an output.
void ParseDifferences(absl::string_view text,
                      std::vector<Tolerance>& tolerances) {
  size_t i = 0;
  for (const absl::string_view part : absl::StrSplit(text, ';')) {
    if (i == tolerances.size()) return;
    tolerances[i++].absolute_of_roundings = RoundingsOf(part);
  }
}

absl::StatusOr<std::vector<Tolerance>> TolerancesOf(const Row& row) {
  const auto per_output = row.find("tolerance");
  if (per_output != row.end()) {
    DOVETAIL_ASSIGN_OR_RETURN(std::vector<Tolerance> tolerances,
                              ParseOutputTolerances(per_output->second));
    const auto differences = row.find("ov_int8_diff");
    if (differences != row.end()) {
      ParseDifferences(differences->second, tolerances);
    }
    return tolerances;
  }
  Tolerance tolerance;
  const auto relative = row.find("rtol"), absolute = row.find("atol");
  if (relative == row.end() || absolute == row.end()) {
    return InvalidArgument("no column tolerance, nor rtol and atol");
  }
  DOVETAIL_ASSIGN_OR_RETURN(tolerance.relative,
                            ParseTolerance(relative->second));
  DOVETAIL_ASSIGN_OR_RETURN(tolerance.absolute,
                            ParseTolerance(absolute->second));
  return std::vector<Tolerance>{tolerance};
}

absl::StatusOr<Case> ParseCase(const Row& row, const std::string& directory,
                               const std::string& models_root) {
  Case result;
  const auto name = row.find("case");
  // A name is a folder of the set, nothing above or beside it.
  if (name == row.end() || name->second.empty() ||
      name->second.find('/') != std::string::npos || name->second == "..") {
    return InvalidArgument("column case holds no name of a folder");
  }
  result.name = name->second;
  result.folder = absl::StrCat(directory, "/", result.name);
  const auto model = row.find("model");
  if (model == row.end()) {
    result.model_path = absl::StrCat(result.folder, "/model.xml");
  } else if (models_root.empty()) {
    return InvalidArgument("the index has a column model: give --models=ROOT");
  } else {
    result.model_path = absl::StrCat(models_root, "/", model->second);
  }
  const auto column = [&](const char* of) {
    const auto found = row.find(of);
    return found == row.end() ? std::string() : found->second;
  };
  result.operations = column("ops");
  result.evidence = column("source");
  if (const std::string note = column("note"); !note.empty()) {
    absl::StrAppend(&result.evidence, ": ", note);
  }
  result.quantized = column("kind") == "int8";
  DOVETAIL_ASSIGN_OR_RETURN(result.tolerances, TolerancesOf(row));
  return result;
}

}  // namespace

absl::StatusOr<std::vector<Case>> ReadCaseIndex(const std::string& directory,
                                                const std::string& models_root,
                                                absl::string_view filter) {
  const std::string path = absl::StrCat(directory, "/index.tsv");
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line)) {
    return NotFound("no set of cases: cannot read ", path);
  }
  const std::vector<std::string> columns = absl::StrSplit(line, '\t');
  std::vector<Case> cases;
  for (int number = 2; std::getline(file, line); ++number) {
    if (line.empty()) continue;
    absl::StatusOr<Case> parsed =
        ParseCase(ParseRow(columns, line), directory, models_root);
    if (!parsed.ok()) {
      return Annotate(parsed.status(), absl::StrCat(path, ":", number));
    }
    if (MatchesGlob(filter, parsed->name)) cases.push_back(*std::move(parsed));
  }
  return cases;
}

void AllowRoundings(std::vector<Case>& cases) {
  for (Case& each : cases) {
    if (!each.quantized) continue;
    each.roundings = true;
    for (Tolerance& tolerance : each.tolerances) {
      tolerance.absolute =
          std::max(tolerance.absolute, tolerance.absolute_of_roundings);
    }
  }
}

bool MatchesGlob(absl::string_view pattern, absl::string_view text) {
  // Where to go on after the last "*" when what follows does not fit.
  std::optional<size_t> star, retry;
  size_t p = 0, t = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (p < pattern.size() &&
               (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star) {
      p = *star + 1;
      retry = *retry + 1;
      t = *retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace dovetail::conformance
