// A model whose inputs have unknown extents meets new shapes: runs it for each
// line of a list, and then for all lines once more, when no shape is new.
// Prints the medians of both rounds, so that what a new shape costs is seen.
//
//   bazel run //bench/shapes -- MODEL.xml LIST [PROPERTY=VALUE]...
//
// A line of LIST has the shape of each input, as in "1,17 1,17". Integers are
// ones, floats are drawn from [-1, 1).
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "dovetail/bench/common/properties.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/runtime/runtime.h"

namespace dovetail {
namespace {

using Clock = std::chrono::steady_clock;
using Inputs = std::vector<Tensor>;

absl::StatusOr<Shape> ReadShape(const std::string& text) {
  std::vector<int64_t> dims;
  std::stringstream stream(text);
  for (std::string dim; std::getline(stream, dim, ',');) {
    dims.push_back(std::atoll(dim.c_str()));
    if (dims.back() < 1) {
      return InvalidArgument("extent \"", dim, "\" of shape \"", text,
                             "\" is no number from 1 on");
    }
  }
  return Shape(dims);
}

absl::StatusOr<Tensor> Filled(ElementType type, const Shape& shape) {
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, Tensor::Allocate(type, shape));
  std::mt19937 random(1);
  std::uniform_real_distribution<float> floats(-1, 1);
  switch (type) {
    case ElementType::kF32:
      for (float& x : tensor.mutable_span<float>()) x = floats(random);
      return tensor;
    case ElementType::kI64:
      for (int64_t& x : tensor.mutable_span<int64_t>()) x = 1;
      return tensor;
    case ElementType::kI32:
      for (int32_t& x : tensor.mutable_span<int32_t>()) x = 1;
      return tensor;
    default:
      return Unimplemented("inputs of ", ElementTypeName(type),
                           "; f32, i64 and i32 are filled");
  }
}

absl::StatusOr<std::vector<Inputs>> ReadList(const std::string& path,
                                             const CompiledModel& model) {
  std::ifstream file(path);
  if (!file) return NotFound("no list \"", path, "\"");
  std::vector<Inputs> lines;
  for (std::string line; std::getline(file, line);) {
    std::stringstream words(line);
    Inputs inputs;
    for (std::string word; words >> word;) {
      if (inputs.size() == model.inputs().size()) {
        return InvalidArgument("line \"", line, "\" has more shapes than the ",
                               inputs.size(), " inputs of the model");
      }
      DOVETAIL_ASSIGN_OR_RETURN(const Shape shape, ReadShape(word));
      DOVETAIL_ASSIGN_OR_RETURN(
          Tensor tensor, Filled(model.inputs()[inputs.size()].type, shape));
      inputs.push_back(std::move(tensor));
    }
    if (inputs.size() < model.inputs().size()) {
      return InvalidArgument("line \"", line, "\" has fewer shapes than the ",
                             model.inputs().size(), " inputs of the model");
    }
    lines.push_back(std::move(inputs));
  }
  if (lines.empty()) return InvalidArgument("\"", path, "\" has no lines");
  return lines;
}

absl::StatusOr<double> Milliseconds(InferRequest& request,
                                    const Inputs& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(request.SetInput(i, inputs[i]));
  }
  const auto begin = Clock::now();
  DOVETAIL_RETURN_IF_ERROR(request.Infer());
  return std::chrono::duration<double, std::milli>(Clock::now() - begin)
      .count();
}

absl::StatusOr<double> Median(InferRequest& request,
                              const std::vector<Inputs>& lines) {
  std::vector<double> times;
  for (const Inputs& inputs : lines) {
    DOVETAIL_ASSIGN_OR_RETURN(const double time, Milliseconds(request, inputs));
    times.push_back(time);
  }
  const auto middle = times.begin() + times.size() / 2;
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

absl::Status Run(const std::string& model_path, const std::string& list,
                 absl::Span<char* const> properties) {
  DOVETAIL_ASSIGN_OR_RETURN(const PropertyMap config, PropertiesOf(properties));
  const Core core;
  DOVETAIL_ASSIGN_OR_RETURN(const CompiledModel model,
                            core.Compile(model_path, "CPU", config));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Inputs> lines,
                            ReadList(list, model));
  DOVETAIL_ASSIGN_OR_RETURN(InferRequest request, model.NewRequest());
  DOVETAIL_ASSIGN_OR_RETURN(const double unseen, Median(request, lines));
  DOVETAIL_ASSIGN_OR_RETURN(const double seen, Median(request, lines));
  std::printf("ms of a new shape: %.3f, of one seen before: %.3f\n", unseen,
              seen);
  return absl::OkStatus();
}

int Usage() {
  std::fprintf(stderr, "usage: shapes MODEL.xml LIST [PROPERTY=VALUE]...\n");
  return 2;
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  if (argc < 3) return dovetail::Usage();
  const absl::Status status = dovetail::Run(
      argv[1], argv[2], absl::MakeConstSpan(argv + 3, argv + argc));
  if (status.ok()) return 0;
  std::fprintf(stderr, "shapes: %s\n", std::string(status.message()).c_str());
  return 1;
}
