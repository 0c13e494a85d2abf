// Keys and metrics of a device: that they are what the device says they are.

#include <cstdlib>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/testing/backend/device_test.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class PropertiesTest : public DeviceTest {
 protected:
  const std::vector<PropertySpec>& specs() const {
    return core_.Properties(device()).value()->specs();
  }
  static bool CanBeSet(const PropertySpec& spec) {
    return spec.mutability == Mutability::kReadWrite;
  }
};

TEST_F(PropertiesTest, EachCanBeReadAndIsDescribed) {
  for (const PropertySpec& spec : specs()) {
    SCOPED_TRACE(spec.name);
    const auto value = core_.GetProperty(device(), spec.name);
    EXPECT_TRUE(value.ok()) << value.status();
    EXPECT_FALSE(spec.type.empty());
    EXPECT_FALSE(spec.description.empty());
    EXPECT_EQ(absl::AsciiStrToUpper(spec.name), spec.name);
  }
}

TEST_F(PropertiesTest, ThoseThatEveryDeviceHasAreThere) {
  for (const PropertySpec& spec : properties::DeviceMetrics()) {
    EXPECT_TRUE(HasProperty(spec.name)) << spec.name;
  }
  for (const absl::string_view name :
       {properties::kFullDeviceName, properties::kDeviceArchitecture,
        properties::kOptimizationCapabilities}) {
    EXPECT_NE(core_.GetProperty(device(), name).value(), "") << name;
  }
}

TEST_F(PropertiesTest, SupportedPropertiesListsThemAll) {
  const std::string all =
      core_.GetProperty(device(), properties::kSupportedProperties).value();
  const std::vector<std::string> words = absl::StrSplit(all, ' ');
  EXPECT_EQ(words.size(), specs().size());
  for (const PropertySpec& spec : specs()) {
    EXPECT_THAT(words, testing::Contains(absl::StrCat(
                           spec.name, CanBeSet(spec) ? ":RW" : ":RO")));
  }
}

TEST_F(PropertiesTest, DefaultsAreValuesThatCanBeSet) {
  const PropertySchema* schema = core_.Properties(device()).value();
  for (const PropertySpec& spec : specs()) {
    if (!CanBeSet(spec)) continue;
    const auto canonical = schema->Check(spec.name, spec.default_value);
    ASSERT_TRUE(canonical.ok()) << canonical.status();
    EXPECT_EQ(*canonical, spec.default_value) << spec.name;
    EXPECT_TRUE(
        core_.SetProperty(device(), spec.name, spec.default_value).ok());
  }
  EXPECT_TRUE(core_.Compile(ChainModel(), device()).ok());
}

TEST_F(PropertiesTest, AnUnknownKeyGivesTheNearestOne) {
  for (const PropertySpec& spec : specs()) {
    std::string misspelt = spec.name;
    std::swap(misspelt[0], misspelt[1]);
    for (const absl::Status& status :
         {core_.GetProperty(device(), misspelt).status(),
          core_.SetProperty(device(), misspelt, "1"),
          core_.Compile(ChainModel(), device(), {{misspelt, "1"}}).status(),
          core_.Query(ChainModel(), device(), {{misspelt, "1"}}).status()}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
      EXPECT_THAT(status.message(),
                  AllOf(HasSubstr(misspelt), HasSubstr(spec.name)));
    }
  }
}

TEST_F(PropertiesTest, MetricsCannotBeSet) {
  for (const PropertySpec& spec : specs()) {
    if (CanBeSet(spec)) continue;
    for (const absl::Status& status :
         {core_.SetProperty(device(), spec.name, "1"),
          core_.Compile(ChainModel(), device(), {{spec.name, "1"}}).status()}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
      EXPECT_THAT(status.message(),
                  AllOf(HasSubstr(spec.name), HasSubstr("can only be read")));
    }
  }
}

TEST_F(PropertiesTest, AWrongValueIsNamedWithItsKey) {
  for (const PropertySpec& spec : specs()) {
    const std::string wrong = "no-such-value";
    const bool takes_any =
        !CanBeSet(spec) || spec.check == nullptr || spec.check(wrong).ok();
    if (takes_any) continue;
    const auto before = core_.GetProperty(device(), spec.name);
    for (const absl::Status& status :
         {core_.SetProperty(device(), spec.name, wrong),
          core_.Compile(ChainModel(), device(), {{spec.name, wrong}})
              .status()}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
      EXPECT_THAT(status.message(), AllOf(HasSubstr(spec.name),
                                          HasSubstr(wrong), HasSubstr("want")));
    }
    // The value that was there stays.
    EXPECT_EQ(core_.GetProperty(device(), spec.name).value(), before.value());
  }
}

