// Keys and metrics of a device: that they are what the device says they are.

#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/executor/cpus/affinity.h"
#include "dovetail/core/executor/cpus/cpu_topology.h"
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
  std::vector<PropertySpec> specs() const {
    return core_.Properties(device()).value().specs();
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

// Where a device has them.
TEST_F(PropertiesTest, MetricsAreOfTheirForms) {
  const std::string number = "[0-9]+(\\.[0-9]+)?(e[+-]?[0-9]+)?";
  const std::pair<absl::string_view, std::string> forms[] = {
      {properties::kDeviceType, "INTEGRATED|DISCRETE|HOST"},
      {properties::kDeviceUuid, "[0-9a-f]{32}"},
      {properties::kDeviceThermal, "-?" + number},
      {properties::kDeviceGops,
       absl::StrCat("[A-Z0-9]+:", number, "( [A-Z0-9]+:", number, ")*")},
      {properties::kRangeForStreams, "[1-9][0-9]* [1-9][0-9]*"},
      {properties::kRangeForAsyncInferRequests,
       "[1-9][0-9]* [1-9][0-9]* [1-9][0-9]*"},
      {properties::kOptimalBatchSize, "[1-9][0-9]*"},
  };
  for (const auto& [name, form] : forms) {
    if (!HasProperty(name)) continue;
    const auto value = core_.GetProperty(device(), name);
    ASSERT_TRUE(value.ok()) << value.status();
    EXPECT_TRUE(std::regex_match(*value, std::regex(form)))
        << name << " = " << *value;
    // What a device is does not change from one question to the next.
    const bool stays = name != properties::kDeviceThermal;
    if (stays) {
      EXPECT_EQ(core_.GetProperty(device(), name).value(), *value);
    }
  }
}

TEST_F(PropertiesTest, RangesBeginBelowTheirEnds) {
  for (const absl::string_view name :
       {properties::kRangeForStreams,
        properties::kRangeForAsyncInferRequests}) {
    if (!HasProperty(name)) continue;
    const std::vector<std::string> words =
        absl::StrSplit(core_.GetProperty(device(), name).value(), ' ');
    int least = 0, greatest = 0;
    ASSERT_TRUE(absl::SimpleAtoi(words[0], &least));
    ASSERT_TRUE(absl::SimpleAtoi(words[1], &greatest));
    EXPECT_LE(least, greatest) << name;
  }
}

TEST_F(PropertiesTest, DevicesOfAMachineHaveDifferentUuids) {
  std::map<std::string, std::string> devices;
  for (const std::string& other : core_.AvailableDevices()) {
    const auto uuid = core_.GetProperty(other, properties::kDeviceUuid);
    if (!uuid.ok()) continue;
    const auto [it, is_new] = devices.emplace(*uuid, other);
    EXPECT_TRUE(is_new) << other << " and " << it->second;
  }
}

// The processors on which the thread runs that ends an inference.
CpuSet WhereAnInferenceEnds(const CompiledModel& model) {
  InferRequest request = model.NewRequest().value();
  std::promise<CpuSet> cpus;
  EXPECT_TRUE(request
                  .SetCallback([&](const absl::Status&) {
                    cpus.set_value(AffinityOf(pthread_self()));
                  })
                  .ok());
  EXPECT_TRUE(request.SetInput(0, ChainInput()).ok());
  EXPECT_TRUE(request.StartAsync().ok());
  EXPECT_TRUE(request.Wait().ok());
  return cpus.get_future().get();
}

// The processors on which the device's threads run: the fewest that were seen,
// as a thread that only hands an inference on may be the one that ends it.
CpuSet WhereInferencesRun(const CompiledModel& model) {
  CpuSet fewest = WhereAnInferenceEnds(model);
  for (int i = 0; i < 30; ++i) {
    CpuSet cpus = WhereAnInferenceEnds(model);
    if (cpus.size() < fewest.size()) fewest = std::move(cpus);
  }
  return fewest;
}

TEST_F(PropertiesTest, PinnedThreadsHaveOneProcessor) {
  const absl::string_view key = properties::kEnableCpuPinning;
  if (!HasProperty(key)) GTEST_SKIP() << device() << " pins no threads";
  if (has_parts()) GTEST_SKIP() << "inferences may end in any thread";
  const CpuSet usable = AffinityOf(pthread_self());
  const auto pinned = Compile(ChainModel(), {{std::string(key), "YES"}});
  // Where the process has a quota they are not, and the model says so.
  const bool holds = pinned.GetProperty(key).value() == "YES";
  EXPECT_EQ(WhereInferencesRun(pinned).size(), holds ? 1u : usable.size());
  const auto free = Compile(ChainModel(), {{std::string(key), "NO"}});
  EXPECT_EQ(free.GetProperty(key).value(), "NO");
  EXPECT_EQ(WhereInferencesRun(free), usable);
  EXPECT_EQ(AffinityOf(pthread_self()), usable);
}

TEST_F(PropertiesTest, ThreadsKeepToTheCoresThatWereAskedFor) {
  if (!HasProperty(properties::kSchedulingCoreType)) {
    GTEST_SKIP() << device() << " chooses no cores";
  }
  if (has_parts()) GTEST_SKIP() << "inferences may end in any thread";
  const CpuTopology all = UsableCpuTopology();
  const auto where = [&](const CompiledModel& model) {
    CpuTopology cpus;
    const CpuSet ids = WhereInferencesRun(model);
    for (const LogicalCpu& cpu : all) {
      if (std::count(ids.begin(), ids.end(), cpu.id) > 0) cpus.push_back(cpu);
    }
    return cpus;
  };
  const std::pair<const char*, CoreKind> kinds[] = {
      {"PCORE_ONLY", CoreKind::kPerformance},
      {"ECORE_ONLY", CoreKind::kEfficient}};
  for (const auto& [name, kind] : kinds) {
    const auto model = Compile(ChainModel(), {{"SCHEDULING_CORE_TYPE", name}});
    const auto in_force = model.GetProperty("SCHEDULING_CORE_TYPE").value();
    const CpuTopology cpus = where(model);
    for (const LogicalCpu& cpu : cpus) {
      EXPECT_TRUE(in_force == "ANY_CORE" || cpu.kind == kind) << cpu.id;
    }
    EXPECT_TRUE(in_force == name || cpus.size() == all.size()) << in_force;
  }
  const auto one_each =
      Compile(ChainModel(), {{"ENABLE_HYPER_THREADING", "NO"}});
  EXPECT_EQ(one_each.GetProperty("ENABLE_HYPER_THREADING").value(), "NO");
  const CpuTopology cpus = where(one_each);
  EXPECT_EQ(CoreCount(cpus), static_cast<int>(cpus.size()));
}

TEST_F(PropertiesTest, NumbersOfThreadsAreThoseThatRun) {
  const auto number = [&](const CompiledModel& model, const char* key) {
    int value = 0;
    EXPECT_TRUE(absl::SimpleAtoi(model.GetProperty(key).value(), &value))
        << key;
    return value;
  };
  if (!HasProperty(properties::kNumStreams)) {
    GTEST_SKIP() << device() << " has no streams";
  }
  for (const char* streams : {"AUTO", "NUMA", "2"}) {
    const auto model = Compile(ChainModel(), {{"NUM_STREAMS", streams}});
    EXPECT_GE(number(model, "NUM_STREAMS"), 1) << streams;
    const int requests = number(model, "OPTIMAL_NUMBER_OF_INFER_REQUESTS");
    const int own = number(model, "NUM_STREAMS") *
                    number(model, "OPTIMAL_BATCH_SIZE");
    // Several devices may run several of them.
    if (has_parts()) {
      EXPECT_GE(requests, own);
    } else {
      EXPECT_EQ(requests, own);
    }
    if (!HasProperty(properties::kInferenceNumThreads)) continue;
    EXPECT_GE(number(model, "INFERENCE_NUM_THREADS"),
              number(model, "NUM_STREAMS"));
  }
  EXPECT_EQ(
      number(Compile(ChainModel(), {{"NUM_STREAMS", "2"}}), "NUM_STREAMS"), 2);
}

TEST_F(PropertiesTest, TheNamesOf2021AreTheSameKeys) {
  const struct {
    const char *old_name, *old_value, *name;
  } names[] = {
      {"CPU_THROUGHPUT_STREAMS", "2", "NUM_STREAMS"},
      {"CPU_THREADS_NUM", "2", "INFERENCE_NUM_THREADS"},
      {"CPU_BIND_THREAD", "YES", "ENABLE_CPU_PINNING"},
      {"AFFINITY", "NONE", "ENABLE_CPU_PINNING"},
      {"ENFORCE_BF16", "NO", "INFERENCE_PRECISION_HINT"},
  };
  for (const auto& [old_name, old_value, name] : names) {
    if (!HasProperty(old_name)) continue;
    SCOPED_TRACE(old_name);
    Core core;
    const absl::Status set = core.SetProperty(device(), old_name, old_value);
    ASSERT_TRUE(set.ok()) << set;
    EXPECT_EQ(core.GetProperty(device(), old_name).value(), old_value);
    EXPECT_EQ(core.DeviceConfig(device())->Find(name)->origin,
              PropertyOrigin::kDevice);
    const auto model = core.Compile(ChainModel(), device());
    ASSERT_TRUE(model.ok()) << model.status();
    EXPECT_TRUE(model->GetProperty(old_name).ok());
  }
  if (!HasProperty("SUPPORTED_METRICS")) return;
  EXPECT_THAT(
      core_.GetProperty(device(), "SUPPORTED_METRICS").value(),
      AllOf(HasSubstr("FULL_DEVICE_NAME"), testing::Not(HasSubstr(":"))));
  EXPECT_EQ(core_.GetProperty(device(), "IMPORT_EXPORT_SUPPORT").value(),
            exports() ? "YES" : "NO");
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
  const PropertySchema schema = core_.Properties(device()).value();
  for (const PropertySpec& spec : specs()) {
    if (!CanBeSet(spec)) continue;
    const auto canonical = schema.Check(spec.name, spec.default_value);
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
  if (has_parts()) GTEST_SKIP() << "its parts are listed, and it has no ids";
  const auto devices = core_.AvailableDevices();
  EXPECT_THAT(devices, testing::Contains(testing::StartsWith(device())));
  const absl::Status status =
      core_.Compile(ChainModel(), device() + ".no_such_id").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
  EXPECT_THAT(status.message(), HasSubstr("no_such_id"));
}

}  // namespace
}  // namespace dovetail
