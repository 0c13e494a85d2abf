// What Core does for devices that are made of others, on a group of toys.

#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/core/runtime/testing/group_plugin.h"
#include "dovetail/core/runtime/testing/toy_plugin.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string MessageOf(const absl::Status& status) {
  return std::string(status.message());
}

class CoreHostTest : public ::testing::Test {
 protected:
  CoreHostTest() : core_(&registry_) {
    folder_ = ::testing::TempDir() + "/dovetail_core_host_test";
    std::filesystem::remove_all(folder_);
    other_->name = "OTHER";
    other_->devices = std::vector<Device>{{"", "The other toy"}};
    team_->name = "TEAM";
    whole_->name = "WHOLE";
    whole_->cached_as_a_whole = true;
    EXPECT_TRUE(RegisterToy(registry_, toy_).ok());
    EXPECT_TRUE(RegisterToy(registry_, other_).ok());
    EXPECT_TRUE(RegisterGroup(registry_, group_).ok());
    EXPECT_TRUE(RegisterGroup(registry_, team_).ok());
    EXPECT_TRUE(RegisterGroup(registry_, whole_).ok());
  }
  ~CoreHostTest() override { std::filesystem::remove_all(folder_); }

  CompiledModel Compiled(const std::string& device,
                         const PropertyMap& properties = {}) {
    auto compiled = core_.Compile(SmallTestModel(), device, properties);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return *compiled;
  }
  absl::Status ErrorOf(const std::string& device) {
    return core_.Compile(SmallTestModel(), device).status();
  }

  const std::shared_ptr<Toy> toy_ = std::make_shared<Toy>();
  const std::shared_ptr<Toy> other_ = std::make_shared<Toy>();
  const std::shared_ptr<Group> group_ = std::make_shared<Group>();
  const std::shared_ptr<Group> team_ = std::make_shared<Group>();
  const std::shared_ptr<Group> whole_ = std::make_shared<Group>();
  PluginRegistry registry_;
  Core core_;
  std::string folder_;
};

// The values of NUMBER that the parts run with.
std::vector<std::string> NumbersOf(const CompiledModel& group) {
  std::vector<std::string> numbers;
  for (const GroupPart& part : PartsOf(*group.executable())) {
    EXPECT_TRUE(part.executable.ok()) << part.executable.status();
    if (!part.executable.ok()) continue;
    numbers.push_back((*part.executable)->config().GetString("NUMBER"));
  }
  return numbers;
}

// What a request makes of ones.
double Computed(InferRequest& request) {
  const Tensor ones =
      Tensor::FromDoubles(ElementType::kF32, {2, 3}, {1, 1, 1, 1, 1, 1})
          .value();
  EXPECT_TRUE(request.SetInput(0, ones).ok());
  const absl::Status status = request.Infer();
  EXPECT_TRUE(status.ok()) << status;
  return request.Output(0)->ElementAsDouble(5);
}

// ---- Compiling, queries, properties ----

TEST_F(CoreHostTest, AGroupRunsByItsParts) {
  const CompiledModel group = Compiled("GROUP:TOY.1,OTHER");
  EXPECT_EQ(toy_->compiled, 1);
  EXPECT_EQ(other_->compiled, 1);
  InferRequest request = group.NewRequest().value();
  EXPECT_EQ(Computed(request), 2);
}

TEST_F(CoreHostTest, QueriesReachTheParts) {
  toy_->refused_type = "Relu";
  const auto refused = core_.Query(SmallTestModel(), "GROUP:TOY.0");
  ASSERT_TRUE(refused.ok()) << refused.status();
  EXPECT_EQ(MessageOf(refused->Find("relu")->reason), "a toy has no Relu");
  EXPECT_TRUE(core_.Query(SmallTestModel(), "GROUP:OTHER")->all_supported());
}

TEST_F(CoreHostTest, TheSettingsOfTheCoreReachTheParts) {
  ASSERT_TRUE(core_.SetProperty("TOY", "NUMBER", "3").ok());
  ASSERT_TRUE(core_.SetProperty("TOY.1", "NUMBER", "5").ok());
  ASSERT_TRUE(core_.SetProperty("", "SWITCH", "YES").ok());
  const CompiledModel group = Compiled("GROUP:TOY.0,TOY.1,OTHER");
  EXPECT_THAT(NumbersOf(group), ElementsAre("3", "5", "2"));
  for (const GroupPart& part : PartsOf(*group.executable())) {
    EXPECT_TRUE((*part.executable)->config().GetBool("SWITCH")) << part.device;
  }
  // Those of another Core are not its business.
  const Core another(&registry_);
  EXPECT_THAT(
      NumbersOf(*another.Compile(SmallTestModel(), "GROUP:TOY.0,TOY.1")),
      ElementsAre("2", "2"));
}

