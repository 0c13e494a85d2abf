#include "dovetail/tools/pages/page.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/tools/pages/texts.h"

namespace dovetail::pages {
namespace {

using Json = nlohmann::ordered_json;

std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(text,
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}});
}

// Nothing in a string of the data ends the element that the data stands in.
std::string DataText(const Json& data) {
  return absl::StrReplaceAll(
      data.dump(-1, ' ', false, Json::error_handler_t::replace),
      {{"<", "\\u003c"}});
}

}  // namespace

std::string Page(absl::string_view title, const Json& data,
                 absl::string_view script) {
  return absl::StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<title>",
      Escaped(title), "</title>\n<style>\n", kStyle,
      "</style>\n</head>\n<body>\n<div id=\"page\"></div>\n"
      "<div id=\"tip\"></div>\n"
      "<script type=\"application/json\" id=\"data\">",
      DataText(data), "</script>\n<script>\n", kDrawScript, "</script>\n",
      "<script>\n", kGraphScript, "</script>\n<script>\n", script,
      "</script>\n</body>\n</html>\n");
}

}  // namespace dovetail::pages
