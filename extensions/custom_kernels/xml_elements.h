// Attributes of XML elements, and messages that say where in a text one is.
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_XML_ELEMENTS_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_XML_ELEMENTS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/base/status.h"
#include "pugixml.hpp"

namespace dovetail {

// Of one text, which outlives it. Errors are kInvalidArgument and name file,
// line, layer, element and attribute.
class XmlElements {
 public:
  // `name` stands for the text in messages.
  XmlElements(absl::string_view xml, std::string name)
      : xml_(xml), name_(std::move(name)) {}

  // The layer that is being read; empty: none.
  void SetLayer(std::string layer) { layer_ = std::move(layer); }
  const std::string& name() const { return name_; }

  // "kernels.xml:12".
  std::string PlaceOf(pugi::xml_node element) const;

  template <typename... Parts>
  absl::Status Problem(pugi::xml_node element, const Parts&... parts) const {
    const std::string layer =
        layer_.empty() ? "" : absl::StrCat("layer '", layer_, "', ");
    return InvalidArgument(PlaceOf(element), ": ", layer, "<", element.name(),
                           ">: ", parts...);
  }

  // An attribute that has to be there and not be empty.
  absl::StatusOr<std::string> Require(pugi::xml_node element,
                                      const char* attribute) const;
  absl::Status RequireValue(pugi::xml_node element, const char* attribute,
                            absl::string_view expected) const;
  // A number from 0 to 255, far more than any device takes.
  absl::StatusOr<int> Index(pugi::xml_node element,
                            const char* attribute) const;
  // The same of a part of an attribute.
  absl::StatusOr<int> IndexOf(pugi::xml_node element, const char* attribute,
                              absl::string_view text) const;
  // Whether `text`, of that attribute, is an expression, with the macros of
  // these names beside those that every kernel has.
  absl::Status CheckExpression(pugi::xml_node element, const char* attribute,
                               absl::string_view text,
                               const std::vector<std::string>& macros) const;

 private:
  const absl::string_view xml_;
  const std::string name_;
  std::string layer_;
};

inline bool IsNamed(pugi::xml_node element, absl::string_view name) {
  return element.name() == name;
}

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_XML_ELEMENTS_H_
