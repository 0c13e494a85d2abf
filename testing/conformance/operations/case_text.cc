#include "dovetail/testing/conformance/operations/case_text.h"

#include <cstdint>
#include <limits>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/attributes/attribute_text.h"
#include "dovetail/core/graph/text.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/ops/text/read_attributes.h"

namespace dovetail {
namespace {

constexpr int64_t kAllElements = std::numeric_limits<int64_t>::max();
constexpr TextOptions kTextOptions = {
    .max_elements = kAllElements, .with_names = false, .with_types = false};

// ---- Reading ----

// One line, after those that continue it have been added.
struct Line {
  int number;  // of the first, from 1
  std::string text;
};

std::vector<Line> JoinLines(absl::string_view text) {
  std::vector<Line> lines;
  bool continues = false;
  int number = 0;
  for (const absl::string_view raw : absl::StrSplit(text, '\n')) {
    ++number;
    const absl::string_view line = absl::StripAsciiWhitespace(raw);
    if (!continues && (line.empty() || line.front() == '#')) continue;
    if (continues) {
      absl::StrAppend(&lines.back().text, " ", line);
    } else {
      lines.push_back({number, std::string(raw)});
    }
    continues = absl::EndsWith(line, ",");
  }
  return lines;
}

// "1e-05 relative, 2e-06 absolute"
absl::Status ParseTolerance(absl::string_view text, OperationCase& result) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ", ");
  if (parts.size() == 2) {
    absl::string_view relative = parts[0], absolute = parts[1];
    if (absl::ConsumeSuffix(&relative, " relative") &&
        absl::ConsumeSuffix(&absolute, " absolute") &&
        absl::SimpleAtod(relative, &result.relative) &&
        absl::SimpleAtod(absolute, &result.absolute)) {
      return absl::OkStatus();
    }
  }
  return InvalidArgument("'", text,
                         "' is not '<number> relative, <number> absolute'");
}

class Reader {
 public:
  explicit Reader(absl::string_view text) : lines_(JoinLines(text)) {}

  absl::StatusOr<std::vector<OperationCase>> Run() {
    std::vector<OperationCase> cases;
    while (next_ < lines_.size()) {
      const int number = lines_[next_].number;
      OperationCase result;
      if (!Take("case", result.name)) {
        return InvalidArgument("line ", number, ": expected 'case'");
      }
      const absl::Status status = ReadCase(result);
      if (!status.ok()) {
        return Annotate(status, absl::StrCat("case ", result.name, ", line ",
                                             lines_[next_ - 1].number));
      }
      cases.push_back(std::move(result));
    }
    return cases;
  }

 private:
  // What follows `keyword` in the next line, if that begins with it.
  bool Take(absl::string_view keyword, std::string& rest) {
    if (next_ == lines_.size()) return false;
    absl::string_view text = lines_[next_].text;
    if (!absl::ConsumePrefix(&text, keyword)) return false;
    if (!text.empty() && text.front() != ' ') return false;
    rest = std::string(absl::StripAsciiWhitespace(text));
    ++next_;
    return true;
  }

  absl::Status Expect(absl::string_view keyword, std::string& rest) {
    if (Take(keyword, rest)) return absl::OkStatus();
    return InvalidArgument("expected '", keyword, "' next");
  }

  absl::Status ReadCase(OperationCase& result) {
    std::string rest;
    DOVETAIL_RETURN_IF_ERROR(Expect("of", rest));
    result.operations = absl::StrSplit(rest, ", ");
    DOVETAIL_RETURN_IF_ERROR(Expect("tolerance", rest));
    DOVETAIL_RETURN_IF_ERROR(ParseTolerance(rest, result));
    DOVETAIL_RETURN_IF_ERROR(Expect("evidence", result.evidence));
    DOVETAIL_RETURN_IF_ERROR(Expect("model", rest));
    DOVETAIL_RETURN_IF_ERROR(ReadModel(result));
    do {
      OperationCase::Inference& inference = result.inferences.emplace_back();
      DOVETAIL_RETURN_IF_ERROR(ReadTensors("input", inference.inputs));
      DOVETAIL_RETURN_IF_ERROR(ReadTensors("output", inference.outputs));
      DOVETAIL_RETURN_IF_ERROR(CheckCounts(result));
    } while (Take("again", rest));
    return absl::OkStatus();
  }

