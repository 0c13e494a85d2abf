// Tests of pass_manager.h, fixpoint.h, print_observer.h and for_each_model.h.
#include "dovetail/core/pass/pass_manager.h"

#include <functional>
#include <sstream>

#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/pass/fixpoint.h"
#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/core/pass/print_observer.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

class FunctionPass : public Pass {
 public:
  using Function = std::function<absl::StatusOr<bool>(Model&)>;
  FunctionPass(absl::string_view name, Function run)
      : name_(name), run_(std::move(run)) {}
  absl::string_view name() const override { return name_; }
  absl::StatusOr<bool> Run(Model& model) override { return run_(model); }

 private:
  std::string name_;
  Function run_;
};

// Adds a letter to the model's name until it has four.
absl::StatusOr<bool> Lengthen(Model& model) {
  if (model.name().size() >= 4) return false;
  model.set_name(model.name() + "x");
  return true;
}

TEST(PassManagerTest, RunsInOrder) {
  PassManager manager("all");
  manager.Add<FunctionPass>("a", [](Model& model) {
    model.set_name(model.name() + "a");
    return true;
  });
  manager.Add<FunctionPass>("b", [](Model& model) {
    model.set_name(model.name() + "b");
    return true;
  });
  Model model("m");
  EXPECT_TRUE(manager.Run(model).value());
  EXPECT_EQ(model.name(), "mab");
}

TEST(PassManagerTest, AnswersWhetherAnythingChanged) {
  PassManager manager("all");
  manager.Add<FunctionPass>("nothing", [](Model&) { return false; });
  Model model = SmallTestModel();
  EXPECT_FALSE(manager.Run(model).value());
}

TEST(PassManagerTest, ErrorsNameThePassAndStop) {
  bool reached = false;
  auto manager = std::make_unique<PassManager>("inner");
  manager->Add<FunctionPass>(
      "bad", [](Model&) { return InvalidArgument("no such thing"); });
  PassManager outer("outer");
  outer.Add(std::move(manager));
  outer.Add<FunctionPass>("next", [&](Model&) { return reached = true; });
  Model model;
  EXPECT_EQ(outer.Run(model).status().message(),
            "pass inner: pass bad: no such thing");
  EXPECT_FALSE(reached);
}

TEST(PassManagerTest, ChecksNameTheGuilty) {
  Model model = SmallTestModel();
  PassManager breaks("p");
  breaks.set_checks(true);
  breaks.Add<FunctionPass>("breaks", [](Model& m) {
    m.FindNode("relu")->TruncateInputs(0);
    return true;
  });
  EXPECT_EQ(breaks.Run(model).status().message(),
            "pass breaks: layer 'relu' (Relu-1): has 0 inputs, takes 1 to 1");
}

TEST(PassManagerTest, ChecksTheAnswer) {
  Model model("m");
  PassManager silent("p");
  silent.set_checks(true);
  silent.Add<FunctionPass>("silent", [](Model& m) {
    m.set_name("other");
    return false;
  });
  EXPECT_EQ(silent.Run(model).status().message(),
            "pass silent: changed the model, but says that it did not");
  PassManager boasts("p");
  boasts.set_checks(true);
  boasts.Add<FunctionPass>("boasts", [](Model&) { return true; });
  EXPECT_EQ(boasts.Run(model).status().code(), absl::StatusCode::kInternal);
  boasts.set_checks(false);
  EXPECT_TRUE(boasts.Run(model).ok());
}

TEST(FixpointTest, RunsUntilNothingChanges) {
  Fixpoint fixpoint(std::make_unique<FunctionPass>("lengthen", Lengthen));
  Model model("m");
  EXPECT_TRUE(fixpoint.Run(model).value());
  EXPECT_EQ(model.name(), "mxxx");
  EXPECT_FALSE(fixpoint.Run(model).value());
  EXPECT_EQ(fixpoint.name(), "lengthen");
}

TEST(FixpointTest, HasABound) {
  Fixpoint fixpoint(std::make_unique<FunctionPass>("lengthen", Lengthen), 2);
  Model model("m");
  EXPECT_TRUE(fixpoint.Run(model).value());
  EXPECT_EQ(model.name(), "mxx");
}

TEST(PrintObserverTest, SeesPassesWithinPasses) {
  auto inner = std::make_unique<PassManager>("inner");
  inner->Add<FunctionPass>("lengthen", Lengthen);
  PassManager outer("outer");
  std::ostringstream out;
  PrintObserver observer(out, true);
  outer.Add(std::make_unique<Fixpoint>(std::move(inner)));
  outer.set_observer(&observer);
  Model model("mxx");
  ASSERT_TRUE(outer.Run(model).ok());
  EXPECT_EQ(out.str(),
            "pass inner: 0 nodes\n"
            "pass lengthen: 0 nodes\n"
            "pass lengthen: now 0 nodes\n"
            "model \"mxxx\"\n"
            "pass lengthen: 0 nodes\n"
            "pass lengthen: no change\n"
            "pass inner: now 0 nodes\n"
            "model \"mxxx\"\n");
}

TEST(ForEachModelTest, VisitsBodiesFirst) {
  Model model = LoopTestModel();
  std::vector<std::string> names;
  const auto changed = ForEachModel(model, [&](Model& each) {
    names.push_back(each.name());
    return each.name() == "body";
  });
  EXPECT_TRUE(changed.value());
  EXPECT_EQ(names, (std::vector<std::string>{"body", "looping"}));
}

TEST(ForEachModelTest, StopsAtAnError) {
  Model model = LoopTestModel();
  int calls = 0;
  const auto changed =
      ForEachModel(model, [&](Model&) -> absl::StatusOr<bool> {
        ++calls;
        return Internal("stop");
      });
  EXPECT_FALSE(changed.ok());
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace dovetail
