#include "dovetail/core/graph/dot.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace dovetail {
namespace {

// Of a box with many colours to choose from; pale, so that black text shows.
constexpr absl::string_view kColors[] = {"#dbe9f6", "#fde3cf", "#dcf0d8",
                                         "#efdcef", "#fbf3c4", "#d8efec"};

std::string Quoted(absl::string_view text) {
  return absl::StrCat(
      "\"", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"\"", "\\\""}}), "\"");
}

class Drawing {
 public:
  Drawing(const Model& model, const DotParts& parts)
      : model_(model), parts_(parts) {}

  std::string Draw() {
    text_ = "digraph model {\n  node [shape=box, fontname=\"sans-serif\"];\n";
    for (size_t p = 0; p < parts_.labels.size(); ++p) {
      absl::StrAppend(&text_, "  subgraph cluster_", p,
                      " {\n  label=", Quoted(parts_.labels[p]),
                      ";\n  style=filled; color=\"",
                      kColors[p % std::size(kColors)], "\";\n");
      AddNodes(static_cast<int>(p));
      absl::StrAppend(&text_, "  }\n");
    }
    AddNodes(-1);
    for (const auto& node : model_.nodes()) AddArrows(*node);
    return absl::StrCat(text_, "}\n");
  }

 private:
  int PartOf(const Node& node) const {
    return parts_.part_of == nullptr ? -1 : parts_.part_of(node);
  }

  void AddNodes(int part) {
    for (const auto& node : model_.nodes()) {
      if (node->Is("Constant") || PartOf(*node) != part) continue;
      absl::StrAppend(
          &text_, "  n", node->id(), " [label=",
          Quoted(absl::StrCat(node->op().ToString(), "\n", node->name())),
          "];\n");
    }
  }

  void AddArrows(const Node& node) {
    for (const Value& input : node.inputs()) {
      if (!input || input.node->Is("Constant")) continue;
      const int from = PartOf(*input.node), to = PartOf(node);
      const bool crosses = from >= 0 && to >= 0 && from != to;
      std::string label = input.shape().ToString();
      if (crosses) absl::StrAppend(&label, "\n", BytesText(input));
      absl::StrAppend(&text_, "  n", input.node->id(), " -> n", node.id(),
                      " [label=", Quoted(label), crosses ? ", style=bold" : "",
                      "];\n");
    }
  }

  const Model& model_;
  const DotParts& parts_;
  std::string text_;
};

}  // namespace

std::string ModelDot(const Model& model, const DotParts& parts) {
  return Drawing(model, parts).Draw();
}

std::string BytesText(Value value) {
  const auto shape = value.shape().ToShape();
  const auto bytes = shape.ok() ? ByteSize(value.type(), shape->Count())
                                : absl::StatusOr<int64_t>(shape.status());
  if (!bytes.ok()) return "bytes unknown";
  if (*bytes < 100'000) return absl::StrCat(*bytes, " bytes");
  return absl::StrFormat("%.2f MB", static_cast<double>(*bytes) / 1e6);
}

}  // namespace dovetail