  // All lines that are indented.
  absl::Status ReadModel(OperationCase& result) {
    std::string text;
    while (next_ < lines_.size() && lines_[next_].text.front() == ' ') {
      absl::StrAppend(&text, lines_[next_++].text, "\n");
    }
    DOVETAIL_ASSIGN_OR_RETURN(Model model, ParseModelText(text));
    result.model = std::make_unique<Model>(std::move(model));
    result.model->set_name(result.name);
    return absl::OkStatus();
  }

  absl::Status ReadTensors(absl::string_view keyword,
                           std::vector<Tensor>& tensors) {
    std::string text;
    while (Take(keyword, text)) {
      DOVETAIL_ASSIGN_OR_RETURN(tensors.emplace_back(), ParseTensorText(text));
    }
    return absl::OkStatus();
  }

  static absl::Status CheckCounts(const OperationCase& result) {
    const OperationCase::Inference& inference = result.inferences.back();
    const size_t parameters = result.model->parameters().size();
    const size_t results = result.model->results().size();
    if (inference.inputs.size() == parameters &&
        inference.outputs.size() == results) {
      return absl::OkStatus();
    }
    return InvalidArgument("has ", inference.inputs.size(), " inputs and ",
                           inference.outputs.size(), " outputs, its model ",
                           parameters, " and ", results);
  }

  const std::vector<Line> lines_;
  size_t next_ = 0;
};

// ---- Writing ----

// Where ", " is in a line, but for those within quotes; and its end.
std::vector<size_t> Breaks(absl::string_view line) {
  std::vector<size_t> breaks;
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && line.substr(i, 2) == ", ") {
      breaks.push_back(i);
    }
  }
  breaks.push_back(line.size());
  return breaks;
}

// `line` in several: as much as fits in each, broken after commas.
std::string Wrap(absl::string_view line, absl::string_view indent) {
  constexpr size_t kColumns = 100;
  std::string result;
  size_t start = 0, fits = 0, width = kColumns - 1;
  for (const size_t end : Breaks(line)) {
    if (end - start > width && fits > start) {
      absl::StrAppend(&result, line.substr(start, fits + 1 - start), "\n",
                      indent);
      start = fits + 2;
      width = kColumns - 1 - indent.size();
    }
    fits = end;
  }
  absl::StrAppend(&result, line.substr(start), "\n");
  return result;
}

}  // namespace

absl::StatusOr<std::vector<OperationCase>> ParseCases(absl::string_view text) {
  return Reader(text).Run();
}

std::string CaseText(const OperationCase& operation_case) {
  std::string text = absl::StrCat(
      "case ", operation_case.name, "\nof ",
      absl::StrJoin(operation_case.operations, ", "), "\ntolerance ",
      NumberText(operation_case.relative), " relative, ",
      NumberText(operation_case.absolute), " absolute\nevidence ",
      operation_case.evidence, "\nmodel\n");
  const std::string model = ModelText(*operation_case.model, kTextOptions);
  for (const absl::string_view line :
       absl::StrSplit(model, '\n', absl::SkipEmpty())) {
    absl::StrAppend(&text, Wrap(absl::StrCat("  ", line), "      "));
  }
  for (const OperationCase::Inference& inference : operation_case.inferences) {
    if (&inference != &operation_case.inferences.front()) {
      absl::StrAppend(&text, "again\n");
    }
    for (const Tensor& tensor : inference.inputs) {
      absl::StrAppend(
          &text,
          Wrap(absl::StrCat("input ", TensorText(tensor, kAllElements)), "  "));
    }
    for (const Tensor& tensor : inference.outputs) {
      absl::StrAppend(
          &text, Wrap(absl::StrCat("output ", TensorText(tensor, kAllElements)),
                      "  "));
    }
  }
  return text;
}

}  // namespace dovetail
