// What a device says of its kernels, and which ones run.

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/testing/conformance/operations/device/device_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// Of a node in an execution graph.
std::string KernelOf(const Node& node) {
  const std::string* const kernel = node.rt_info().Find({"primitiveType"});
  return kernel == nullptr ? "" : *kernel;
}

class KernelsTest : public DeviceCasesTest {
 protected:
  // How the case's model has run; null where the device does not tell.
  std::unique_ptr<Model> Describe(const OperationCase& test_case) const {
    const auto compiled = CompileOnOneThread(*test_case.model);
    if (!compiled.ok()) return nullptr;
    auto request = compiled->NewRequest();
    if (!request.ok()) return nullptr;
    for (const OperationCase::Inference& inference : test_case.inferences) {
      // Other tests tell of failures.
      Infer(test_case, inference, *compiled, absl::MakeSpan(&*request, 1))
          .IgnoreError();
    }
    return compiled->DescribeExecution();
  }
};

// A kernel is not the device's own where its name says so.
TEST_P(KernelsTest, AreTheDevicesOwnWhereItSaysSo) {
  const auto native = Operations(properties::kNativeOperations);
  const auto reference = Operations(properties::kReferenceOperations);
  if (native.empty() && reference.empty()) {
    GTEST_SKIP() << "its kernels are those of other devices";
  }
  for (const OperationCase& test_case : Load()) {
    const auto described = Describe(test_case);
    if (described == nullptr) continue;
    for (const auto& node : described->nodes()) {
      const std::string kernel = KernelOf(*node), name = node->op().ToString();
      if (kernel.empty()) continue;
      if (absl::StartsWith(kernel, "reference_") ||
          absl::StartsWith(kernel, "host_")) {
        EXPECT_EQ(native.count(name) + reference.count(name), 1u) << name;
      } else {
        EXPECT_EQ(native.count(name), 1u) << name << " runs by " << kernel;
      }
    }
  }
}

// An operation is said by others in some case at least.
TEST_P(KernelsTest, AreThoseOfOthersWhereItIsDecomposed) {
  const auto decomposed = Operations(properties::kDecomposedOperations);
  std::map<std::string, bool> is_gone;
  for (const OperationCase& test_case : Load()) {
    for (const std::string& name : test_case.operations) {
      if (decomposed.count(name) == 0) continue;
      const auto described = Describe(test_case);
      if (described == nullptr) continue;
      is_gone[name] |= std::none_of(
          described->nodes().begin(), described->nodes().end(),
          [&](const auto& node) { return node->op().ToString() == name; });
    }
  }
  for (const auto& [name, gone] : is_gone) EXPECT_TRUE(gone) << name;
}

INSTANTIATE_TEST_SUITE_P(Cases, KernelsTest, EachCaseFile(), CaseFileName);

}  // namespace
}  // namespace dovetail
