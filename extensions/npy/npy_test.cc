#include "dovetail/extensions/npy/npy.h"

#include <string>
#include <vector>

#include "dovetail/extensions/npy/header.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

std::string File(absl::string_view dictionary, absl::string_view data) {
  std::string text("\x93NUMPY\x01\x00", 8);
  text.push_back(static_cast<char>(dictionary.size() & 0xff));
  text.push_back(static_cast<char>(dictionary.size() >> 8));
  return text.append(dictionary.data(), dictionary.size())
      .append(data.data(), data.size());
}

TEST(NpyTest, EveryTypeComesBackAsWhatNumPyHasForIt) {
  for (const ElementType type : AllElementTypes()) {
    if (type == ElementType::kString) continue;
    const Tensor tensor =
        Tensor::FromDoubles(type, Shape{2, 2}, {1, 0, 1, 1}).value();
    const std::string bytes = FormatNpy(tensor).value();
    const Tensor back = ParseNpy(bytes).value();
    EXPECT_EQ(back.shape(), tensor.shape()) << type;
    EXPECT_EQ(ToDoubleVector(back), ToDoubleVector(tensor)) << type;
  }
}

TEST(NpyTest, DataStartsAligned) {
  for (const Shape& shape : {Shape{}, Shape{3}, Shape{1, 2, 3, 4, 5, 6, 7}}) {
    const std::string header = npy::FormatHeader("<f4", shape);
    EXPECT_EQ(header.size() % 64, 0u);
    EXPECT_EQ(npy::ParseHeader(header)->shape, shape);
  }
}

TEST(NpyTest, StringsLoseTheirPadding) {
  const std::string bytes = File(
      "{'descr': '|S3', 'fortran_order': False, 'shape': (2,), }",
      absl::string_view("ab\0cde", 6));
  const Tensor tensor = ParseNpy(bytes).value();
  EXPECT_EQ(tensor.data<std::string>()[0], "ab");
  EXPECT_EQ(tensor.data<std::string>()[1], "cde");
  const Tensor back = ParseNpy(FormatNpy(tensor).value()).value();
  EXPECT_TRUE(back.Equals(tensor));
}

TEST(NpyTest, WideStringsBecomeUtf8) {
  const std::string bytes =
      File("{'descr': '<U2', 'fortran_order': False, 'shape': (), }",
           absl::string_view("\xe4\0\0\0\xac\x20\0\0", 8));
  EXPECT_EQ(ParseNpy(bytes)->data<std::string>()[0], "\xc3\xa4\xe2\x82\xac");
}

TEST(NpyTest, FortranOrderIsTurned) {
  const std::string bytes =
      File("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }",
           absl::string_view("\1\4\2\5\3\6", 6));
  EXPECT_EQ(ToInt64Vector(ParseNpy(bytes).value()),
            (std::vector<int64_t>{1, 2, 3, 4, 5, 6}));
}

TEST(NpyTest, WrongFilesSayWhatIsWrong) {
  const struct {
    std::string bytes, message;
  } cases[] = {
      {"", "not a .npy file"},
      {"\x93NUMPY", "not a .npy file"},
      {File("{}", ""), "no 'descr'"},
      {File("{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}", "abcd"),
       "'>f4' is not read"},
      {File("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}",
            ""),
       "no simple type"},
      {File("{'descr': '<f4', 'fortran_order': False, 'shape': (2, -1)}", ""),
       "'shape' has ' -1'"},
      {File("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "abcd"),
       "take 8 bytes, 4 are there"},
      {File("{'descr': '<f4', 'fortran_order': False, "
            "'shape': (9223372036854775807, 9)}",
            ""),
       "shape"},
      {File("{'descr': '|S0', 'fortran_order': False, 'shape': (99999999999,)}",
            ""),
       "too many empty strings"},
  };
  for (const auto& c : cases) {
    const absl::StatusOr<Tensor> tensor = ParseNpy(c.bytes);
    ASSERT_FALSE(tensor.ok()) << c.message;
    EXPECT_THAT(std::string(tensor.status().message()), HasSubstr(c.message));
  }
  EXPECT_EQ(ReadNpy("/no/such/file.npy").status().code(),
            absl::StatusCode::kNotFound);
}

TEST(NpyTest, EveryPrefixOfAFileIsAnError) {
  const std::string bytes =
      FormatNpy(Tensor::FromValues<float>(Shape{2}, {1, 2}).value()).value();
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(ParseNpy(absl::string_view(bytes).substr(0, length)).ok());
  }
}

}  // namespace
}  // namespace dovetail
