#include "dovetail/extensions/ir/fuzz/seeds.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "dovetail/extensions/ir/testing/body_nets.h"
#include "dovetail/extensions/ir/testing/ir_text.h"

namespace dovetail::ir {
namespace {

std::string Input(const std::string& xml, absl::string_view weights = "") {
  return absl::StrCat(xml, absl::string_view("\0", 1), weights);
}

template <typename T>
std::string Bytes(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()),
                     values.size() * sizeof(T));
}

// Every layer in order reads the one before it, through a further constant
// input when it has two.
struct Chain {
  std::string layers = ParameterText(0, "data", "1,4,6,6");
  std::string edges;
  std::string weights;
  int last = 0, last_port = 0, next = 1;

  int Constant(absl::string_view type, absl::string_view shape,
               const std::string& bytes) {
    layers += ConstText(next, absl::StrCat("const", next), type, shape,
                        static_cast<int>(weights.size()),
                        static_cast<int>(bytes.size()));
    weights += bytes;
    return next++;
  }

  void Layer(const std::string& type, const std::string& opset,
             const std::string& data, const std::vector<int>& constants) {
    const int inputs = 1 + static_cast<int>(constants.size());
    layers += LayerText{.id = next,
                        .name = absl::StrCat(type, next),
                        .type = type,
                        .opset = opset,
                        .data = data,
                        .inputs = inputs}
                  .ToString();
    edges += EdgeText(last, last_port, next, 0);
    for (int i = 1; i < inputs; ++i) {
      edges += EdgeText(constants[i - 1], 0, next, i);
    }
    last = next++;
    last_port = inputs;
  }

  std::string Finish() {
    layers += ResultText(next, "out");
    edges += EdgeText(last, last_port, next, 0);
    return Input(NetText(layers, edges), weights);
  }
};

std::string Convolutional() {
  Chain chain;
  const int kernel = chain.Constant(
      "f32", "2,4,3,3", Bytes(std::vector<float>(2 * 4 * 3 * 3, 0.5f)));
  chain.Layer("Convolution", "opset1",
              "strides=\"1,1\" pads_begin=\"1,1\" pads_end=\"1,1\" "
              "dilations=\"1,1\" auto_pad=\"explicit\"",
              {kernel});
  chain.Layer("MaxPool", "opset1",
              "strides=\"2,2\" kernel=\"2,2\" pads_begin=\"0,0\" "
              "pads_end=\"0,0\" rounding_type=\"ceil\" auto_pad=\"valid\"",
              {});
  const int shape =
      chain.Constant("i64", "2", Bytes(std::vector<int64_t>{0, -1}));
  chain.Layer("Reshape", "opset1", "special_zero=\"true\"", {shape});
  const int matrix = chain.Constant("f32", "18,3", std::string(216, '\0'));
  chain.Layer("MatMul", "opset1", "transpose_a=\"false\" transpose_b=\"false\"",
              {matrix});
  chain.Layer("SoftMax", "opset8", "axis=\"-1\"", {});
  return chain.Finish();
}

std::string Shapes() {
  Chain chain;
  const int order =
      chain.Constant("i32", "4", Bytes(std::vector<int32_t>{0, 2, 3, 1}));
  chain.Layer("Transpose", "opset1", "", {order});
  const int begin = chain.Constant("i64", "4", Bytes(std::vector<int64_t>(4)));
  const int end =
      chain.Constant("i64", "4", Bytes(std::vector<int64_t>{1, 4, 4, 2}));
  chain.Layer("StridedSlice", "opset1",
              "begin_mask=\"1,1,1,1\" end_mask=\"0,0,0,0\" new_axis_mask=\"0\" "
              "shrink_axis_mask=\"0,0,0,1\" ellipsis_mask=\"\"",
              {begin, end});
  const int pads =
      chain.Constant("i64", "3", Bytes(std::vector<int64_t>{0, 1, 2}));
  chain.Layer("Pad", "opset1", "pad_mode=\"reflect\"", {pads, pads});
  const int axis = chain.Constant("i64", "", Bytes(std::vector<int64_t>{1}));
  chain.Layer("Unsqueeze", "opset1", "", {axis});
  const int target =
      chain.Constant("i64", "4", Bytes(std::vector<int64_t>{1, 3, 6, 8}));
  chain.Layer("Broadcast", "opset3", "mode=\"bidirectional\"", {target});
  chain.Layer("ReduceMean", "opset1", "keep_dims=\"true\"", {axis});
  chain.Layer("ShapeOf", "opset3", "output_type=\"i32\"", {});
  return chain.Finish();
}

