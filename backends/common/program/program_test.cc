#include "dovetail/backends/common/program/program.h"

#include <chrono>
#include <cmath>
#include <thread>

#include "dovetail/backends/common/program/describe.h"
#include "dovetail/backends/common/program/testing/reference_plans.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/ops/text/parse.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;

// What one context has to run a program.
class Stream {
 public:
  explicit Stream(const Program& program)
      : program_(program), environment_(&team_, &reference_) {
    reference_.variables = &variables_;
  }

  // All elements of the only output for elements of that shape; none after an
  // error.
  std::vector<float> Run(const Shape& shape, const std::vector<float>& input) {
    Tensor output;
    const absl::Status status = Run(shape, input, output);
    EXPECT_TRUE(status.ok()) << status;
    if (!status.ok()) return {};
    const auto values = output.span<float>();
    return {values.begin(), values.end()};
  }
  std::vector<float> Run(const std::vector<float>& input) {
    return Run({static_cast<int64_t>(input.size())}, input);
  }
  absl::Status Run(const Shape& shape, const std::vector<float>& input,
                   Tensor& output) {
    const WorkTeam::Session session(team_);
    auto tensor = Tensor::Allocate(ElementType::kF32, shape);
    const auto elements = tensor->mutable_span<float>();
    std::copy(input.begin(), input.end(), elements.begin());
    const auto place = [&](int, ElementType type,
                           const Shape& shape) -> absl::StatusOr<Tensor> {
      auto tensor = Tensor::Allocate(type, shape);
      if (tensor.ok()) output = *tensor;
      return tensor;
    };
    const absl::Status status =
        program_.Run({*tensor}, place, state_, environment_);
    // An application may write to it again.
    std::fill(elements.begin(), elements.end(), -1.0f);
    return status;
  }

  VariableValues& variables() { return variables_; }

 private:
  const Program& program_;
  WorkTeam team_{1};
  VariableValues variables_;
  KernelEnvironment reference_;
  RunEnvironment environment_;
  ProgramState state_;
};

std::vector<float> Ones(int64_t n) { return std::vector<float>(n, 1); }

// ---- Streams that ask one program for plans at the same time ----

class ProgramStreamsTest : public testing::Test {
 protected:
  ProgramStreamsTest() {
    auto model = ParseModelText(R"(
      %x = Parameter-0() {shape: [2,?], element_type: f32}
      %axis = Constant-0() {value: i64[1] {1}}
      %s = ReduceSum-1(%x, %axis) {keep_dims: true}
      %o = Result-0(%s) {})");
    EXPECT_TRUE(model.ok()) << model.status();
    WorkTeam team(1);
    auto program = Program::Create(
        std::make_shared<const Model>(*std::move(model)), compiler_, team);
    EXPECT_TRUE(program.ok()) << program.status();
    program_ = *std::move(program);
  }

  // What comes of `columns` ones; negative: an error.
  static float Sum(Stream& stream, int64_t columns) {
    const auto sums = stream.Run({2, columns}, Ones(2 * columns));
    return sums.empty() ? -1 : sums[0];
  }

  const std::shared_ptr<ReferencePlanCompiler> compiler_ =
      std::make_shared<ReferencePlanCompiler>();
  std::unique_ptr<Program> program_;
};

// The main thread would wait for ever for the other one, whose compilation
// waits for the main thread.
TEST_F(ProgramStreamsTest, KnownShapesDoNotWaitForNewOnes) {
  Stream first(*program_), second(*program_), third(*program_);
  ASSERT_EQ(Sum(first, 3), 3);
  std::thread other;
  {
    const std::lock_guard<std::mutex> no_compilation(compiler_->mutex());
    other = std::thread([&] { EXPECT_EQ(Sum(second, 5), 5); });
    // Time for the other to get as far as it can.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(Sum(third, 3), 3);
  }
  other.join();
}

TEST_F(ProgramStreamsTest, ManyStreamsAskForTheSameNewShapes) {
  std::vector<std::thread> streams;
  for (int i = 0; i < 4; ++i) {
    streams.emplace_back([&] {
      Stream stream(*program_);
      for (int columns = 1; columns < 40; ++columns) {
        EXPECT_EQ(Sum(stream, columns), static_cast<float>(columns));
      }
    });
  }
  for (std::thread& stream : streams) stream.join();
  EXPECT_GE(compiler_->plans(), 39);
}

// ---- Shape barriers ----

// A program and what one context has.
class Context {
 public:
  explicit Context(absl::string_view text) {
    auto model = ParseModelText(text);
    EXPECT_TRUE(model.ok()) << model.status();
    WorkTeam team(1);
    auto program = Program::Create(
        std::make_shared<const Model>(*std::move(model)), compiler_, team);
    EXPECT_TRUE(program.ok()) << program.status();
    program_ = *std::move(program);
    stream_ = std::make_unique<Stream>(*program_);
  }