// A variable of the environment for the length of a test.
class EnvironmentVariable {
 public:
  EnvironmentVariable(const std::string& name, const std::string& value)
      : name_(name) {
    setenv(name_.c_str(), value.c_str(), /*overwrite=*/1);
  }
  ~EnvironmentVariable() { unsetenv(name_.c_str()); }

 private:
  const std::string name_;
};

TEST_F(PropertiesTest, TheNearestSourceOfAValueCounts) {
  const std::string key(properties::kPerfCount);
  if (!HasProperty(key)) GTEST_SKIP() << device() << " has no " << key;
  const auto entry = [&](const Model& model, const PropertyMap& call) {
    return Compile(model, call).config().Find(key).value();
  };
  Model model = ChainModel();
  const auto expect = [&](const PropertyMap& call, absl::string_view value,
                          PropertyOrigin origin) {
    EXPECT_EQ(entry(model, call).value, value);
    EXPECT_EQ(PropertyOriginName(entry(model, call).origin),
              PropertyOriginName(origin));
  };
  expect({}, "NO", PropertyOrigin::kDefault);
  const EnvironmentVariable variable(absl::StrCat("DOVETAIL_", key), "yes");
  expect({}, "YES", PropertyOrigin::kEnvironment);
  ASSERT_TRUE(core_.SetProperty("", key, "NO").ok());
  expect({}, "NO", PropertyOrigin::kGlobal);
  ASSERT_TRUE(core_.SetProperty(device(), key, "YES").ok());
  expect({}, "YES", PropertyOrigin::kDevice);
  EXPECT_EQ(core_.GetProperty(device(), key).value(), "YES");
  model.rt_info().children["runtime_options"].children[key].value = "NO";
  expect({}, "NO", PropertyOrigin::kModel);
  expect({{key, "YES"}}, "YES", PropertyOrigin::kCall);
}

TEST_F(PropertiesTest, KeysForAllDevicesMustBeOfOne) {
  EXPECT_EQ(core_.SetProperty("", "KEY_OF_NO_DEVICE", "1").code(),
            absl::StatusCode::kNotFound);
  const std::string key(properties::kPerfCount);
  if (!HasProperty(key)) return;
  ASSERT_TRUE(core_.SetProperty("", key, "YES").ok());
  EXPECT_EQ(core_.GetProperty(device(), key).value(), "YES");
}

TEST_F(PropertiesTest, CompiledModelsAnswerForThemselves) {
  const CompiledModel model = Compile(ChainModel());
  EXPECT_EQ(model.GetProperty(properties::kNetworkName).value(), "chain");
  EXPECT_NE(model.GetProperty(properties::kExecutionDevices).value(), "");
  EXPECT_EQ(model.GetProperty(properties::kLoadedFromCache).value(), "NO");
  int requests = 0;
  EXPECT_TRUE(absl::SimpleAtoi(
      model.GetProperty(properties::kOptimalNumberOfInferRequests).value(),
      &requests));
  EXPECT_GE(requests, 1);
  for (const PropertySpec& spec : specs()) {
    if (!CanBeSet(spec)) continue;
    EXPECT_TRUE(model.GetProperty(spec.name).ok()) << spec.name;
    EXPECT_TRUE(model.config().Find(spec.name).ok()) << spec.name;
  }
  const absl::Status unknown = model.GetProperty("NETWORK_NAM").status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(unknown.message(), HasSubstr("NETWORK_NAME"));
}

TEST_F(PropertiesTest, TheDeviceIsListedAndItsIdsAreChecked) {
  const auto devices = core_.AvailableDevices();
  EXPECT_THAT(devices, testing::Contains(testing::StartsWith(device())));
  const absl::Status status =
      core_.Compile(ChainModel(), device() + ".no_such_id").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
  EXPECT_THAT(status.message(), HasSubstr("no_such_id"));
}

}  // namespace
}  // namespace dovetail
