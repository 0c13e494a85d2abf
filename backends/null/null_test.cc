// What all backends must do is in testing/conformance; this is what only the
// null device does, and that it works as a shared plugin, too.

#include <cstdlib>
#include <memory>
#include <string>

#include "dovetail/backends/null/null_plugin.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/core/request/request.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// Compiles the small model, runs it into memory full of sevens.
void ExpectZeros(const Plugin& plugin) {
  auto executable =
      plugin.Compile(SmallTestModel().Clone(), StandaloneCall(plugin));
  ASSERT_TRUE(executable.ok()) << executable.status();
  auto request = Request::Create(*std::move(executable));
  ASSERT_TRUE(request.ok()) << request.status();
  const Tensor output = Tensor::Allocate(ElementType::kF32, {2, 3}).value();
  for (int i = 0; i < 6; ++i) output.SetElement(i, 7);
  ASSERT_TRUE((*request)->SetOutput(0, output).ok());
  ASSERT_TRUE((*request)->Infer().ok());
  for (int i = 0; i < 6; ++i) EXPECT_EQ(output.ElementAsDouble(i), 0);
}

TEST(NullPluginTest, GivesZeros) {
  const auto plugin = MakeNullPlugin();
  ASSERT_TRUE(plugin.ok()) << plugin.status();
  ExpectZeros(**plugin);
}

TEST(NullPluginTest, DynamicOutputsHaveTheirLeastShape) {
  const auto plugin = MakeNullPlugin().value();
  auto model = std::make_unique<Model>();
  Node* x = AddTestParameter(*model, {Dimension(2, 5), Dimension()}, "x");
  AddTestNode(*model, "Result", {x->output()}, "out");
  auto request = Request::Create(plugin
                                     ->Compile(std::move(model),
                                               StandaloneCall(*plugin))
                                     .value())
                     .value();
  const Tensor input = Tensor::Allocate(ElementType::kF32, {4, 1}).value();
  EXPECT_EQ(request->Infer().code(), absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(request->SetInput(0, input).ok());
  ASSERT_TRUE(request->Infer().ok());
  EXPECT_EQ(request->Output(0)->shape(), (Shape{2, 0}));
}

TEST(NullPluginTest, WorksAsASharedPlugin) {
  const char* folder = std::getenv("TEST_SRCDIR");
  const char* workspace = std::getenv("TEST_WORKSPACE");
  ASSERT_NE(folder, nullptr);
  ASSERT_NE(workspace, nullptr);
  PluginRegistry registry;
  const std::string path = std::string(folder) + "/" + workspace +
                           "/backends/null/null_plugin.so";
  const absl::Status loaded = registry.Load(path);
  ASSERT_TRUE(loaded.ok()) << loaded;
  const auto plugin = registry.Get("NULL");
  ASSERT_TRUE(plugin.ok()) << plugin.status();
  ExpectZeros(**plugin);
  // Once is enough, and again is no failure, whatever path leads to it.
  const size_t slash = path.rfind('/');
  for (const std::string& again :
       {path, path.substr(0, slash) + "/." + path.substr(slash),
        path.substr(0, slash)}) {
    EXPECT_TRUE(registry.Load(again).ok()) << again;
  }
  EXPECT_TRUE(registry.Failures().empty());
  const auto version = registry.Version("NULL");
  ASSERT_TRUE(version.ok()) << version.status();
  EXPECT_EQ(version->library, path);
  EXPECT_EQ(version->build.find(','), 16u) << version->build;

  // A device that is there already is another matter.
  PluginRegistry linked;
  ASSERT_TRUE(linked.Register("NULL", MakeNullPlugin).ok());
  EXPECT_EQ(linked.Load(path).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(linked.Failures().count(path), 1u);
}

}  // namespace
}  // namespace dovetail
