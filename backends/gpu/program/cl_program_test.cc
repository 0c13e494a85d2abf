#include "dovetail/backends/gpu/program/cl_program.h"

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/memory/buffer.h"
#include "dovetail/backends/gpu/program/kernel_arguments.h"
#include "dovetail/backends/gpu/queue/queue.h"
#include "dovetail/backends/gpu/testing/on_device.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using testing::HasSubstr;

// y[i] = x[i] + number.
KernelSource Add(int number) {
  return {absl::StrCat("__kernel void KERNEL_NAME(__global int* y) {\n"
                       "  y[get_global_id(0)] = helper(y[get_global_id(0)], ",
                       number, ");\n}\n"),
          {"int helper(int a, int b) { return a + b; }"},
          "add"};
}

class ClProgramTest : public OnShim {
 protected:
  // What the kernel makes of 100.
  int Run(const ClProgram& program, int index) {
    const int start = 100;
    int result = 0;
    auto queue = Queue::Create(device_);
    const auto buffer = Buffer::WithData(device_, &start, sizeof(start));
    const auto kernel = program.NewKernel(index);
    EXPECT_TRUE(queue.ok() && buffer.ok() && kernel.ok());
    EXPECT_TRUE(SetArgument(*kernel, 0, *buffer).ok());
    EXPECT_TRUE((*queue)->Launch(*kernel, {1, {1}, {1}}).ok());
    EXPECT_TRUE(
        (*queue)
            ->Read(*buffer, 0, &result, sizeof(result), Queue::Wait::kYes)
            .ok());
    return result;
  }
};

TEST_F(ClProgramTest, BuildsKernelsOfTheSpan) {
  const auto program = ClProgram::Build(device_, {{Add(1), Add(2), Add(1)}});
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(Run(**program, 0), 101);
  EXPECT_EQ(Run(**program, 1), 102);
  EXPECT_EQ(Run(**program, 2), 101);
  EXPECT_EQ((*program)->kernel_name(2), (*program)->kernel_name(0));
  EXPECT_EQ(shim_->Calls("clBuildProgram"), 1);
  EXPECT_EQ((*program)->NewKernel(3).status().code(),
            absl::StatusCode::kOutOfRange);
}