  std::vector<float> operator()(const std::vector<float>& input) {
    return stream_->Run(input);
  }

  const Program& program() const { return *program_; }
  ReferencePlanCompiler& compiler() const { return *compiler_; }

 private:
  const std::shared_ptr<ReferencePlanCompiler> compiler_ =
      std::make_shared<ReferencePlanCompiler>();
  std::unique_ptr<Program> program_;
  std::unique_ptr<Stream> stream_;
};

constexpr absl::string_view kNonZero = R"(
  %x = Parameter-0() {shape: [4], element_type: f32}
  %a = Relu-0(%x) {}  # a
  %where = NonZero-3(%a) {output_type: i64}  # where
  %zero = Constant-0() {value: i64[] {0}}
  %flat = Constant-0() {value: i64[1] {-1}}
  %w = Reshape-1(%where, %flat) {special_zero: false}  # w
  %taken = Gather-8(%a, %w, %zero) {batch_dims: 0}  # taken
  %o = Result-0(%taken) {}
)";

// Plan, barrier, and a continuation that is specialised for each new shape.
TEST(ProgramTest, WhatABarrierDecidesIsCompiledWhenItIsKnown) {
  Context run(kNonZero);
  EXPECT_EQ(run.compiler().plans(), 1);
  EXPECT_THAT(run({1, -2, 3, -4}), ElementsAre(1, 3));
  EXPECT_EQ(run.compiler().plans(), 2);
  EXPECT_THAT(run({-1, 5, -6, 7}), ElementsAre(5, 7));
  EXPECT_EQ(run.compiler().plans(), 2);
  EXPECT_THAT(run({1, 2, 3, -4}), ElementsAre(1, 2, 3));
  EXPECT_EQ(run.compiler().plans(), 3);
}

// What plans leave to others is in memory that the backend gives.
TEST(ProgramTest, TensorsBetweenPlansAreInTheCompilersMemory) {
  Context run(kNonZero);
  EXPECT_EQ(run.compiler().allocations(), 0);
  run({1, -2, 3, -4});
  // Of the Relu and of the Gather.
  EXPECT_EQ(run.compiler().allocations(), 2);
}

TEST(ProgramTest, TellsWhichPlanOrBarrierRunsANode) {
  Context run(kNonZero);
  run({1, -2, 3, -4});
  const Program& program = run.program();
  const auto describe = [&](absl::string_view name) {
    return DescribeNode(program, *program.model().FindNode(name));
  };
  EXPECT_EQ(describe("a").kernel, "reference_plan");
  EXPECT_EQ(describe("a").order, 0);
  EXPECT_EQ(describe("where").kernel, "reference_i64");
  EXPECT_EQ(describe("where").order, 1);
  EXPECT_EQ(describe("taken").kernel, "reference_plan");
  EXPECT_EQ(describe("taken").order, 2);
}

// ---- Segments ----

// The first and the last of three segments see the length.
constexpr absl::string_view kSum = R"(
  %x = Parameter-0() {shape: [?], element_type: f32}
  %axis = Constant-0() {value: i64[1] {0}}
  %twice = Add-1(%x, %x) {}
  %s = ReduceSum-1(%twice, %axis) {keep_dims: true}  # s
  %a = Relu-0(%s) {}  # a
  %b = Sqrt-0(%a) {}
  %same = Abs-0(%b) {}
  %c = Floor-0(%same) {}  # c
  %extent = ShapeOf-3(%x) {output_type: i64}
  %d = Broadcast-3(%c, %extent) {mode: NUMPY}  # d
  %o = Result-0(%d) {}
)";

TEST(ProgramSegmentsTest, WhatSeesNoLengthIsCompiledOnceForManyLengths) {
  Context run(kSum);
  run.compiler().set_splits_by_shape();
  for (int n = 1; n <= 3; ++n) run(Ones(n));
  EXPECT_EQ(run.compiler().plans(), 3);
  // The segment from a to c, and one before and behind it.
  EXPECT_THAT(run(Ones(8)), testing::Each(4));
  EXPECT_EQ(run.compiler().plans(), 6);
  EXPECT_THAT(run(Ones(18)), testing::Each(6));
  EXPECT_EQ(run.compiler().plans(), 8);
  EXPECT_EQ(run(Ones(18)).size(), 18u);
  EXPECT_EQ(run(Ones(8)).size(), 8u);
  EXPECT_EQ(run(Ones(2)).size(), 2u);
  EXPECT_EQ(run.compiler().plans(), 8);
}