TEST_F(CoreHostTest, WhatTheGroupSaysBeatsWhatIsSetForAPart) {
  ASSERT_TRUE(core_.SetProperty("TOY.1", "NUMBER", "5").ok());
  Model model = SmallTestModel();
  model.rt_info().Set({"runtime_options", "NUMBER"}, "6");
  const auto by_model = core_.Compile(model, "GROUP:TOY.1,OTHER");
  EXPECT_THAT(NumbersOf(*by_model), ElementsAre("6", "6"));
  const auto by_call =
      core_.Compile(model, "GROUP:TOY.1,OTHER", {{"NUMBER", "7"}});
  EXPECT_THAT(NumbersOf(*by_call), ElementsAre("7", "7"));
}

TEST_F(CoreHostTest, MetricsOfPartsAndTheDevicesThereAre) {
  // Groups themselves are none of them.
  EXPECT_EQ(*core_.GetProperty("GROUP", "OPTIMIZATION_CAPABILITIES"),
            "OTHER TOY.0 TOY.1");
  other_->architecture = "tin";
  ASSERT_TRUE(
      core_.SetProperty("GROUP", "MULTI_DEVICE_PRIORITIES", "OTHER").ok());
  EXPECT_EQ(*core_.GetProperty("GROUP", "DEVICE_ARCHITECTURE"), "tin");
}

