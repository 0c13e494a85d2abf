// Streams that ask one program for plans at the same time.
#include <chrono>
#include <thread>

#include "dovetail/backends/cpu/program/program.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/ops/text/parse.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// What one stream has, and the sum of an input of ones.
class Stream {
 public:
  explicit Stream(const Program& program)
      : program_(program), environment_(&team_, &reference_) {}

  // The greatest element of what comes of `columns` ones; negative: an error.
  float Run(int64_t columns) {
    const WorkTeam::Session session(team_);
    auto input = Tensor::Allocate(ElementType::kF32, {2, columns});
    for (float& element : input->mutable_span<float>()) element = 1;
    Tensor output;
    const auto place = [&](int, ElementType type,
                           const Shape& shape) -> absl::StatusOr<Tensor> {
      auto tensor = Tensor::Allocate(type, shape);
      if (tensor.ok()) output = *tensor;
      return tensor;
    };
    const absl::Status status =
        program_.Run({*input}, place, state_, environment_);
    return status.ok() ? output.data<float>()[0] : -1;
  }

 private:
  const Program& program_;
  WorkTeam team_{1};
  KernelEnvironment reference_;
  RunEnvironment environment_;
  ProgramState state_;
};

class FindTest : public testing::Test {
 protected:
  FindTest() {
    auto model = ParseModelText(R"(
      %x = Parameter-0() {shape: [2,?], element_type: f32}
      %axis = Constant-0() {value: i64[1] {1}}
      %s = ReduceSum-1(%x, %axis) {keep_dims: true}
      %o = Result-0(%s) {})");
    EXPECT_TRUE(model.ok()) << model.status();
    resources_ = MakeResources(CompileSettings());
    WorkTeam team(1);
    auto program = Program::Create(
        std::make_shared<const Model>(*std::move(model)), resources_, team);
    EXPECT_TRUE(program.ok()) << program.status();
    program_ = *std::move(program);
  }

  std::shared_ptr<ProgramResources> resources_;
  std::unique_ptr<Program> program_;
};

// The main thread would wait for ever for the other one, whose compilation
// waits for the main thread.
TEST_F(FindTest, KnownShapesDoNotWaitForNewOnes) {
  Stream first(*program_);
  ASSERT_EQ(first.Run(3), 3);
  std::thread other;
  {
    const std::lock_guard<std::mutex> no_compilation(
        resources_->weights.compile_mutex());
    other = std::thread([&] { EXPECT_EQ(Stream(*program_).Run(5), 5); });
    // Time for the other to get as far as it can.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(Stream(*program_).Run(3), 3);
  }
  other.join();
}

TEST_F(FindTest, ManyStreamsAskForTheSameNewShapes) {
  std::vector<std::thread> streams;
  for (int i = 0; i < 4; ++i) {
    streams.emplace_back([&] {
      Stream stream(*program_);
      for (int columns = 1; columns < 40; ++columns) {
        EXPECT_EQ(stream.Run(columns), static_cast<float>(columns));
      }
    });
  }
  for (std::thread& stream : streams) stream.join();
}

}  // namespace
}  // namespace dovetail::cpu
