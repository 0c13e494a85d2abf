#include "dovetail/testing/backend/device_test.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/strings/match.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

constexpr double kTolerance = 0.01;
// bf16 has 8 significant bits; a few operations, one behind the other.
constexpr double kRounding = 0x1p-7;

// There is nothing that a test could go on with.
[[noreturn]] void Die(const absl::Status& status) {
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::abort();
}

}  // namespace

DeviceTest::DeviceTest() {
  // Requests of a test may wait for others that never come.
  if (absl::StartsWith(device(), "BATCH:")) {
    const absl::Status set =
        core_.SetProperty(device(), "AUTO_BATCH_TIMEOUT", "2");
    if (!set.ok()) Die(set);
  }
}

bool DeviceTest::HasProperty(absl::string_view name) const {
  // Of one with parts its first, which runs what it can.
  const std::string list = device().substr(device().find(':') + 1);
  const auto has = [&](const std::string& device) {
    const auto schema = core_.Properties(device);
    return schema.ok() && schema->Find(name).ok();
  };
  return has(device()) &&
         (!has_parts() || has(list.substr(0, list.find_first_of(",("))));
}

bool DeviceTest::exports() const {
  const auto capabilities =
      core_.GetProperty(device(), properties::kOptimizationCapabilities);
  return capabilities.ok() && absl::StrContains(*capabilities, "EXPORT_IMPORT");
}

CompiledModel DeviceTest::Compile(const Model& model,
                                  const PropertyMap& properties) const {
  auto compiled = core_.Compile(model, device(), properties);
  if (!compiled.ok()) Die(compiled.status());
  return *std::move(compiled);
}

InferRequest DeviceTest::NewRequest(const Model& model,
                                    const PropertyMap& properties) const {
  auto request = Compile(model, properties).NewRequest();
  if (!request.ok()) Die(request.status());
  return *std::move(request);
}

testing::AssertionResult DeviceTest::Gives(
    const absl::StatusOr<Tensor>& actual,
    const std::vector<double>& values) const {
  if (!actual.ok()) return testing::AssertionFailure() << actual.status();
  if (actual->element_count() != static_cast<int64_t>(values.size())) {
    return testing::AssertionFailure()
           << actual->ToString() << ", want " << values.size() << " elements";
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const double want = computes() ? values[i] : 0;
    const double is = actual->ElementAsDouble(static_cast<int64_t>(i));
    const double allowed = kTolerance + kRounding * std::abs(want);
    if (std::abs(is - want) <= allowed) continue;  // false for NaN
    return testing::AssertionFailure()
           << actual->ToString(32) << ": element " << i << " is " << is
           << ", want " << want;
  }
  return testing::AssertionSuccess();
}

}  // namespace dovetail
