#include "dovetail/backends/hetero/parts/partition.h"

#include <string>

#include "absl/strings/substitute.h"
#include "dovetail/backends/hetero/testing/lettered_model.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::hetero {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string PartsOf(absl::string_view layers) {
  const auto lettered = ParseLettered("2", layers);
  if (!lettered.ok()) return std::string(lettered.status().message());
  const auto parts = PartitionModel(lettered->model, lettered->devices);
  return parts.ok() ? PartsText(*parts) : std::string(parts.status().message());
}

TEST(PartitionTest, AChainIsCutWhereTheDeviceChanges) {
  EXPECT_EQ(PartsOf(R"(
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
  EXPECT_EQ(PartsOf(R"(
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
  EXPECT_EQ(PartsOf(R"(
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
  return PartsOf(absl::Substitute(kState, add, assign));
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
