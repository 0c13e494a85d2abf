#include "dovetail/tools/analysis/operation_table.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

struct TypeClass {
  absl::string_view word;
  ElementTypeSet types;
};

// A class comes before those that are part of it.
constexpr TypeClass kTypeClasses[] = {{"any", kAllTypes},
                                      {"numbers", kAnyNumeric},
                                      {"floats", kAnyFloat},
                                      {"integers", kAnyInteger}};

// "CPU native, REFERENCE reference" of a row.
std::string DevicesText(const OperationTable& table,
                        const OperationTable::Row& row) {
  std::vector<std::string> names;
  for (size_t i = 0; i < table.devices.size(); ++i) {
    if (row.how[i].empty()) continue;
    names.push_back(absl::StrCat(table.devices[i], " ", row.how[i]));
  }
  return absl::StrJoin(names, ", ");
}

std::string MarkdownRow(const OperationTable::Row& row) {
  const OpInfo& op = *row.op;
  std::string line = absl::StrCat(
      "| ", op.ToString(), " | ", op.type == op.ir_type ? "" : op.ir_type,
      " | ", OpsetsText(op), " | ", ElementTypesText(op), " |");
  for (const std::string& how : row.how) {
    absl::StrAppend(&line, how.empty() ? "" : " ", how, " |");
  }
  return line + "\n";
}

}  // namespace

OperationTable MakeOperationTable(
    absl::Span<const OpInfo* const> ops,
    const std::vector<DeviceOperations>& devices) {
  OperationTable table;
  std::vector<std::map<std::string, std::string>> known;
  for (const auto& [device, native, reference, decomposed] : devices) {
    if (native.empty() && reference.empty()) continue;
    table.devices.push_back(device);
    known.emplace_back();
    for (const auto& [how, names] :
         {std::pair("reference", reference),
          std::pair("decomposed", decomposed), std::pair("native", native)}) {
      for (const absl::string_view name : absl::StrSplit(names, ' ')) {
        known.back()[std::string(name)] = how;
      }
    }
  }
  for (const OpInfo* op : ops) {
    OperationTable::Row row = {op, {}};
    for (const auto& names : known) {
      const auto it = names.find(op->ToString());
      row.how.push_back(it == names.end() ? "" : it->second);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string OpsetsText(const OpInfo& op) {
  std::vector<std::string> parts;
  for (int first = 1; first <= OpsetRange::kLatest; ++first) {
    if (!op.opsets.Contains(first)) continue;
    int last = first;
    while (op.opsets.Contains(last + 1)) ++last;
    parts.push_back(first == last ? absl::StrCat(first)
                                  : absl::StrCat(first, "-", last));
    first = last;
  }
  return absl::StrJoin(parts, ", ");
}

std::string ElementTypesText(const OpInfo& op) {
  ElementTypeSet rest = op.types.allowed;
  std::vector<std::string> words;
  for (const TypeClass& one : kTypeClasses) {
    if ((rest & one.types) != one.types) continue;
    words.emplace_back(one.word);
    rest = rest - one.types;
  }
  if (!rest.empty()) words.push_back(rest.ToString());
  std::string text = absl::StrJoin(words, ", ");
  if (op.types.input == OpTypes::kOutput) absl::StrAppend(&text, " (output)");
  if (op.types.input > 0) {
    absl::StrAppend(&text, " (input ", op.types.input, ")");
  }
  return text;
}

std::string TextOf(const OperationTable& table) {
  size_t widths[3] = {0, 0, 0};
  for (const OperationTable::Row& row : table.rows) {
    widths[0] = std::max(widths[0], row.op->ToString().size());
    widths[1] = std::max(widths[1], OpsetsText(*row.op).size());
    widths[2] = std::max(widths[2], ElementTypesText(*row.op).size());
  }
  std::string text;
  for (const OperationTable::Row& row : table.rows) {
    absl::StrAppendFormat(&text, "%-*s  %-*s  %-*s  %s\n", widths[0],
                          row.op->ToString(), widths[1], OpsetsText(*row.op),
                          widths[2], ElementTypesText(*row.op),
                          DevicesText(table, row));
  }
  return text;
}

std::string MarkdownOf(const OperationTable& table, absl::string_view command) {
  std::set<absl::string_view> names;
  for (const OperationTable::Row& row : table.rows) names.insert(row.op->type);
  std::string text = absl::StrCat(
      "# Operations\n\nWritten by `", command, "`.\n\n", names.size(),
      " operations in ", table.rows.size(),
      " versions. A column named after a "
      "device says how it runs them:\n\n"
      "- native: by kernels of its own, in the forms that these take, and else "
      "by the plain kernels of core\n"
      "- reference: by the plain kernels of core, unless passes have said it "
      "by "
      "others\n"
      "- decomposed: by others that have kernels, where its form and types can "
      "be said so, and else by the plain kernels of core\n"
      "- nothing: decomposed, where it can be said by others, and else not at "
      "all\n\n`dovetail query` says it of each layer of a model.\n\n"
      "Element types are those of the operation's main input, where no other "
      "one is named. Some words stand for many:\n\n");
  for (const TypeClass& one : kTypeClasses) {
    absl::StrAppend(&text, "- ", one.word, ": ",
                    one.types == kAllTypes ? "numbers, boolean and string"
                                           : one.types.ToString(),
                    "\n");
  }
  absl::StrAppend(&text, "\n| Operation | In an IR | Opsets | Element types |");
  for (const std::string& device : table.devices) {
    absl::StrAppend(&text, " ", device, " |");
  }
  absl::StrAppend(&text, "\n|---|---|---|---|");
  for (size_t i = 0; i < table.devices.size(); ++i) text += "---|";
  text += "\n";
  for (const OperationTable::Row& row : table.rows) text += MarkdownRow(row);
  return text;
}

}  // namespace dovetail
