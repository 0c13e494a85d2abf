#include "dovetail/extensions/ir/testing/ir_text.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"

namespace dovetail::ir {

std::string LayerText::ToString() const {
  std::string text = absl::StrCat("<layer id=\"", id, "\" name=\"", name,
                                  "\" type=\"", type, "\" version=\"", opset,
                                  "\">\n");
  if (!data.empty()) absl::StrAppend(&text, "<data ", data, "/>\n");
  if (inputs > 0) text += "<input>";
  for (int i = 0; i < inputs; ++i) {
    absl::StrAppend(&text, "<port id=\"", i, "\"/>");
  }
  if (inputs > 0) text += "</input>\n";
  if (outputs > 0) text += "<output>";
  for (int i = 0; i < outputs; ++i) {
    absl::StrAppend(&text, "<port id=\"", inputs + i, "\" precision=\"FP32\"");
    if (i == 0 && !names.empty())
      absl::StrAppend(&text, " names=\"", names, "\"");
    text += "/>";
  }
  if (outputs > 0) text += "</output>\n";
  absl::StrAppend(&text, more, "</layer>\n");
  return text;
}

std::string ParameterText(int id, absl::string_view name,
                          absl::string_view shape,
                          absl::string_view element_type) {
  return LayerText{.id = id,
                   .name = std::string(name),
                   .type = "Parameter",
                   .data = absl::StrCat("shape=\"", shape,
                                        "\" element_type=\"", element_type,
                                        "\""),
                   .inputs = 0}
      .ToString();
}

std::string ConstText(int id, absl::string_view name, absl::string_view type,
                      absl::string_view shape, int offset, int size) {
  return LayerText{.id = id,
                   .name = std::string(name),
                   .type = "Const",
                   .data = absl::StrCat("element_type=\"", type, "\" shape=\"",
                                        shape, "\" offset=\"", offset,
                                        "\" size=\"", size, "\""),
                   .inputs = 0}
      .ToString();
}

std::string ResultText(int id, absl::string_view name) {
  return LayerText{.id = id,
                   .name = std::string(name),
                   .type = "Result",
                   .outputs = 0}
      .ToString();
}

std::string EdgeText(int from_layer, int from_port, int to_layer,
                     int to_port) {
  return absl::StrCat("<edge from-layer=\"", from_layer, "\" from-port=\"",
                      from_port, "\" to-layer=\"", to_layer, "\" to-port=\"",
                      to_port, "\"/>\n");
}

std::string NetText(absl::string_view layers, absl::string_view edges,
                    int version, absl::string_view more) {
  return absl::StrCat("<?xml version=\"1.0\"?>\n<net name=\"net\" version=\"",
                      version, "\">\n<layers>\n", layers,
                      "</layers>\n<edges>\n", edges, "</edges>\n", more,
                      "</net>\n");
}

std::string ReluNet(int version) {
  return NetText(
      absl::StrCat(
          ParameterText(0, "input", "1,3"),
          LayerText{.id = 1, .name = "relu", .type = "ReLU"}.ToString(),
          ResultText(2, "output")),
      EdgeText(0, 0, 1, 0) + EdgeText(1, 1, 2, 0), version);
}

std::string Replaced(std::string text, absl::string_view from,
                     absl::string_view to) {
  EXPECT_NE(text.find(std::string(from)), std::string::npos)
      << "'" << from << "' is not in the text";
  return absl::StrReplaceAll(text, {{from, to}});
}

Tensor BytesOf(absl::string_view bytes) {
  absl::StatusOr<Tensor> tensor = Tensor::Allocate(
      ElementType::kU8, Shape({static_cast<int64_t>(bytes.size())}));
  EXPECT_TRUE(tensor.ok()) << tensor.status();
  if (!bytes.empty()) {
    std::memcpy(tensor->mutable_raw_data(), bytes.data(), bytes.size());
  }
  return *tensor;
}

}  // namespace dovetail::ir
