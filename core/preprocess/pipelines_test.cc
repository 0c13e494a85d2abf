// Pipelines as texts, with what has to come out of them (evidence: OpenVINO
// 2026.4's PrePostProcessor on the same pipelines). The model halves its input.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/ops/text/read_attributes.h"
#include "dovetail/core/preprocess/preprocessor.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/testing/shared_files.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using Words = std::vector<std::string>;

template <typename T>
std::vector<T> Numbers(absl::string_view text) {
  std::vector<T> numbers;
  for (absl::string_view word : absl::StrSplit(text, ',')) {
    double number = 0;
    EXPECT_TRUE(absl::SimpleAtod(word, &number)) << word;
    numbers.push_back(static_cast<T>(number));
  }
  return numbers;
}

template <typename E>
E Named(absl::string_view name) {
  for (const EnumName& row : EnumNames(E())) {
    if (row.name == name) return static_cast<E>(row.value);
  }
  ADD_FAILURE() << "no " << name;
  return E();
}

PictureSize Size(const std::string& text) {
  const std::vector<std::string> sides = absl::StrSplit(text, 'x');
  return {Numbers<int64_t>(sides[0])[0], Numbers<int64_t>(sides[1])[0]};
}

// "type=u8 layout=NHWC shape=[1,2,3,3] size=4x6 color=RGB"
void Describe(const Words& words, TensorDescription& tensor) {
  for (size_t i = 1; i < words.size(); ++i) {
    const Words pair = absl::StrSplit(words[i], '=');
    if (pair[0] == "type") tensor.set_element_type(*ParseElementType(pair[1]));
    if (pair[0] == "layout") tensor.set_layout(pair[1]);
    if (pair[0] == "color") tensor.set_color_format(*ParseColorFormat(pair[1]));
    if (pair[0] == "size" && pair[1] == "dynamic") {
      tensor.set_spatial_dynamic();
    } else if (pair[0] == "size") {
      tensor.set_spatial_shape(Size(pair[1]).height, Size(pair[1]).width);
    }
    if (pair[0] == "shape") {
      PartialShape shape = PartialShape::OfRank(0);
      const std::string extents = pair[1].substr(1, pair[1].size() - 2);
      for (int64_t extent : Numbers<int64_t>(extents)) shape.push_back(extent);
      tensor.set_shape(shape);
    }
  }
}

void AddMovingStep(const Words& words, PortPreprocess& port) {
  const std::string& what = words[1];
  if (what == "convert_layout") port.ConvertLayout(words[2]);
  if (what == "order") port.TransposeAxes(Numbers<int64_t>(words[2]));
  if (what == "reverse_channels") port.ReverseChannels();
  if (what == "crop") {
    port.Crop(Numbers<int64_t>(words[2]), Numbers<int64_t>(words[3]));
  }
  if (what == "pad") {
    port.Pad(Numbers<int64_t>(words[2]), Numbers<int64_t>(words[3]),
             Numbers<double>(words[4])[0], Named<PadMode>(words[5]));
  }
}

void AddStep(const Words& words, PortPreprocess& port) {
  const std::string& what = words[1];
  AddMovingStep(words, port);
  if (what == "convert_element_type") {
    port.ConvertElementType(*ParseElementType(words[2]));
  }
  if (what == "convert_color") port.ConvertColor(*ParseColorFormat(words[2]));
  if (what == "mean") port.Mean(Numbers<double>(words[2]));
  if (what == "scale") port.Scale(Numbers<double>(words[2]));
  if (what == "resize" && words.size() == 3) {
    port.Resize(Named<ResizeMode>(words[2]));
  } else if (what == "resize") {
    port.Resize(Named<ResizeMode>(words[2]), Size(words[3]));
  }
}

struct Case {
  std::string name;
  std::vector<Words> lines;  // of the pipeline
  std::vector<Tensor> inputs;
  Tensor expected;
  double tolerance = 0;
};

