#include "dovetail/backends/gpu/steps/indexing/indices.h"

#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"

namespace dovetail::gpu {
namespace {

// The elements of a constant; none where the input is computed.
std::vector<int64_t> KnownIndices(const Node& node, int input) {
  return ConstantList(node, input).value_or(std::vector<int64_t>());
}

}  // namespace

bool HasWrongIndices(const Node& node, int input, int64_t extent,
                     bool from_end) {
  for (const int64_t index : KnownIndices(node, input)) {
    if (index < (from_end ? -extent : 0) || index >= extent) return true;
  }
  return false;
}

bool HasWrongTuples(const Node& node, int input, const Shape& shape,
                    int first) {
  const std::vector<int64_t> indices = KnownIndices(node, input);
  const size_t size = PlanBuilder::ShapeOf(node.input(input)).back();
  for (size_t i = 0; i < indices.size(); ++i) {
    const int64_t extent = shape[first + static_cast<int>(i % size)];
    if (indices[i] < -extent || indices[i] >= extent) return true;
  }
  return false;
}

std::string TuplePlace(Launch& launch, absl::string_view type,
                       const Shape& shape, int first, int size,
                       absl::string_view tuple) {
  const std::string name = absl::StrCat("tuple_place_", type, size);
  std::string parameters =
      absl::StrCat("__global const ", type, "* tuple, __global int* faults");
  std::string call = absl::StrCat(name, "(", tuple, ", faults");
  std::string body = "int place = 0;\n";
  for (int i = 0; i < size; ++i) {
    AddInt(launch, absl::StrCat("tuple_extent", i), shape[first + i]);
    absl::StrAppend(&parameters, ", int e", i);
    absl::StrAppend(&call, ", tuple_extent", i);
    absl::StrAppend(&body, absl::Substitute(R"({
  long index = tuple[$0];
  if (index < -(long)e$0 || index >= e$0) {
    report_fault(faults, index, e$0);
    return -1;
  }
  if (index < 0) index += e$0;
  place = place * e$0 + (int)index;
}
)",
                                            i));
  }
  launch.writer.Helper(absl::StrCat("int ", name, "(", parameters, ") {\n",
                                    body, "return place;\n}\n"));
  return absl::StrCat(call, ")");
}

}  // namespace dovetail::gpu
