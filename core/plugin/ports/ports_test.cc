#include "dovetail/core/plugin/ports/ports.h"

#include "dovetail/core/graph/testing/test_ops.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(PortsTest, ShowNamesTypesAndShapes) {
  Model model = SmallTestModel();
  model.parameters()[0]->port().names = {"data", "picture"};
  const std::vector<PortInfo> inputs = InputPorts(model);
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0].type, ElementType::kF32);
  EXPECT_EQ(inputs[0].shape, PartialShape(Shape({2, 3})));
  EXPECT_EQ(FindPort("input", inputs, "picture").value(), 0);
  EXPECT_EQ(FindPort("input", inputs, "x").value(), 0);  // the layer
  EXPECT_EQ(FindPort("input", inputs, "0").value(), 0);
  const std::vector<PortInfo> outputs = OutputPorts(model);
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(FindPort("output", outputs, "relu").value(), 0);
  EXPECT_EQ(FindPort("output", outputs, "out").value(), 0);
}

TEST(PortsTest, UnknownNamesAreToldWhatThereIs) {
  const std::vector<PortInfo> ports = {{"data", {}, ElementType::kF32, {}},
                                       {"mask", {}, ElementType::kI64, {}}};
  for (const char* name : {"dat", "2", "-1", ""}) {
    const absl::Status status = FindPort("input", ports, name).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << name;
    EXPECT_THAT(std::string(status.message()), HasSubstr("data, mask"));
  }
  EXPECT_THAT(std::string(FindPort("input", ports, "dat").status().message()),
              HasSubstr("did you mean 'data'"));
}

TEST(PortsTest, TensorsAreCheckedAgainstPorts) {
  const PortInfo port = {"data", {}, ElementType::kF32,
                         PartialShape({Dimension(1, 4), Dimension(2)})};
  const auto check = [&](ElementType type, const Shape& shape) {
    return CheckTensor("input", port, Tensor::Allocate(type, shape).value());
  };
  EXPECT_TRUE(check(ElementType::kF32, {3, 2}).ok());
  EXPECT_THAT(std::string(check(ElementType::kF32, {5, 2}).message()),
              AllOf(HasSubstr("input 'data' (f32[1..4,2])"),
                    HasSubstr("f32[5,2]"), HasSubstr("shape")));
  EXPECT_FALSE(check(ElementType::kF32, {2}).ok());
  EXPECT_FALSE(check(ElementType::kI32, {3, 2}).ok());
  EXPECT_FALSE(CheckTensor("input", port, Tensor()).ok());
  const PortInfo any = {"any", {}, ElementType::kDynamic, PartialShape()};
  EXPECT_TRUE(CheckTensor("input", any,
                          Tensor::Allocate(ElementType::kU8, {7}).value())
                  .ok());
}

}  // namespace
}  // namespace dovetail