TEST_F(CoreHostTest, ErrorsNameThePart) {
  toy_->refused_type = "Relu";
  EXPECT_THAT(MessageOf(ErrorOf("GROUP:TOY.1,OTHER")),
              AllOf(HasSubstr("device TOY.1: "), HasSubstr("has no Relu")));
  EXPECT_THAT(MessageOf(ErrorOf("TEAM:GROUP:TOY.1,OTHER")),
              HasSubstr("device GROUP:TOY.1,OTHER: device TOY.1: "));
  EXPECT_EQ(ErrorOf("GROUP:NOBODY").code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(MessageOf(ErrorOf("GROUP:NOBODY")), HasSubstr("'NOBODY'"));
  EXPECT_THAT(MessageOf(ErrorOf("GROUP:TOY.7")), HasSubstr("TOY.7"));
  other_->can_export = false;
  const auto exported = Compiled("WHOLE:OTHER").ExportToString();
  EXPECT_EQ(exported.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(MessageOf(exported.status()), HasSubstr("device OTHER: "));
}

// ---- Devices made of themselves ----

TEST_F(CoreHostTest, ADeviceMadeOfItselfIsRefused) {
  const absl::Status itself = ErrorOf("GROUP:GROUP:TOY.0");
  EXPECT_EQ(itself.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(MessageOf(itself),
              HasSubstr("device GROUP is made of itself: GROUP -> GROUP"));
  EXPECT_THAT(MessageOf(ErrorOf("GROUP:TEAM:GROUP:TOY.0")),
              HasSubstr("GROUP -> TEAM -> GROUP"));
  EXPECT_TRUE(ErrorOf("GROUP:TEAM:TOY.0").ok());
}

TEST_F(CoreHostTest, NoCallGoesRoundForEver) {
  ASSERT_TRUE(
      core_.SetProperty("GROUP", "MULTI_DEVICE_PRIORITIES", "TEAM").ok());
  ASSERT_TRUE(
      core_.SetProperty("TEAM", "MULTI_DEVICE_PRIORITIES", "GROUP").ok());
  const auto circle = HasSubstr("GROUP -> TEAM -> GROUP");
  EXPECT_THAT(MessageOf(ErrorOf("GROUP")), circle);
  EXPECT_THAT(MessageOf(core_.Query(SmallTestModel(), "GROUP").status()),
              circle);
  EXPECT_THAT(
      MessageOf(core_.GetProperty("GROUP", "DEVICE_ARCHITECTURE").status()),
      circle);
  ASSERT_TRUE(
      core_.SetProperty("WHOLE", "MULTI_DEVICE_PRIORITIES", "WHOLE").ok());
  EXPECT_EQ(core_.Compile(SmallTestModel(), "WHOLE", {{"CACHE_DIR", folder_}})
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

// ---- Exports and the cache ----

TEST_F(CoreHostTest, PartsAreExportedAndImported) {
  ASSERT_TRUE(core_.SetProperty("TOY.1", "NUMBER", "5").ok());
  const auto bytes = Compiled("WHOLE:OTHER,TOY.1").ExportToString();
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  const auto imported = core_.ImportFromString(*bytes);
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(toy_->imported, 1);
  EXPECT_EQ(other_->imported, 1);
  EXPECT_THAT(NumbersOf(*imported), ElementsAre("2", "5"));
  InferRequest request = imported->NewRequest().value();
  EXPECT_EQ(Computed(request), 2);
}

TEST_F(CoreHostTest, AnExportForAnotherKindOfPartIsRefused) {
  const auto bytes = Compiled("WHOLE:OTHER").ExportToString();
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  const absl::Status status =
      core_.ImportFromString(*bytes, "WHOLE:TOY.0").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(status), AllOf(HasSubstr("device TOY.0: "),
                                       HasSubstr("exported for device OTHER")));
}

TEST_F(CoreHostTest, TheCacheHoldsForParts) {
  ASSERT_TRUE(core_.SetProperty("", "CACHE_DIR", folder_).ok());
  Compiled("GROUP:TOY.0,OTHER");
  Compiled("GROUP:TOY.0,OTHER");
  EXPECT_EQ(group_->compiled, 2);
  EXPECT_EQ(toy_->compiled, 1);
  EXPECT_EQ(toy_->imported, 1);
  EXPECT_EQ(other_->imported, 1);
  // And for who asks for the part itself.
  EXPECT_EQ(*Compiled("TOY.0").GetProperty("LOADED_FROM_CACHE"), "YES");
}

TEST_F(CoreHostTest, TheCacheOfACallIsThatOfItsParts) {
  const PropertyMap cached = {{"CACHE_DIR", folder_}};
  const auto reason = [&] {
    return *Compiled("GROUP:OTHER", cached).GetProperty("CACHE_MISS_REASON");
  };
  // The group itself is not looked for, nor kept, as it cannot export.
  EXPECT_EQ(reason(), "device GROUP:OTHER exports no compiled models");
  EXPECT_EQ(reason(), "device GROUP:OTHER exports no compiled models");
  EXPECT_EQ(other_->compiled, 1);
  EXPECT_EQ(other_->imported, 1);
}

TEST_F(CoreHostTest, WhatIsCachedAsAWholeIsCachedOnce) {
  ASSERT_TRUE(core_.SetProperty("", "CACHE_DIR", folder_).ok());
  const auto from_cache = [&] {
    return *Compiled("WHOLE:TOY.0,OTHER").GetProperty("LOADED_FROM_CACHE");
  };
  EXPECT_EQ(from_cache(), "NO");
  const auto entries = std::filesystem::directory_iterator(folder_);
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
  EXPECT_EQ(from_cache(), "YES");
  EXPECT_EQ(whole_->compiled, 1);
  EXPECT_EQ(toy_->compiled, 1);
  EXPECT_EQ(toy_->imported, 1);
}

TEST_F(CoreHostTest, WhatDecidesAboutPartsDecidesAboutTheWhole) {
  ASSERT_TRUE(core_.SetProperty("", "CACHE_DIR", folder_).ok());
  const auto compile = [&] { return Compiled("WHOLE:TOY.0,OTHER"); };
  EXPECT_THAT(NumbersOf(compile()), ElementsAre("2", "2"));
  ASSERT_TRUE(core_.SetProperty("OTHER", "NUMBER", "4").ok());
  EXPECT_THAT(NumbersOf(compile()), ElementsAre("2", "4"));
  toy_->identity = "of another kernel file";
  EXPECT_EQ(*compile().GetProperty("LOADED_FROM_CACHE"), "NO");
  other_->architecture = "tin";
  EXPECT_EQ(*compile().GetProperty("LOADED_FROM_CACHE"), "NO");
  EXPECT_EQ(*compile().GetProperty("LOADED_FROM_CACHE"), "YES");
}

// ---- Lifetimes ----

TEST_F(CoreHostTest, AHostOutlivesTheCallAndTheCore) {
  std::promise<void> core_is_gone;
  group_->background = [&] { core_is_gone.get_future().wait(); };
  std::optional<Core> core(&registry_);
  ASSERT_TRUE(core->SetProperty("OTHER", "NUMBER", "9").ok());
  std::optional<CompiledModel> group =
      core->Compile(SmallTestModel(), "GROUP:TOY.0,OTHER").value();
  core.reset();
  EXPECT_EQ(other_->compiled, 0);
  core_is_gone.set_value();
  EXPECT_THAT(NumbersOf(*group), ElementsAre("2", "9"));
}

TEST_F(CoreHostTest, AModelMayGoWhileItsPartsAreCompiled) {
  std::promise<void> begun;
  group_->background = [&] { begun.set_value(); };
  std::optional<CompiledModel> group = Compiled("GROUP:TOY.0,OTHER");
  InferRequest request = group->NewRequest().value();
  begun.get_future().wait();
  group.reset();
  EXPECT_EQ(Computed(request), 2);
}

TEST_F(CoreHostTest, APartOutlivesTheWhole) {
  std::optional<Core> core(&registry_);
  std::optional<CompiledModel> group =
      core->Compile(SmallTestModel(), "GROUP:TOY.0,OTHER").value();
  const auto part = *PartsOf(*group->executable())[1].executable;
  group.reset();
  core.reset();
  const auto request = Request::Create(part);
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_TRUE((*request)->Infer().ok());
}

}  // namespace
}  // namespace dovetail