Tensor ParseTensor(absl::string_view text) {
  auto tensor = ParseTensorText(text);
  EXPECT_TRUE(tensor.ok()) << tensor.status();
  return tensor.value_or(Tensor());
}

std::vector<std::string> JoinedLines(const std::string& path) {
  std::ifstream stream(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (absl::StartsWith(line, "  ")) {
      lines.back() += line.substr(1);
    } else if (!line.empty()) {
      lines.push_back(line);
    }
  }
  return lines;
}

std::vector<Case> ReadCases(const std::string& path) {
  std::vector<Case> cases;
  for (const std::string& line : JoinedLines(path)) {
    const Words words = absl::StrSplit(line, ' ');
    absl::string_view rest = line;
    if (absl::ConsumePrefix(&rest, "case ")) {
      cases.emplace_back();
      cases.back().name = std::string(rest);
    } else if (absl::ConsumePrefix(&rest, "input ")) {
      cases.back().inputs.push_back(ParseTensor(rest));
    } else if (absl::ConsumePrefix(&rest, "expected ")) {
      cases.back().expected = ParseTensor(rest);
    } else if (absl::ConsumePrefix(&rest, "tolerance ")) {
      cases.back().tolerance = Numbers<double>(rest)[0];
    } else {
      cases.back().lines.push_back(words);
    }
  }
  return cases;
}

// A model that halves an input of the shape that the pipeline notes.
absl::StatusOr<Model> ModelOf(const Case& test) {
  std::string shape;
  for (const Words& words : test.lines) {
    if (words[0] == "model") shape = words[2].substr(words[2].find('['));
  }
  return ParseModelText(absl::StrCat(
      "%0 = Parameter-0() {shape: ", shape, ", element_type: f32}\n",
      "%1 = Constant-0() {value: f32[] {0.5}}\n",
      "%2 = Multiply-1(%0, %1) {}\n%3 = Result-0(%2) {}\n"));
}

absl::StatusOr<Model> Build(const Case& test) {
  absl::StatusOr<Model> model = ModelOf(test);
  if (!model.ok()) return model;
  Preprocessor p(*std::move(model));
  for (const Words& words : test.lines) {
    if (words[0] == "tensor") Describe(words, p.input(0).tensor());
    if (words[0] == "model")
      p.input(0).model().set_layout(words[1].substr(words[1].find('=') + 1));
    if (words[0] == "output_tensor") Describe(words, p.output(0).tensor());
    if (words[0] == "output_model") Describe(words, p.output(0).model());
    if (words[0] == "step") AddStep(words, p.input(0));
  }
  return std::move(p).Build();
}

void Check(const Case& test) {
  SCOPED_TRACE(absl::StrCat("case ", test.name));
  const auto model = Build(test);
  ASSERT_TRUE(model.ok()) << model.status();
  KernelEnvironment environment;
  const auto outputs = EvaluateModel(*model, test.inputs, environment);
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  const Tensor& output = (*outputs)[0];
  ASSERT_EQ(output.shape(), test.expected.shape());
  EXPECT_EQ(output.type(), test.expected.type());
  double worst = 0;
  for (int64_t i = 0; i < output.element_count(); ++i) {
    const double off =
        output.ElementAsDouble(i) - test.expected.ElementAsDouble(i);
    worst = std::max(worst, std::abs(off));
  }
  EXPECT_LE(worst, test.tolerance);
}

TEST(PipelinesTest, AllGiveWhatIsExpected) {
  int count = 0;
  for (int file = 0; file < 9; ++file) {
    const std::vector<Case> cases = ReadCases(RunfilePath(
        absl::StrCat("core/preprocess/cases/pipelines_", file, ".txt")));
    for (const Case& test : cases) Check(test);
    count += static_cast<int>(cases.size());
  }
  EXPECT_EQ(count, 210);
}

}  // namespace
}  // namespace dovetail