TEST_F(ClProgramTest, SplitsIntoProgramsOfAFewKernels) {
  BuildOptions options;
  options.max_kernels_per_program = 2;
  const auto program =
      ClProgram::Build(device_, {{Add(1), Add(2), Add(3)}}, options);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(shim_->Calls("clBuildProgram"), 2);
  EXPECT_EQ(Run(**program, 2), 103);
  options.max_kernels_per_program = 0;
  EXPECT_EQ(ClProgram::Build(device_, {{Add(1)}}, options).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(ClProgramTest, NoSourcesAreAProgramWithoutKernels) {
  const auto program = ClProgram::Build(device_, {});
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ((*program)->kernel_count(), 0);
  EXPECT_TRUE((*program)->Binary().ok());
}

TEST_F(ClProgramTest, AnErrorShowsKernelLineAndLog) {
  KernelSource wrong = Add(1);
  wrong.name = "wrong";
  wrong.text += "int nonsense = undeclared_thing;\n";
  const auto program = ClProgram::Build(device_, {{Add(1), wrong}});
  EXPECT_EQ(program.status().code(), absl::StatusCode::kInternal);
  const std::string message(program.status().message());
  EXPECT_THAT(message, HasSubstr("kernel 'wrong_1'"));
  EXPECT_THAT(message, HasSubstr("> 8 | int nonsense = undeclared_thing;"));
  EXPECT_THAT(message, HasSubstr("undeclared identifier"));
  EXPECT_THAT(message, HasSubstr(device_->traits().name));
}

TEST_F(ClProgramTest, KeepsWhatAFailingCompilerSays) {
  shim_->Fail("clBuildProgram", 1, CL_OUT_OF_RESOURCES);
  const auto program = ClProgram::Build(device_, {{Add(1)}});
  EXPECT_EQ(program.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(program.status().message()),
              HasSubstr("one of the kernels add_0"));
}

TEST_F(ClProgramTest, NanAndInfinityStayWhatTheyAre) {
  const KernelSource source = {
      "__kernel void KERNEL_NAME(__global int* y) {\n"
      "  const float zero = (float)(y[0] - 100);\n"
      "  y[0] = isnan(zero / zero) + 2 * isinf(1.0f / zero) +\n"
      "         4 * (zero / zero != zero / zero);\n}\n"};
  const auto program = ClProgram::Build(device_, {{source}});
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(Run(**program, 0), 7);
}

TEST_F(ClProgramTest, ABinaryIsTheSameProgram) {
  BuildOptions options;
  options.max_kernels_per_program = 1;
  const auto built = ClProgram::Build(device_, {{Add(1), Add(2)}}, options);
  ASSERT_TRUE(built.ok()) << built.status();
  const auto binary = (*built)->Binary();
  ASSERT_TRUE(binary.ok()) << binary.status();
  const auto program = ClProgram::FromBinary(device_, *binary);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(Run(**program, 0), 101);
  EXPECT_EQ(Run(**program, 1), 102);
  EXPECT_EQ((*program)->key(), (*built)->key());
  EXPECT_EQ(shim_->Calls("clCreateProgramWithSource"), 2);
}

TEST_F(ClProgramTest, DamagedBinariesNeverReachTheDriver) {
  const auto built = ClProgram::Build(device_, {{Add(1)}});
  ASSERT_TRUE(built.ok()) << built.status();
  const std::string binary = *(*built)->Binary();
  for (const size_t at : {size_t{0}, size_t{9}, size_t{17}, size_t{30},
                          binary.size() / 2, binary.size() - 1}) {
    std::string damaged = binary;
    damaged[at] ^= 0x20;
    EXPECT_FALSE(ClProgram::FromBinary(device_, damaged).ok()) << at;
  }
  for (const size_t size :
       {size_t{0}, size_t{7}, size_t{24}, size_t{40}, binary.size() - 1}) {
    EXPECT_EQ(
        ClProgram::FromBinary(device_, binary.substr(0, size)).status().code(),
        absl::StatusCode::kDataLoss)
        << size;
  }
  EXPECT_EQ(shim_->Calls("clCreateProgramWithBinary"), 0);
}

TEST_F(ClProgramTest, ABinaryThatTheDriverRefusesIsSaidToBeSo) {
  const auto built = ClProgram::Build(device_, {{Add(1)}});
  ASSERT_TRUE(built.ok()) << built.status();
  const std::string binary = *(*built)->Binary();
  shim_->Fail("clCreateProgramWithBinary", 1, CL_INVALID_BINARY);
  const auto program = ClProgram::FromBinary(device_, binary);
  EXPECT_EQ(program.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(program.status().message()),
              HasSubstr("CL_INVALID_BINARY"));
}

TEST_F(ClProgramTest, AnArgumentThatIsNoneIsNamed) {
  const auto program = ClProgram::Build(device_, {{Add(1)}});
  ASSERT_TRUE(program.ok()) << program.status();
  const auto kernel = (*program)->NewKernel(0);
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  EXPECT_THAT(std::string(SetArgument(*kernel, 5, 1).message()),
              HasSubstr("argument 5 of kernel 'add_0'"));
}

TEST_F(ClProgramTest, ThreadsBuildAndLaunchAtOnce) {
  std::vector<int> results(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, i, &results] {
      const auto program = ClProgram::Build(device_, {{Add(i), Add(10 + i)}});
      if (program.ok()) results[i] = Run(**program, 1);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(results, (std::vector<int>{110, 111, 112, 113}));
}

TEST_F(ClProgramTest, ThreadsShareAProgram) {
  const auto program = ClProgram::Build(device_, {{Add(1), Add(2)}});
  ASSERT_TRUE(program.ok()) << program.status();
  std::vector<int> results(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, i, &program, &results] {
      for (int n = 0; n < 20; ++n) results[i] += Run(**program, i % 2) - 100;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(results, (std::vector<int>{20, 40, 20, 40}));
}

TEST_F(ClProgramTest, NothingIsLeftOfManyBuilds) {
  for (int i = 0; i < 20; ++i) {
    const auto program = ClProgram::Build(device_, {{Add(i % 3)}});
    ASSERT_TRUE(program.ok()) << program.status();
    Run(**program, 0);
    EXPECT_FALSE(ClProgram::Build(device_, {{KernelSource{"nonsense"}}}).ok());
  }
  for (const char* const kind :
       {"Program", "Kernel", "MemObject", "CommandQueue", "Event"}) {
    EXPECT_EQ(shim_->Live(kind), 0) << kind;
  }
}

}  // namespace
}  // namespace dovetail::gpu
