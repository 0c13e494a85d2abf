// A made-up accelerator: what a program sees of it, as of a real one, is a
// driver with buffers in a memory of its own, programs, a queue and
// completions. For a test, it can go wrong in every way that devices do.
#ifndef DOVETAIL_TESTING_FAKES_DEVICE_FAKE_DEVICE_H_
#define DOVETAIL_TESTING_FAKES_DEVICE_FAKE_DEVICE_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/executor/pools/thread_pool.h"
#include "dovetail/testing/fakes/device/command_queue.h"
#include "dovetail/testing/fakes/device/device_processor.h"
#include "dovetail/testing/fakes/device/fake_memory.h"

namespace dovetail {

// Thread-safe.
class FakeDevice {
 public:
  // Rounds wider floats that layers read (inputs, weights, intermediate
  // values) and write to `compute_type`, which is f32 or f16.
  explicit FakeDevice(absl::string_view name = "FAKE",
                      int64_t memory_bytes = int64_t{64} << 20,
                      ElementType compute_type = ElementType::kF32);

  // ---- The driver. All of it answers kUnavailable when there is no driver or
  // ---- the device is lost.

  const std::string& name() const { return name_; }
  absl::Status CheckPresent() const;
  absl::StatusOr<FakeBuffer> Upload(const Tensor& host);
  absl::Status Download(FakeMemory::Handle handle, const Tensor& host);
  absl::StatusOr<FakeMemory::BufferInfo> Describe(FakeMemory::Handle handle);
  // In the device's own memory, without the host.
  absl::StatusOr<FakeBuffer> Allocate(ElementType type, const Shape& shape);
  absl::Status Copy(FakeMemory::Handle from, FakeMemory::Handle to);
  // Uploads and downloads until now.
  int64_t host_copies() const { return memory_->host_copies(); }
  int64_t memory_size() const { return memory_->size(); }
  int64_t memory_left() const { return memory_->left(); }

  // Models that are compiled for it.
  void CountExecutable(int change) { executables_ += change; }
  // Until there are none, whoever has them, or for ten seconds: a request that
  // has ended holds its model for a moment, and models of some devices compile
  // others meanwhile, which needs the registry that they come from.
  void WaitUntilUnused() const;

  absl::Status CheckSupported(const Node& node) const;
  absl::StatusOr<std::shared_ptr<const LoadedProgram>> Load(
      std::unique_ptr<Model> model);

  static void CommitVariables(DeviceSession& session) {
    DeviceProcessor::Commit(session);
  }
  absl::StatusOr<Tensor> ReadVariable(const DeviceSession& session,
                                      absl::string_view id);
  absl::Status WriteVariable(DeviceSession& session, absl::string_view id,
                             const Tensor& value);

  // What `session` and `report` point to has to live until `completion` is
  // called, which happens as of CommandQueue.
  CommandQueue::Ticket Submit(std::shared_ptr<const LoadedProgram> program,
                              DeviceSession* session,
                              std::vector<FakeMemory::Handle> inputs,
                              RunReport* report,
                              CommandQueue::Completion completion);
  void Abort(CommandQueue::Ticket ticket) { queue_.Abort(ticket); }
  // Programs that were started until now.
  int64_t launches() const { return launches_; }
  // What each launch costs, whatever the program: the device sleeps so long.
  void SetLaunchPrice(std::chrono::nanoseconds price) { price_ = price; }
  // A thread of the host, for what it does after the device.
  Executor& host_thread() { return host_thread_; }

  // ---- Faults, which hold until they are taken back by an empty argument.

  void SetNoDriver(absl::string_view reason);
  // The device has no such operation ("Relu").
  void RefuseOp(absl::string_view type, absl::string_view reason);
  void FailCompile(const absl::Status& status);
  // Compilations take until they are let go, however long that is.
  void HoldCompile();
  void ReleaseCompile();
  // Running fails at the layer of that name; "" is the first one.
  void FailRun(const absl::Status& status, absl::string_view layer = "");
  // Wrong kernels: `spoil` changes each output that the layer of that name has
  // computed, in memory that nobody else has. Null takes it back.
  void SpoilRun(absl::string_view layer, std::function<void(Tensor&)> spoil);
  // The device is gone, and so is what it was doing. There is no way back.
  void Lose(absl::string_view reason);
  // The same in the midst of the `launch`-th program from the first one on.
  void LoseAtLaunch(int64_t launch) { lost_at_ = launch; }
  // It takes work but does not do it until it answers again.
  void StopAnswering() { queue_.Hold(); }
  void Answer() { queue_.Release(); }

 private:
  absl::Status CheckRun(const Node& node, bool first) const;
  void SpoilOutput(const Node& node, Tensor& output) const;

  const std::string name_;
  const std::shared_ptr<FakeMemory> memory_;
  const DeviceProcessor processor_;
  std::atomic<int> executables_ = 0;
  std::atomic<int64_t> launches_ = 0;
  std::atomic<int64_t> lost_at_ = 0;  // see LoseAtLaunch; 0: never
  std::atomic<std::chrono::nanoseconds> price_ = std::chrono::nanoseconds(0);

  mutable std::mutex mutex_;  // guards the faults
  absl::Status absent_, compile_failure_, run_failure_;
  bool holds_compile_ = false;
  std::condition_variable compile_released_;
  std::string failing_layer_;
  std::map<std::string, std::string> refused_;
  std::string spoilt_layer_;
  std::function<void(Tensor&)> spoil_;

  ThreadPool host_thread_;
  CommandQueue queue_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_FAKES_DEVICE_FAKE_DEVICE_H_
