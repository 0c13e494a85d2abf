#include "dovetail/backends/gpu/queue/queue.h"

#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dovetail/backends/gpu/program/cl_program.h"
#include "dovetail/backends/gpu/program/kernel_arguments.h"
#include "dovetail/backends/gpu/queue/event_times.h"
#include "dovetail/backends/gpu/testing/on_device.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using testing::HasSubstr;

constexpr char kDouble[] =
    "__kernel void KERNEL_NAME(__global int* y, int factor) {\n"
    "  y[get_global_id(0)] *= factor;\n}\n";

class QueueTest : public OnShim {
 protected:
  void SetUp() override {
    OnShim::SetUp();
    if (device_ == nullptr) return;
    queue_ = *Queue::Create(device_);
    const auto program =
        ClProgram::Build(device_, {{KernelSource{kDouble, {}, "scale"}}});
    ASSERT_TRUE(program.ok()) << program.status();
    kernel_ = *(*program)->NewKernel(0);
    buffer_ = *Buffer::Allocate(device_, kCount * sizeof(int));
    ASSERT_TRUE(SetArgument(kernel_, 0, buffer_).ok());
    ASSERT_TRUE(SetArgument(kernel_, 1, 2).ok());
  }

  void Write(const std::vector<int>& values) {
    EXPECT_TRUE(queue_
                    ->Write(buffer_, 0, values.data(),
                            static_cast<int64_t>(values.size() * sizeof(int)),
                            Queue::Wait::kYes)
                    .ok());
  }
  std::vector<int> Values(int count) {
    std::vector<int> values(count);
    const absl::Status status = queue_->Read(
        buffer_, 0, values.data(), static_cast<int64_t>(count * sizeof(int)),
        Queue::Wait::kYes);
    EXPECT_TRUE(status.ok()) << status;
    return values;
  }

  static constexpr int kCount = 64;
  std::unique_ptr<Queue> queue_;
  Buffer buffer_;  // outlives the kernel
  Kernel kernel_;
};

TEST_F(QueueTest, RunsCommandsInOrder) {
  Write({1, 2, 3, 4});
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(queue_->Launch(kernel_, {1, {4}, {2}}).ok());
  }
  EXPECT_EQ(Values(4), (std::vector<int>{8, 16, 24, 32}));
}

TEST_F(QueueTest, TheDriverMayChooseTheGroup) {
  Write({1, 2, 3});
  ASSERT_TRUE(queue_->Launch(kernel_, {1, {3}}).ok());
  EXPECT_EQ(Values(3), (std::vector<int>{2, 4, 6}));
}

TEST_F(QueueTest, NoWorkItemsAreNoLaunch) {
  Event event;
  EXPECT_TRUE(queue_->Launch(kernel_, {1, {0}, {2}}, &event).ok());
  EXPECT_TRUE(event);
  EXPECT_EQ(shim_->Calls("clEnqueueNDRangeKernel"), 0);
}

TEST_F(QueueTest, RefusesGroupsThatDoNotDivide) {
  const absl::Status status = queue_->Launch(kernel_, {1, {5}, {2}});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("kernel 'scale_0': a work group of 2 for 5"));
  EXPECT_EQ(queue_->Launch(kernel_, {4, {1, 1, 1}}).code(),
            absl::StatusCode::kInvalidArgument);
  const size_t most = device_->traits().max_group_size;
  EXPECT_EQ(queue_->Launch(kernel_, {1, {2 * most}, {2 * most}}).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(QueueTest, CopiesFillsAndReadsParts) {
  const int three = 3;
  const absl::string_view pattern(reinterpret_cast<const char*>(&three),
                                  sizeof(three));
  Write({1, 1, 1, 1});
  ASSERT_TRUE(queue_->Fill(buffer_, 4, 8, pattern).ok());
  EXPECT_EQ(Values(4), (std::vector<int>{1, 3, 3, 1}));
  ASSERT_TRUE(queue_->Copy(buffer_, 0, buffer_, 12, 8).ok());
  EXPECT_EQ(Values(5), (std::vector<int>{1, 3, 3, 1, 3}));
}

TEST_F(QueueTest, RefusesBytesBeyondTheEnd) {
  int value = 0;
  const int64_t size = buffer_.bytes();
  EXPECT_EQ(
      queue_->Read(buffer_, size - 3, &value, 4, Queue::Wait::kYes).code(),
      absl::StatusCode::kOutOfRange);
  EXPECT_EQ(queue_->Write(buffer_, -1, &value, 4, Queue::Wait::kYes).code(),
            absl::StatusCode::kOutOfRange);
  EXPECT_EQ(
      queue_->Map(buffer_, 0, size + 1, Queue::Access::kRead).status().code(),
      absl::StatusCode::kOutOfRange);
}

TEST_F(QueueTest, MapsForTheHost) {
  Write({5, 6});
  const auto mapped = queue_->Map(buffer_, 0, 8, Queue::Access::kWrite);
  ASSERT_TRUE(mapped.ok()) << mapped.status();
  int* const values = static_cast<int*>(*mapped);
  EXPECT_EQ(values[1], 6);
  values[0] = 9;
  ASSERT_TRUE(queue_->Unmap(buffer_, values).ok());
  EXPECT_EQ(Values(2), (std::vector<int>{9, 6}));
}

TEST_F(QueueTest, WritesWithoutWaiting) {
  const std::vector<int> values = {7, 8};
  ASSERT_TRUE(
      queue_->Write(buffer_, 0, values.data(), 8, Queue::Wait::kNo).ok());
  ASSERT_TRUE(queue_->Launch(kernel_, {1, {2}, {1}}).ok());
  ASSERT_TRUE(queue_->Finish().ok());
  EXPECT_EQ(Values(2), (std::vector<int>{14, 16}));
}

TEST_F(QueueTest, SaysWhenAllIsComplete) {
  Write(std::vector<int>(kCount, 1));
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(queue_->Launch(kernel_, {1, {kCount}, {16}}).ok());
  }
  std::promise<absl::Status> promise;
  const absl::Status added =
      queue_->OnComplete([&promise](absl::Status status) {
        promise.set_value(std::move(status));
      });
  ASSERT_TRUE(added.ok()) << added;
  EXPECT_TRUE(promise.get_future().get().ok());
  EXPECT_EQ(Values(1), std::vector<int>{32});
}

