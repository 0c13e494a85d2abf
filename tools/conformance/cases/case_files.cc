#include "dovetail/tools/conformance/cases/case_files.h"

#include <sys/stat.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/npy/npy.h"

namespace dovetail::conformance {
namespace {

bool Exists(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0;
}

std::string TensorPath(const Case& test_case, absl::string_view kind, size_t i,
                       int step) {
  return absl::StrCat(test_case.folder, "/", kind, i,
                      step == 1 ? "" : absl::StrCat(".step", step), ".npy");
}

}  // namespace

bool HasStep(const Case& test_case, int step) {
  return step == 1 || Exists(TensorPath(test_case, "out", 0, step));
}

absl::StatusOr<std::optional<Tensor>> ReadInput(const Case& test_case, size_t i,
                                                int step, ElementType type) {
  const std::string path = TensorPath(test_case, "in", i, step);
  if (step > 1 && !Exists(path)) return std::nullopt;
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, ReadNpy(path));
  if (tensor.type() != type && type != ElementType::kDynamic) {
    DOVETAIL_ASSIGN_OR_RETURN(tensor, ConvertTensor(tensor, type));
  }
  return tensor;
}

absl::StatusOr<Tensor> ReadExpected(const Case& test_case, size_t i,
                                    int step) {
  return ReadNpy(TensorPath(test_case, "out", i, step));
}

}  // namespace dovetail::conformance
