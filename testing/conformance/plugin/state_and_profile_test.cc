// Variables of stateful models, and what is known of layers after an inference.

#include <string>

#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/testing/backend/device_test.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::HasSubstr;

class VariablesTest : public DeviceTest {
 protected:
  // A request of CounterModel() with x = {1, 2}.
  static void SetX(InferRequest& request) {
    ASSERT_TRUE(request.SetInput("x", Floats({2}, {1, 2})).ok());
  }
};

TEST_F(VariablesTest, KeepTheirValuesFromInferenceToInference) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(CounterModel());
  const CompiledModel model = Compile(CounterModel());
  InferRequest request = model.NewRequest().value();
  InferRequest other = model.NewRequest().value();
  SetX(request);
  SetX(other);
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(request.Output("y"), {1, 2}));
  ASSERT_TRUE(request.StartAsync().ok());
  ASSERT_TRUE(request.Wait().ok());
  EXPECT_TRUE(Gives(request.Output("y"), {2, 4}));
  // Each request has its own.
  ASSERT_TRUE(other.Infer().ok());
  EXPECT_TRUE(Gives(other.Output("y"), {1, 2}));
}

TEST_F(VariablesTest, CanBeReadSetAndReset) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(CounterModel());
  if (!computes()) GTEST_SKIP() << device() << " keeps no variables";
  InferRequest request = NewRequest(CounterModel());
  SetX(request);
  ASSERT_TRUE(request.Infer().ok());
  auto variables = request.Variables();
  ASSERT_TRUE(variables.ok()) << variables.status();
  ASSERT_EQ(variables->size(), 1u);
  EXPECT_EQ(variables->at(0).id, "total");
  EXPECT_TRUE(Gives(variables->at(0).value, {1, 2}));
  ASSERT_TRUE(request.SetVariable("total", Floats({2}, {10, 20})).ok());
  EXPECT_TRUE(Gives(request.Variables()->at(0).value, {10, 20}));
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(request.Output("y"), {11, 22}));
  ASSERT_TRUE(request.ResetVariables().ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(request.Output("y"), {1, 2}));
  ASSERT_TRUE(request.SetVariable("total", Tensor()).ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(request.Output("y"), {1, 2}));
}

TEST_F(VariablesTest, ThatASetValueIsACopy) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(CounterModel());
  InferRequest request = NewRequest(CounterModel());
  if (!computes()) GTEST_SKIP() << device() << " keeps no variables";
  SetX(request);
  const Tensor value = Floats({2}, {10, 20});
  ASSERT_TRUE(request.SetVariable("total", value).ok());
  ASSERT_TRUE(request.Infer().ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_EQ(value.ElementAsDouble(0), 10) << "the user's tensor stays";
  EXPECT_TRUE(Gives(request.Output("y"), {12, 24}));
}

TEST_F(VariablesTest, WrongOnesAreRefused) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(CounterModel());
  InferRequest request = NewRequest(CounterModel());
  const absl::Status unknown =
      request.SetVariable("no_such_variable", Floats({2}, {1, 2}));
  EXPECT_EQ(unknown.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(unknown.message(), HasSubstr("no_such_variable"));
  if (!computes()) return;
  for (const Tensor& wrong :
       {Floats({3}, {1, 2, 3}),
        Tensor::Allocate(ElementType::kI32, {2}).value()}) {
    const absl::Status status = request.SetVariable("total", wrong);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_THAT(status.message(), HasSubstr("total"));
  }
}

TEST_F(VariablesTest, AModelWithoutStateHasNone) {
  InferRequest request = NewRequest(ChainModel());
  EXPECT_TRUE(request.Variables()->empty());
  EXPECT_TRUE(request.ResetVariables().ok());
  EXPECT_EQ(request.SetVariable("total", Floats({2}, {1, 2})).code(),
            absl::StatusCode::kNotFound);
}

class ProfilingTest : public DeviceTest {};

TEST_F(ProfilingTest, IsThereWhenAskedFor) {
  const std::string key(properties::kPerfCount);
  if (!HasProperty(key)) GTEST_SKIP() << device() << " has no " << key;
  InferRequest request = NewRequest(ChainModel(), {{key, "YES"}});
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(request.Infer().ok());
    const auto records = request.Profiling();
    ASSERT_TRUE(records.ok()) << records.status();
    ASSERT_FALSE(records->empty());
    int executed = 0;
    for (const ProfilingRecord& record : *records) {
      EXPECT_FALSE(record.name.empty());
      EXPECT_FALSE(record.type.empty()) << record.name;
      EXPECT_GE(record.duration_ns, 0) << record.name;
      EXPECT_GE(record.cpu_ns, 0) << record.name;
      if (record.status == ProfilingRecord::Status::kExecuted) ++executed;
    }
    if (computes()) {
      EXPECT_GT(executed, 0);
    }
  }
}

TEST_F(ProfilingTest, IsNotThereOtherwise) {
  InferRequest request = NewRequest(ChainModel());
  ASSERT_TRUE(request.Infer().ok());
  const auto records = request.Profiling();
  ASSERT_TRUE(records.ok()) << records.status();
  EXPECT_TRUE(records->empty());
}

}  // namespace
}  // namespace dovetail
