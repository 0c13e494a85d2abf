// Has more than its manifest to show, so that hiding the rest is put to the
// test: a library, and what the templates in use leave behind.

#include <string>

#include "dovetail/tools/build_rules/testing/describe.h"

extern "C" const char* dovetail_plugin_manifest() {
  static const std::string text = dovetail::Describe("smallest", {{"abi", 1}});
  return text.c_str();
}
