#include "dovetail/backends/vpu/testing/one_layer.h"

#include <fstream>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gtest/gtest.h"

namespace dovetail::vpu {

std::string WhyNoCustomKernels() {
  WriteTestFile("empty.cl", "kernel void f(global half* x, global half* y) {}");
  const std::string path = WriteTestFile("empty.xml", R"(
<CustomLayer name="Relu" type="MVCL" version="1">
  <Kernel entry="f">
    <Source filename="empty.cl"/>
    <Parameters>
      <Tensor arg-name="x" type="input" port-index="0"/>
      <Tensor arg-name="y" type="output" port-index="0"/>
    </Parameters>
    <WorkSizes dim="output,0" global="1" local="1"/>
  </Kernel>
</CustomLayer>)");
  Core core;
  const absl::Status status =
      core.Compile(ModelWith("[1]", "Relu-0(%x) {}"), "VPU",
                   {{"MYRIAD_CUSTOM_LAYERS", path}})
          .status();
  EXPECT_TRUE(status.ok() || absl::IsUnavailable(status)) << status;
  return std::string(status.message());
}

Model ModelWith(const std::string& shape, const std::string& layer) {
  const size_t end = layer.rfind('\n');
  const std::string before =
      end == std::string::npos ? "" : layer.substr(0, end + 1);
  return ModelOf(absl::StrCat(
      "%x = Parameter-0() {shape: ", shape, ", element_type: f32}  # x\n",
      before, "%y = ", end == std::string::npos ? layer : layer.substr(end + 1),
      "  # layer\n%0 = Result-0(%y) {}  # out\n"));
}

std::string NumbersText(int64_t count) {
  std::vector<std::string> numbers;
  for (int64_t i = 0; i < count; ++i) {
    numbers.push_back(absl::StrCat(static_cast<double>(i * 7 % 21 - 10) / 10));
  }
  return absl::StrJoin(numbers, ", ");
}

absl::StatusOr<Inferred> InferOnce(const CompiledModel& compiled) {
  DOVETAIL_ASSIGN_OR_RETURN(InferRequest request, compiled.NewRequest());
  for (size_t i = 0; i < compiled.inputs().size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Shape shape,
                              compiled.inputs()[i].shape.ToShape());
    std::vector<double> values;
    for (int64_t k = 0; k < shape.Count(); ++k) {
      values.push_back(static_cast<double>(k * 37 % 101) / 16 - 3);
    }
    DOVETAIL_RETURN_IF_ERROR(
        request.SetInput(static_cast<int>(i), Floats(shape, values)));
  }
  DOVETAIL_RETURN_IF_ERROR(request.Infer());
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor output, request.Output(0));
  Inferred inferred;
  inferred.values.assign(output.data<float>(),
                         output.data<float>() + output.element_count());
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<ProfilingRecord> records,
                            request.Profiling());
  for (const ProfilingRecord& record : records) {
    // "layer/f32" is the conversion behind it.
    if (!absl::StartsWith(record.name, "layer") ||
        absl::StartsWith(record.name, "layer/")) {
      continue;
    }
    inferred.records.push_back(record.name);
    for (const auto& [name, value] : record.counters) {
      if (name == "bytes") inferred.bytes += value;
      if (name == "cycles") inferred.cycles += value;
    }
  }
  return inferred;
}

std::string WriteTestFile(const std::string& name, const std::string& text) {
  const std::string path = absl::StrCat(testing::TempDir(), "/", name);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

}  // namespace dovetail::vpu
