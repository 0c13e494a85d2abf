// Models of one layer between an input and an output, as the text of a file.
#ifndef DOVETAIL_TESTING_CUSTOM_OP_ONE_LAYER_H_
#define DOVETAIL_TESTING_CUSTOM_OP_ONE_LAYER_H_

#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace dovetail {

// A vector of three elements of that type goes through "the layer"; `data` are
// its attributes: scale="2".
inline std::string OneLayer(absl::string_view type, absl::string_view opset,
                            absl::string_view data = "",
                            absl::string_view element_type = "f32") {
  const std::string port =
      absl::StrCat(" precision=\"", element_type[0] == 'f' ? "FP" : "",
                   element_type[0] == 'f' ? std::string(element_type.substr(1))
                                          : absl::AsciiStrToUpper(element_type),
                   "\"");
  return absl::StrCat(
      R"(<?xml version="1.0"?>
<net name="one" version="11">
  <layers>
    <layer id="0" name="x" type="Parameter" version="opset1">
      <data shape="3" element_type=")",
      element_type, R"("/>
      <output><port id="0")",
      port, R"( names="x"><dim>3</dim></port></output>
    </layer>
    <layer id="1" name="the layer" type=")",
      type, R"(" version=")", opset, R"("><data )", data, R"(/>
      <input><port id="0"><dim>3</dim></port></input>
      <output><port id="1")",
      port, R"( names="y"><dim>3</dim></port></output>
    </layer>
    <layer id="2" name="r" type="Result" version="opset1">
      <input><port id="0"><dim>3</dim></port></input>
    </layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
    <edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
  </edges>
</net>)");
}

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CUSTOM_OP_ONE_LAYER_H_