TEST(ProgramSegmentsTest, StepsAreNumberedThroughAllSegments) {
  Context run(kSum);
  run.compiler().set_splits_by_shape();
  for (int n = 1; n <= 4; ++n) run(Ones(n));
  const auto order = [&](absl::string_view name) {
    const Program& program = run.program();
    return DescribeNode(program, *program.model().FindNode(name)).order;
  };
  EXPECT_LT(order("s"), order("a"));
  EXPECT_LT(order("c"), order("d"));
}

// Two layers, of which a part sees the length.
constexpr absl::string_view kLayers = R"(
  %x = Parameter-0() {shape: [?], element_type: f32}
  %axis = Constant-0() {value: i64[1] {0}}
  %first = ReduceSum-1(%x, %axis) {keep_dims: true}  # first
  %a = Relu-0(%first) {}
  %b = Abs-0(%a) {}
  %c = Floor-0(%b) {}
  %long = Add-1(%x, %c) {}  # long
  %second = ReduceSum-1(%long, %axis) {keep_dims: true}  # second
  %d = Relu-0(%second) {}
  %e = Abs-0(%d) {}
  %longer = Add-1(%x, %e) {}  # longer
  %third = ReduceSum-1(%longer, %axis) {keep_dims: true}  # third
  %f = Relu-0(%third) {}
  %g = Abs-0(%f) {}
  %h = Floor-0(%g) {}
  %o = Result-0(%h) {}
)";

TEST(ProgramSegmentsTest, SegmentsThatAreAlikeShareAPlan) {
  Context run(kLayers);
  run.compiler().set_splits_by_shape();
  for (int n = 1; n <= 3; ++n) run(Ones(n));
  EXPECT_EQ(run.compiler().plans(), 3);
  // Three fixed segments; of those that see the length the second and third are
  // alike.
  const auto expected = [](int n) { return n + n * (n + n * n); };
  EXPECT_THAT(run(Ones(4)), ElementsAre(expected(4)));
  EXPECT_EQ(run.compiler().plans(), 8);
  EXPECT_THAT(run(Ones(5)), ElementsAre(expected(5)));
  EXPECT_EQ(run.compiler().plans(), 10);
  const auto describe = [&](absl::string_view name) {
    const Program& program = run.program();
    return DescribeNode(program, *program.model().FindNode(name));
  };
  for (const absl::string_view name : {"second", "third", "longer"}) {
    EXPECT_FALSE(describe(name).kernel.empty()) << name;
  }
  EXPECT_LT(describe("second").order, describe("third").order);
}

// Keeps the sum of all numbers, all of them, and the last input.
constexpr absl::string_view kStates = R"(
  %x = Parameter-0() {shape: [?], element_type: f32}
  %axis = Constant-0() {value: i64[1] {0}}
  %start = Constant-0() {value: f32[1] {100}}
  %old = ReadValue-6(%start) {variable_id: "sum", variable_type: f32, variable_shape: [1]}
  %before = ReadValue-6() {variable_id: "all", variable_type: f32, variable_shape: [?]}
  %s = ReduceSum-1(%x, %axis) {keep_dims: true}
  %new = Add-1(%old, %s) {}
  %keep = Assign-6(%new) {variable_id: "sum"}
  %all = Concat-0(%before, %x) {axis: 0}
  %keep_all = Assign-6(%all) {variable_id: "all"}
  %last = Assign-6(%x) {variable_id: "last"}
  %most = ReduceMax-1(%all, %axis) {keep_dims: true}
  %a = Add-1(%new, %most) {}
  %b = Relu-0(%a) {}
  %c = Abs-0(%b) {}
  %d = Floor-0(%c) {}
  %o = Result-0(%d) {}
)";

TEST(ProgramSegmentsTest, VariablesAreReadAndWrittenBySegments) {
  Context run(kStates);
  run.compiler().set_splits_by_shape();
  Stream stream(run.program());
  for (int round = 0; round < 2; ++round) {
    float sum = 100;
    size_t count = 0;
    for (int n = 1; n <= 9; ++n) {
      std::vector<float> input(n, static_cast<float>(n % 4));
      sum += static_cast<float>(n * (n % 4));
      count += n;
      EXPECT_THAT(stream.Run(input), ElementsAre(sum + std::min(n, 3)));
      VariableValues& variables = stream.variables();
      EXPECT_THAT(variables["sum"].span<float>(), ElementsAre(sum));
      EXPECT_EQ(variables["all"].span<float>().size(), count);
      EXPECT_THAT(variables["last"].span<float>(),
                  testing::ElementsAreArray(input));
    }
    stream.variables().clear();
  }
  // It did run in segments.
  const std::shared_ptr<const SpecializedModel> last = run.program().Last();
  EXPECT_GT(last->segments.size(), 1u);
  EXPECT_EQ(last->variables.size(), 3u);
}

