// Small IR texts for tests.
#ifndef DOVETAIL_EXTENSIONS_IR_TESTING_IR_TEXT_H_
#define DOVETAIL_EXTENSIONS_IR_TESTING_IR_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail::ir {

// A <layer> with ports numbered through, inputs first, each declared as FP32
// without dimensions.
struct LayerText {
  int id = 0;
  std::string name;
  std::string type;
  std::string opset = "opset1";
  std::string data = {};   // attributes of <data>: "axis=\"1\""
  int inputs = 1;
  int outputs = 1;
  std::string names = {};  // of the first output's tensor
  std::string more = {};   // further elements

  std::string ToString() const;
};

std::string ParameterText(int id, absl::string_view name,
                          absl::string_view shape,
                          absl::string_view element_type = "f32");
std::string ConstText(int id, absl::string_view name, absl::string_view type,
                      absl::string_view shape, int offset, int size);
std::string ResultText(int id, absl::string_view name);
std::string EdgeText(int from_layer, int from_port, int to_layer, int to_port);
std::string NetText(absl::string_view layers, absl::string_view edges,
                    int version = 11, absl::string_view more = "");

// input (Parameter f32[1,3], id 0) -> relu (ReLU, id 1) -> output (Result,
// id 2).
std::string ReluNet(int version = 11);
// `text` with `from`, which has to be in it, replaced by `to` everywhere.
std::string Replaced(std::string text, absl::string_view from,
                     absl::string_view to);

// A tensor of bytes with these elements one after the other.
template <typename T>
Tensor WeightsOf(absl::Span<const T> values);
Tensor BytesOf(absl::string_view bytes);

template <typename T>
Tensor WeightsOf(absl::Span<const T> values) {
  return BytesOf({reinterpret_cast<const char*>(values.data()),
                  values.size() * sizeof(T)});
}

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_TESTING_IR_TEXT_H_
