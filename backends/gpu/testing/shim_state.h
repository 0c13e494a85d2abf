// What the OpenCL of tests counts, and the errors it is told to answer.
#ifndef DOVETAIL_BACKENDS_GPU_TESTING_SHIM_STATE_H_
#define DOVETAIL_BACKENDS_GPU_TESTING_SHIM_STATE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "dovetail/backends/gpu/driver/cl_api.h"

namespace dovetail::gpu {

// One a process. Thread-safe.
class ShimState {
 public:
  static ShimState& Get();

  // The OpenCL that calls go on to, or null.
  const ClApi* real() const { return real_.get(); }

  // Counts a call; the error that it answers instead of going on, or
  // CL_SUCCESS.
  cl_int Enter(const std::string& function);
  // One reference more or less to objects of a kind: "Kernel".
  void AddReference(const std::string& kind, int change);
  void AddHostCopy(uint64_t bytes);
  // CL_SUCCESS, or the error where a limit does not leave room for so much.
  cl_int CheckMemory(uint64_t bytes);
  // A buffer holds so much until its references, of which it has one, are gone.
  void HoldMemory(cl_mem mem, uint64_t bytes);
  void AddMemoryReference(cl_mem mem, int change);

  // See OpenClShim (shim_control.h).
  void Fail(const std::string& function, int64_t nth, cl_int code);
  void Lose(bool lost);
  void LimitMemory(int64_t bytes);
  void Reset();
  int64_t Live(const std::string& kind);
  int64_t Calls(const std::string& function);
  int64_t HostCopies();
  int64_t CopiedBytes();

 private:
  struct Fault {
    int64_t calls_until = 0;  // 0: every call
    cl_int code = CL_SUCCESS;
  };

  // Counted here: the driver's own references, such as those of commands, are
  // in what it says of a buffer.
  struct Held {
    uint64_t bytes = 0;
    int references = 1;
  };

  ShimState();
  void ReadEnvironment();

  std::unique_ptr<const ClApi> real_;
  std::mutex mutex_;
  std::map<std::string, int64_t> live_, calls_;
  std::map<std::string, Fault> faults_;
  std::map<cl_mem, Held> held_;
  bool lost_ = false;
  int64_t memory_limit_ = -1;
  int64_t memory_ = 0, host_copies_ = 0, copied_bytes_ = 0;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_TESTING_SHIM_STATE_H_