std::string Constants() {
  const std::string strings =
      Bytes(std::vector<int32_t>{2, 0, 3, 5}) + "abcde";
  Chain chain;
  chain.Constant("string", "2", strings);
  chain.Constant("u4", "3,3", std::string(5, '\x12'));
  chain.Constant("boolean", "4", std::string("\0\1\0\1", 4));
  chain.Constant("f64", "1", std::string(8, '\x3f'));
  for (int i = 1; i <= 4; ++i) {
    chain.layers += ResultText(10 + i, absl::StrCat("result", i));
    chain.edges += EdgeText(i, 0, 10 + i, 0);
  }
  return chain.Finish();
}

std::string Variables() {
  const std::string variable =
      "variable_id=\"v\" variable_type=\"f32\" variable_shape=\"1,4\"";
  return Input(NetText(
      absl::StrCat(
          ParameterText(0, "x", "1,4"),
          LayerText{.id = 1,
                    .name = "read",
                    .type = "ReadValue",
                    .opset = "opset6",
                    .data = variable}
              .ToString(),
          LayerText{.id = 2, .name = "add", .type = "Add", .inputs = 2}
              .ToString(),
          LayerText{.id = 3,
                    .name = "assign",
                    .type = "Assign",
                    .opset = "opset6",
                    .data = "variable_id=\"v\""}
              .ToString(),
          ResultText(4, "out")),
      absl::StrCat(EdgeText(0, 0, 1, 0), EdgeText(0, 0, 2, 0),
                   EdgeText(1, 1, 2, 1), EdgeText(2, 2, 3, 0),
                   EdgeText(2, 2, 4, 0))));
}

std::string Annotated() {
  const std::string attributes =
      "<rt_info>\n<attribute name=\"fused_names\" version=\"0\" "
      "value=\"a,b\"/>\n<attribute name=\"layout\" version=\"\" "
      "layout=\"[N,C]\"/>\n</rt_info>\n";
  std::string xml =
      Replaced(ReluNet(), "<input><port id=\"0\"/></input>\n<out",
               attributes + "<input><port id=\"0\"/></input>\n<out");
  xml = Replaced(xml, "<port id=\"1\" precision=\"FP32\"/>",
                 absl::StrCat("\n<port id=\"1\" precision=\"FP32\" "
                              "names=\"a\\,b,c\">\n<dim>1</dim>\n",
                              attributes, "</port>\n"));
  return Input(Replaced(
      xml, "</net>",
      "<rt_info>\n<a value=\"1\">\n<b value=\"2\"/>\n</a>\n<info "
      "name=\"c d\" value=\"3\"/>\n</rt_info>\n</net>"));
}

std::string PreProcessed() {
  return Input(
      NetText(absl::StrCat(ParameterText(0, "image", "1,2,1,2"),
                           ResultText(1, "out")),
              EdgeText(0, 0, 1, 0), 10,
              "<pre-process reference-layer-name=\"image\">\n<channel "
              "id=\"0\">\n<mean offset=\"0\" size=\"8\"/>\n</channel>\n"
              "<channel id=\"1\">\n<mean offset=\"8\" size=\"8\"/>\n"
              "</channel>\n</pre-process>\n<meta_data>\n<cli_parameters>\n"
              "<batch value=\"1\"/>\n</cli_parameters>\n</meta_data>\n"),
      Bytes(std::vector<float>{1, 2, 3, 4}));
}

std::string SplitInTwo() {
  return Input(
      NetText(
          absl::StrCat(
              ParameterText(0, "x", "?,4..8"),
              ConstText(1, "axis", "i64", "", 0, 8),
              LayerText{.id = 2,
                        .name = "split",
                        .type = "Split",
                        .data = "num_splits=\"2\"",
                        .inputs = 2,
                        .outputs = 2}
                  .ToString(),
              LayerText{.id = 3,
                        .name = "concat",
                        .type = "Concat",
                        .data = "axis=\"1\"",
                        .inputs = 3}
                  .ToString(),
              ResultText(4, "first"), ResultText(5, "second")),
          absl::StrCat(EdgeText(0, 0, 2, 0), EdgeText(1, 0, 2, 1),
                       EdgeText(2, 2, 3, 0), EdgeText(2, 3, 3, 1),
                       EdgeText(2, 2, 3, 2), EdgeText(3, 3, 4, 0),
                       EdgeText(2, 3, 5, 0))),
      std::string(8, '\0'));
}

}  // namespace

std::vector<std::string> FuzzSeeds() {
  return {Input(ReluNet()),
          Convolutional(),
          Shapes(),
          Constants(),
          Input(TensorIteratorNet()),
          Input(LoopNet(), LoopWeights()),
          Input(IfNet()),
          Variables(),
          Annotated(),
          PreProcessed(),
          SplitInTwo()};
}

}  // namespace dovetail::ir
