// What an application's tracer is told of compiling and of an inference.

#include <memory>
#include <string>
#include <vector>

#include "dovetail/core/base/scoped_trace.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/core/runtime/testing/toy_plugin.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// Everything here runs in the test's own thread.
struct Heard {
  std::vector<std::string> tasks;
  int open = 0;
};

void Begin(void* object, const char* domain, size_t domain_size,
           const char* task, size_t task_size) {
  auto* const heard = static_cast<Heard*>(object);
  heard->tasks.push_back(std::string(2 * heard->open, ' ') +
                         std::string(domain, domain_size) + ": " +
                         std::string(task, task_size));
  ++heard->open;
}

void End(void* object, const char*, size_t) {
  --static_cast<Heard*>(object)->open;
}

TEST(TraceTest, TasksOfCompilingAndOfAnInference) {
  PluginRegistry registry;
  ASSERT_TRUE(RegisterToy(registry, std::make_shared<Toy>()).ok());
  const Core core(&registry);
  Heard heard;
  const TraceReceiver receiver = {&heard, &Begin, &End};
  SetTraceReceiver(&receiver);
  const auto compiled = core.Compile(SmallTestModel(), "TOY");
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  auto request = compiled->NewRequest();
  ASSERT_TRUE(request.ok()) << request.status();
  const Tensor six =
      *Tensor::FromDoubles(ElementType::kF32, {2, 3}, {1, 2, 3, 4, 5, 6});
  ASSERT_TRUE(request->SetInput(0, six).ok());
  ASSERT_TRUE(request->Infer().ok());
  SetTraceReceiver(nullptr);
  ASSERT_TRUE(request->Infer().ok());
  EXPECT_EQ(heard.open, 0);
  EXPECT_THAT(heard.tasks,
              testing::ElementsAre("core: compile", "  plugin: TOY",
                                   "request: infer", "  stage: execute"));
}

}  // namespace
}  // namespace dovetail
