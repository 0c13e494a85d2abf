#include "dovetail/core/plugin/registry/registry.h"

#include <atomic>
#include <thread>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/registry/manifest.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class EmptyPlugin : public Plugin {
 public:
  EmptyPlugin() : Plugin("EMPTY", PropertySchema()) {}

  absl::StatusOr<std::vector<Device>> Devices() const override {
    return std::vector<Device>();
  }
  absl::Status Lower(Model&, const PluginCall&) const override {
    return absl::OkStatus();
  }
  absl::StatusOr<Support> Supports(const Node&,
                                   const PluginCall&) const override {
    return Support();
  }
  absl::StatusOr<std::unique_ptr<Executable>> CompileLowered(
      LoweredModel, const PluginCall&) const override {
    return Unimplemented("compiles nothing");
  }
};

absl::StatusOr<std::unique_ptr<Plugin>> MakeEmpty() {
  return std::make_unique<EmptyPlugin>();
}

std::string MessageOf(const absl::Status& status) {
  return std::string(status.message());
}

TEST(PluginRegistryTest, MakesAPluginOnceWhenItIsAskedFor) {
  PluginRegistry registry;
  std::atomic<int> made = 0;
  ASSERT_TRUE(registry.Register("ONE", [&] { return ++made, MakeEmpty(); })
                  .ok());
  EXPECT_EQ(made, 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] { EXPECT_TRUE(registry.Get("ONE").ok()); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(*registry.Get("ONE"), *registry.Get("ONE"));
}

TEST(PluginRegistryTest, NamesAreSortedUniqueAndWellFormed) {
  PluginRegistry registry;
  ASSERT_TRUE(registry.Register("B_2", MakeEmpty).ok());
  ASSERT_TRUE(registry.Register("A", MakeEmpty).ok());
  EXPECT_THAT(registry.Names(), ElementsAre("A", "B_2"));
  EXPECT_EQ(registry.Register("A", MakeEmpty).code(),
            absl::StatusCode::kAlreadyExists);
  for (const char* name : {"", "gpu", "GPU.0", "A B", "A:B"}) {
    EXPECT_EQ(registry.Register(name, MakeEmpty).code(),
              absl::StatusCode::kInvalidArgument)
        << name;
  }
}

TEST(PluginRegistryTest, AliasesAreSecondNames) {
  PluginRegistry registry;
  ASSERT_TRUE(registry.Register("A", MakeEmpty).ok());
  ASSERT_TRUE(registry.RegisterAlias("ALSO", "A").ok());
  EXPECT_EQ(*registry.Get("ALSO"), *registry.Get("A"));
  EXPECT_THAT(registry.Names(), ElementsAre("A"));
  EXPECT_EQ(registry.RegisterAlias("A", "A").code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(registry.Register("ALSO", MakeEmpty).code(),
            absl::StatusCode::kAlreadyExists);
}

TEST(PluginRegistryTest, AllNamesAreTakenOrNone) {
  PluginRegistry registry;
  PluginInfo info;
  info.name = "A";
  info.aliases = {"ALSO", "TOO"};
  info.version = {"the letter", "0123", ""};
  ASSERT_TRUE(registry.Register(info, MakeEmpty).ok());
  EXPECT_EQ(*registry.Get("TOO"), *registry.Get("A"));
  EXPECT_EQ(registry.Version("ALSO")->description, "the letter");
  EXPECT_EQ(registry.Versions().at("A").build, "0123");
  EXPECT_EQ(registry.Version("B").status().code(), absl::StatusCode::kNotFound);

  info.name = "B";
  info.aliases = {"BE", "TOO"};
  EXPECT_EQ(registry.Register(info, MakeEmpty).code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_FALSE(registry.Get("B").ok());
  EXPECT_FALSE(registry.Get("BE").ok());
  info.aliases = {"be"};
  EXPECT_EQ(registry.Register(info, MakeEmpty).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(registry.Names(), ElementsAre("A"));
}

TEST(PluginRegistryTest, VersionsMakeNoPlugin) {
  PluginRegistry registry;
  ASSERT_TRUE(registry
                  .Register("A",
                            []() -> absl::StatusOr<std::unique_ptr<Plugin>> {
                              ADD_FAILURE();
                              return MakeEmpty();
                            })
                  .ok());
  EXPECT_EQ(registry.Versions().size(), 1u);
  EXPECT_EQ(registry.Version("A")->build, "");
}

TEST(PluginRegistryTest, UnknownDevicesAreToldWhatThereIs) {
  PluginRegistry registry;
  EXPECT_THAT(MessageOf(registry.Get("CPU").status()), HasSubstr("none"));
  ASSERT_TRUE(registry.Register("A", MakeEmpty).ok());
  registry.RegisterLeftOut("GPU", "build with --//backends:with_gpu=true");
  const absl::Status unknown = registry.Get("CPU").status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(MessageOf(unknown),
              AllOf(HasSubstr("'CPU'"), HasSubstr("devices are: A")));
  EXPECT_THAT(MessageOf(registry.Get("GPU").status()),
              AllOf(HasSubstr("left out"), HasSubstr("with_gpu=true")));
}

TEST(PluginRegistryTest, AFactoryThatFailsIsAskedAgain) {
  PluginRegistry registry;
  bool driver = false;
  ASSERT_TRUE(registry
                  .Register("A",
                            [&]() -> absl::StatusOr<std::unique_ptr<Plugin>> {
                              if (!driver) return Unavailable("no driver");
                              return MakeEmpty();
                            })
                  .ok());
  EXPECT_EQ(registry.Get("A").status(),
            absl::UnavailableError("device A: no driver"));
  EXPECT_EQ(registry.Failures().count("A"), 1u);
  driver = true;
  EXPECT_TRUE(registry.Get("A").ok());
  EXPECT_TRUE(registry.Failures().empty());
}

TEST(PluginRegistryTest, AFactoryThatGivesNothingIsABug) {
  PluginRegistry registry;
  ASSERT_TRUE(
      registry.Register("A", [] { return std::unique_ptr<Plugin>(); }).ok());
  EXPECT_EQ(registry.Get("A").status().code(), absl::StatusCode::kInternal);
}

TEST(PluginRegistryTest, WhatCannotBeLoadedStaysListed) {
  PluginRegistry registry;
  EXPECT_EQ(registry.Load("/no/such_plugin.so").code(),
            absl::StatusCode::kNotFound);
  const auto failures = registry.Failures();
  ASSERT_EQ(failures.count("/no/such_plugin.so"), 1u);
  EXPECT_THAT(MessageOf(failures.at("/no/such_plugin.so")),
              HasSubstr("/no/such_plugin.so"));
  // Who asks for that device learns of it too, who asks for another does not.
  EXPECT_THAT(MessageOf(registry.Get("SUCH").status()),
              HasSubstr("/no/such_plugin.so"));
  EXPECT_THAT(MessageOf(registry.Get("OTHER").status()),
              testing::Not(HasSubstr("such_plugin")));
}

TEST(PluginRegistryDeathTest, ASecondRegistrationStopsTheProcess) {
  ASSERT_TRUE(internal::RegisterPluginOrDie("TWICE", MakeEmpty));
  EXPECT_DEATH(internal::RegisterPluginOrDie("TWICE", MakeEmpty), "TWICE");
  EXPECT_DEATH(internal::RegisterPluginOrDie(
                   MakeManifest("ONCE", "TWICE", "", 0, "", MakeEmpty)),
               "TWICE");
}

}  // namespace
}  // namespace dovetail
