// Variables of stateful models: each request has its own.

#include <string>
#include <vector>

#include "dovetail/backends/interpreter/testing/compile.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Adds up its inputs, from 10 on.
constexpr char kSum[] = R"(
  %x = Parameter-0() {shape: [1], element_type: f32}
  %start = Constant-0() {value: f32[1] {10}}
  %old = ReadValue-6(%start) {variable_id: "sum", variable_type: f32, variable_shape: [1]}
  %new = Add-1(%old, %x) {}
  %keep = Assign-6(%new) {variable_id: "sum"}
  %out = Result-0(%new) {}
)";

TEST(VariablesTest, KeepTheirValuesBetweenInferences) {
  const auto request = RequestFor(kSum);
  ASSERT_NE(request, nullptr);
  EXPECT_THAT(RunOn(*request, Floats({1}, {1})), ElementsAre(11));
  EXPECT_THAT(RunOn(*request, Floats({1}, {2})), ElementsAre(13));
  ASSERT_TRUE(request->ResetVariables().ok());
  EXPECT_THAT(RunOn(*request, Floats({1}, {3})), ElementsAre(13));
}

TEST(VariablesTest, EachRequestHasItsOwn) {
  const auto executable = CompileText(kSum);
  ASSERT_TRUE(executable.ok()) << executable.status();
  const auto first = Request::Create(*executable).value();
  const auto second = Request::Create(*executable).value();
  RunOn(*first, Floats({1}, {1}));
  EXPECT_THAT(RunOn(*second, Floats({1}, {2})), ElementsAre(12));
  EXPECT_THAT(RunOn(*first, Floats({1}, {1})), ElementsAre(12));
}

TEST(VariablesTest, CanBeSeenAndSet) {
  const auto request = RequestFor(kSum);
  ASSERT_NE(request, nullptr);
  auto variables = request->Variables();
  ASSERT_TRUE(variables.ok());
  ASSERT_EQ(variables->size(), 1u);
  EXPECT_EQ((*variables)[0].id, "sum");
  EXPECT_FALSE((*variables)[0].value.has_data());

  const Tensor value = Floats({1}, {100});
  ASSERT_TRUE(request->SetVariable("sum", value).ok());
  value.SetElement(0, 0);  // the request has a copy
  EXPECT_THAT(RunOn(*request, Floats({1}, {1})), ElementsAre(101));
  variables = request->Variables();
  EXPECT_THAT(ToDoubleVector((*variables)[0].value), ElementsAre(101));

  ASSERT_TRUE(request->SetVariable("sum", Tensor()).ok());
  EXPECT_THAT(RunOn(*request, Floats({1}, {1})), ElementsAre(11));
}

TEST(VariablesTest, WrongValuesAreRefused) {
  const auto request = RequestFor(kSum);
  ASSERT_NE(request, nullptr);
  absl::Status status = request->SetVariable("summ", Floats({1}, {1}));
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("the variables are: sum"));
  status = request->SetVariable("sum", Floats({2}, {1, 2}));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("variable 'sum' is f32[1], the tensor f32[2]"));
}

// The model computes in f32, which is nobody's business.
TEST(VariablesTest, HaveTheTypeOfTheModel) {
  const auto request = RequestFor(R"(
    %x = Parameter-0() {shape: [1], element_type: f16}
    %old = ReadValue-6(%x) {variable_id: "v", variable_type: f16, variable_shape: [1]}
    %new = Add-1(%old, %x) {}
    %keep = Assign-6(%new) {variable_id: "v"}
    %out = Result-0(%new) {}
  )");
  ASSERT_NE(request, nullptr);
  const Tensor two = Tensor::FromDoubles(ElementType::kF16, {1}, {2}).value();
  ASSERT_TRUE(request->SetVariable("v", two).ok());
  EXPECT_THAT(RunOn(*request, two), ElementsAre(4));
  const auto variables = request->Variables();
  ASSERT_TRUE(variables.ok());
  EXPECT_EQ((*variables)[0].value.type(), ElementType::kF16);
  EXPECT_THAT(ToDoubleVector((*variables)[0].value), ElementsAre(4));
  EXPECT_FALSE(request->SetVariable("v", Floats({1}, {1})).ok());
}

TEST(VariablesTest, AnInferenceThatFailsChangesNone) {
  const auto request = RequestFor(R"(
    %x = Parameter-0() {shape: [?], element_type: f32}
    %keep = Assign-6(%x) {variable_id: "v"}
    %two = Constant-0() {value: f32[2] {1, 2}}
    %sum = Add-1(%x, %two) {}
    %out = Result-0(%sum) {}
  )");
  ASSERT_NE(request, nullptr);
  ASSERT_TRUE(request->SetInput(0, Floats({3}, {1, 2, 3})).ok());
  EXPECT_FALSE(request->Infer().ok());
  EXPECT_FALSE((*request->Variables())[0].value.has_data());
  RunOn(*request, Floats({2}, {5, 6}));
  EXPECT_THAT(ToDoubleVector((*request->Variables())[0].value),
              ElementsAre(5, 6));
}

}  // namespace
}  // namespace dovetail
