#include "dovetail/backends/hetero/partition.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/substitute.h"
#include "dovetail/core/ops/text/parse.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::hetero {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// "A(a b) B(c)": of a model in which the layer "a_A" is of device A.
std::string PartsOf(const Model& model) {
  Assignment devices;
  for (const auto& node : model.nodes()) {
    if (node->op().Has(kStructural)) continue;
    const std::vector<std::string> words = absl::StrSplit(node->name(), '_');
    devices[node.get()] = words.back();
  }
  const auto parts = PartitionModel(model, devices);
  if (!parts.ok()) return std::string(parts.status().message());
  std::string text;
  for (const Part& part : *parts) {
    absl::StrAppend(&text, text.empty() ? "" : " ", part.device, "(");
    for (const Node* node : part.nodes) {
      const std::vector<std::string> words = absl::StrSplit(node->name(), '_');
      absl::StrAppend(&text, node == part.nodes[0] ? "" : " ", words[0]);
    }
    absl::StrAppend(&text, ")");
  }
  return text;
}

std::string PartsOfText(absl::string_view layers) {
  const auto model = ParseModelText(absl::StrCat(
      "%x = Parameter-0() {shape: [2], element_type: f32}\n", layers));
  return model.ok() ? PartsOf(*model) : std::string(model.status().message());
}

TEST(PartitionTest, AChainIsCutWhereTheDeviceChanges) {
  EXPECT_EQ(PartsOfText(R"(
    %a = Relu-0(%x) {}  # a_A
    %b = Abs-0(%a) {}  # b_A
    %c = Relu-0(%b) {}  # c_B
    %d = Abs-0(%c) {}  # d_A
    %o = Result-0(%d) {}
  )"),
            "A(a b) B(c) A(d)");
}

// Between c and d of A lies b of B, so they cannot be one part; e can be with
// either.
TEST(PartitionTest, NoPartWaitsForAnotherThatWaitsForIt) {
  EXPECT_EQ(PartsOfText(R"(
    %a = Relu-0(%x) {}  # a_A
    %b = Abs-0(%a) {}  # b_B
    %c = Add-1(%a, %b) {}  # c_A
    %e = Abs-0(%x) {}  # e_A
    %s = Add-1(%c, %e) {}  # s_A
    %o = Result-0(%s) {}
  )"),
            "A(a e) B(b) A(c s)");
}

TEST(PartitionTest, BranchesOfADeviceAreOnePart) {
  EXPECT_EQ(PartsOfText(R"(
    %a = Relu-0(%x) {}  # a_A
    %b = Abs-0(%a) {}  # b_B
    %c = Relu-0(%a) {}  # c_B
    %d = Add-1(%b, %c) {}  # d_A
    %o = Result-0(%d) {}
  )"),
            "A(a) B(b c) A(d)");
}

constexpr char kState[] = R"(
    %0 = Constant-0() {value: f32[2] {0, 0}}
    %v = ReadValue-6(%0) {variable_id: "v", variable_type: f32, variable_shape: [2]}  # read_A
    %a = Add-1(%v, %x) {}  # add_$0
    %w = Assign-6(%a) {variable_id: "v"}  # assign_$1
    %r = Relu-0(%a) {}  # relu_B
    %o = Result-0(%r) {}
)";

std::string State(absl::string_view add, absl::string_view assign) {
  return PartsOfText(absl::Substitute(kState, add, assign));
}

TEST(PartitionTest, AVariableIsOfOnePart) {
  EXPECT_EQ(State("A", "A"), "A(read add assign) B(relu)");
  EXPECT_THAT(State("A", "B"),
              AllOf(HasSubstr("'read_A'"), HasSubstr("'assign_B'"),
                    HasSubstr("of one device")));
  EXPECT_THAT(State("B", "A"),
              AllOf(HasSubstr("'read_A'"), HasSubstr("'add_B'"),
                    HasSubstr("has to be so too")));
}

}  // namespace
}  // namespace dovetail::hetero