TEST_F(QueueTest, AnEmptyQueueIsComplete) {
  std::promise<absl::Status> promise;
  ASSERT_TRUE(queue_
                  ->OnComplete([&promise](absl::Status status) {
                    promise.set_value(std::move(status));
                  })
                  .ok());
  EXPECT_TRUE(promise.get_future().get().ok());
}

TEST_F(QueueTest, ProfilesWhereItIsAskedTo) {
  const auto queue = Queue::Create(device_, /*profiling=*/true);
  ASSERT_TRUE(queue.ok()) << queue.status();
  Event event;
  ASSERT_TRUE((*queue)->Launch(kernel_, {1, {kCount}, {16}}, &event).ok());
  ASSERT_TRUE((*queue)->Finish().ok());
  const auto times = TimesOf(event);
  ASSERT_TRUE(times.ok()) << times.status();
  EXPECT_LE(times->queued, times->submitted);
  EXPECT_LE(times->submitted, times->start);
  EXPECT_LE(times->start, times->end);
}

TEST_F(QueueTest, WithoutProfilingThereAreNoTimes) {
  Event event;
  ASSERT_TRUE(queue_->Launch(kernel_, {1, {2}, {1}}, &event).ok());
  ASSERT_TRUE(queue_->Finish().ok());
  EXPECT_EQ(TimesOf(event).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(QueueTest, AnErrorOfALaunchNamesTheKernel) {
  shim_->Fail("clEnqueueNDRangeKernel", 1, CL_OUT_OF_RESOURCES);
  const absl::Status status = queue_->Launch(kernel_, {1, {4}, {2}});
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("'scale_0' (4 in groups of 2)"));
}

TEST_F(QueueTest, ALostDeviceIsSaidByEveryCall) {
  shim_->Lose();
  int value = 0;
  EXPECT_EQ(queue_->Launch(kernel_, {1, {4}, {2}}).code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(queue_->Read(buffer_, 0, &value, 4, Queue::Wait::kYes).code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(queue_->Flush().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(queue_->Finish().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(queue_->OnComplete([](absl::Status) { FAIL(); }).code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(Buffer::Allocate(device_, 4).status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(Queue::Create(device_).status().code(),
            absl::StatusCode::kUnavailable);
}

TEST_F(QueueTest, FailedCallbacksAreNotCalled) {
  shim_->Fail("clSetEventCallback", 1, CL_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(queue_->OnComplete([](absl::Status) { FAIL(); }).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(queue_->Finish().ok());
  EXPECT_EQ(shim_->Live("Event"), 0);
}

TEST_F(QueueTest, EveryCommandGivesItsEvent) {
  Event launch, write, read, copy, fill;
  int value = 4;
  ASSERT_TRUE(
      queue_->Write(buffer_, 0, &value, 4, Queue::Wait::kYes, &write).ok());
  ASSERT_TRUE(queue_->Launch(kernel_, {1, {4}, {2}}, &launch).ok());
  ASSERT_TRUE(queue_->Copy(buffer_, 0, buffer_, 4, 4, &copy).ok());
  ASSERT_TRUE(queue_->Fill(buffer_, 0, 1, "x", &fill).ok());
  ASSERT_TRUE(
      queue_->Read(buffer_, 4, &value, 4, Queue::Wait::kYes, &read).ok());
  EXPECT_EQ(value, 8);
  EXPECT_TRUE(launch && write && read && copy && fill);
  EXPECT_EQ(shim_->Live("Event"), 5);
}

TEST_F(QueueTest, ThreadsHaveQueuesOfTheirOwn) {
  const auto program =
      ClProgram::Build(device_, {{KernelSource{kDouble, {}, "scale"}}});
  ASSERT_TRUE(program.ok()) << program.status();
  std::vector<int> results(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, i, &program, &results] {
      auto queue = *Queue::Create(device_);
      const auto kernel = *(*program)->NewKernel(0);
      const int start = i + 1;
      const auto buffer = *Buffer::WithData(device_, &start, sizeof(start));
      SetArgument(kernel, 0, buffer).IgnoreError();
      SetArgument(kernel, 1, 3).IgnoreError();
      for (int n = 0; n < 4; ++n) {
        queue->Launch(kernel, {1, {1}, {1}}).IgnoreError();
      }
      queue->Read(buffer, 0, &results[i], sizeof(int), Queue::Wait::kYes)
          .IgnoreError();
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(results, (std::vector<int>{81, 162, 243, 324}));
}

}  // namespace
}  // namespace dovetail::gpu
