#include "dovetail/extensions/ir/fuzz/mutator.h"

#include <iterator>
#include <vector>

namespace dovetail::ir {
namespace {

// Values that programs tend to stumble over.
constexpr const char* kValues[] = {
    "",       "0",      "-1",         "-2",
    "1",      "2",      "7",          "255",
    "65536",  "1.5",    "inf",        "-inf",
    "nan",    "1e999",  "2147483647", "2147483648",
    "4294967296", "1000000000000", "9223372036854775807",
    "-9223372036854775808", "9223372036854775808", "18446744073709551615",
    "0,0,0",  "-1,-1",  "1,2,3,4,5,6,7,8,9", "1,,2",
    "?",      "...",    "..",         "2..1",
    "[1",     "true",   "f32",        "i4",
    "string", "dynamic", "opset1",    "opset8",
    "opset16", "x",     "\xc3\xa9",   "&lt;",
    "&#1;",   "&#xD800;", "a\\,b\\"};

// An attribute value between its quotes.
struct Span {
  size_t begin, size;
};

std::vector<Span> FindValues(const std::string& input) {
  std::vector<Span> values;
  const size_t xml_end = std::min(input.find('\0'), input.size());
  size_t at = 0;
  while (true) {
    const size_t open = input.find("=\"", at);
    if (open >= xml_end) return values;
    const size_t close = input.find('"', open + 2);
    if (close >= xml_end) return values;
    values.push_back({open + 2, close - open - 2});
    at = close + 1;
  }
}

std::vector<Span> FindLines(const std::string& input) {
  std::vector<Span> lines;
  const size_t xml_end = std::min(input.find('\0'), input.size());
  size_t begin = 0;
  while (begin < xml_end) {
    const size_t end = std::min(input.find('\n', begin), xml_end - 1) + 1;
    lines.push_back({begin, end - begin});
    begin = end;
  }
  return lines;
}

}  // namespace

size_t Mutator::Below(size_t limit) {
  return limit == 0 ? 0 : random_() % limit;
}

std::string Mutator::Mutate(std::string input) {
  for (size_t i = 1 + Below(4); i > 0; --i) MutateOnce(&input);
  return input;
}

void Mutator::MutateOnce(std::string* input) {
  switch (Below(8)) {
    case 0: return ChangeBytes(input);
    case 1: return ExchangeValues(input);
    case 2:
    case 3: return ChangeLines(input);
    default: return ChangeValue(input);
  }
}

void Mutator::ChangeBytes(std::string* input) {
  const size_t at = Below(input->size());
  switch (Below(4)) {
    case 0: input->resize(at); return;
    case 1: input->erase(at, 1 + Below(16)); return;
    case 2:
      input->insert(at, 1 + Below(4), static_cast<char>(random_()));
      return;
    default:
      if (!input->empty()) (*input)[at] ^= static_cast<char>(1 << Below(8));
  }
}

void Mutator::ChangeValue(std::string* input) {
  const std::vector<Span> values = FindValues(*input);
  if (values.empty()) return;
  const Span value = values[Below(values.size())];
  if (Below(16) == 0) {
    // The attribute gets another name, so that it seems to be missing.
    input->replace(value.begin - 2, 1, "x=");
    return;
  }
  input->replace(value.begin, value.size,
                 kValues[Below(std::size(kValues))]);
}

void Mutator::ExchangeValues(std::string* input) {
  const std::vector<Span> values = FindValues(*input);
  if (values.empty()) return;
  const Span from = values[Below(values.size())];
  const Span to = values[Below(values.size())];
  input->replace(to.begin, to.size, input->substr(from.begin, from.size));
}

void Mutator::ChangeLines(std::string* input) {
  const std::vector<Span> lines = FindLines(*input);
  if (lines.empty()) return;
  const Span line = lines[Below(lines.size())];
  const std::string text = input->substr(line.begin, line.size);
  if (Below(2) == 0) {
    input->erase(line.begin, line.size);
  } else {
    input->insert(lines[Below(lines.size())].begin, text);
  }
}

}  // namespace dovetail::ir