// As a decoder's keys: along the second axis, and read otherwise, too.
constexpr absl::string_view kRows = R"(
  %x = Parameter-0() {shape: [2,?], element_type: f32}
  %axis = Constant-0() {value: i64[1] {1}}
  %before = ReadValue-6() {variable_id: "all", variable_type: f32, variable_shape: [2,?]}
  %all = Concat-0(%before, %x) {axis: 1}
  %keep_all = Assign-6(%all) {variable_id: "all"}
  %m = ReduceSum-1(%all, %axis) {keep_dims: true}
  %s = ReduceSum-1(%before, %axis) {keep_dims: true}
  %shape = ShapeOf-3(%before) {output_type: i64}
  %float = Convert-0(%shape) {destination_type: f32}
  %column = Unsqueeze-0(%float, %axis) {}
  %a = Add-1(%m, %s) {}
  %b = Add-1(%a, %column) {}
  %c = Abs-0(%b) {}
  %d = Floor-0(%c) {}
  %e = Relu-0(%d) {}
  %f = Abs-0(%e) {}
  %o = Result-0(%f) {}
)";

TEST(ProgramSegmentsTest, WhatAVariableHasStaysWhereItIs) {
  Context run(kRows);
  run.compiler().set_splits_by_shape();
  Stream stream(run.program());
  for (int round = 0; round < 2; ++round) {
    int moves = 0, count = 0;
    const void* place = nullptr;
    for (int i = 0; i < 60; ++i) {
      const int n = 1 + i;  // each new, so that one plan is for all
      std::vector<float> input(2 * n, 1);
      std::fill(input.begin() + n, input.end(), 10.0f);
      // All, those before, and the shape of these.
      EXPECT_THAT(stream.Run({2, n}, input),
                  ElementsAre(2 * count + n + 2, 10 * (2 * count + n) + count));
      count += n;
      const Tensor& all = stream.variables()["all"];
      EXPECT_EQ(all.shape(), Shape({2, count}));
      const auto packed = all.Clone();
      for (int k = 0; k < 2 * count; ++k) {
        EXPECT_EQ(packed->span<float>()[k], k < count ? 1 : 10);
      }
      moves += all.address() != place ? 1 : 0;
      place = all.address();
    }
    EXPECT_LT(moves, 20);
    // What an application sets is not written to.
    const Tensor mine = *Tensor::FromDoubles(ElementType::kF32, {2, 1}, {5, 6});
    stream.variables()["all"] = mine;
    EXPECT_THAT(stream.Run({2, 2}, {1, 2, 3, 4}),
                ElementsAre(5 + 8 + 2, 6 + 13 + 1));
    EXPECT_THAT(mine.span<float>(), ElementsAre(5, 6));
    stream.variables().clear();
  }
  const std::shared_ptr<const SpecializedModel> last = run.program().Last();
  ASSERT_EQ(last->variables.size(), 1u);
  EXPECT_TRUE(last->variables[0].growth.has_value());
}

TEST(ProgramSegmentsTest, AVariableOfTheWrongShapeIsNamed) {
  Context run(kStates);
  run.compiler().set_splits_by_shape();
  Stream stream(run.program());
  for (int n = 1; n <= 5; ++n) stream.Run(Ones(n));
  stream.variables()["sum"] = *Tensor::Allocate(ElementType::kF32, {2});
  Tensor output;
  const absl::Status status = stream.Run({6}, Ones(6), output);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              testing::HasSubstr("variable 'sum' is f32[2], want f32[1]"));
}

// What varies is most of the model.
TEST(ProgramSegmentsTest, WhereSegmentsSaveLittleEachLengthHasAPlan) {
  Context run(R"(
    %x = Parameter-0() {shape: [?], element_type: f32}
    %a = Relu-0(%x) {}
    %b = Sqrt-0(%a) {}
    %axis = Constant-0() {value: i64[1] {0}}
    %s = ReduceSum-1(%b, %axis) {keep_dims: true}
    %y = Abs-0(%s) {}
    %o = Result-0(%y) {}
  )");
  run.compiler().set_splits_by_shape();
  for (int n = 1; n <= 6; ++n) {
    EXPECT_THAT(run(Ones(n)), ElementsAre(n));
    EXPECT_EQ(run.compiler().plans(), n);
  }
}

TEST(ProgramSegmentsTest, ManyStreamsWithManyLengths) {
  Context owner(kSum);
  owner.compiler().set_splits_by_shape();
  std::vector<std::thread> streams;
  for (int i = 0; i < 4; ++i) {
    streams.emplace_back([&owner, i] {
      Stream stream(owner.program());
      for (int n = 1; n < 40; ++n) {
        const int length = 1 + (n * 7 + i) % 30;
        EXPECT_THAT(stream.Run(std::vector<float>(length, 8)),
                    testing::Each(
                        std::floor(4 * std::sqrt(static_cast<float>(length)))));
      }
    });
  }
  for (std::thread& stream : streams) stream.join();
}

}  // namespace
}  // namespace dovetail
