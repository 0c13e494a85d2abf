// Control of an OpenCL for tests that counts, and fails when it is told to.
#ifndef DOVETAIL_BACKENDS_GPU_TESTING_SHIM_CONTROL_H_
#define DOVETAIL_BACKENDS_GPU_TESTING_SHIM_CONTROL_H_

#include <cstdint>

#include "CL/cl.h"

namespace dovetail::gpu {

// The control of libopencl_shim.so, which hands all calls on to libOpenCL.so.1
// or the library that DOVETAIL_SHIM_FORWARDS_TO names. Thread-safe.
//
// Programs without this header are told what to do by their environment:
// DOVETAIL_SHIM_FAIL=clFinish:3:-5,... as Fail, DOVETAIL_SHIM_LOST=1 as Lose,
// DOVETAIL_SHIM_MEMORY=1000000 as LimitMemory.
struct OpenClShim {
  // The nth call from now (1: the next) of "clFinish" answers this code; with 0
  // each call does.
  void (*Fail)(const char* function, int64_t nth, cl_int code);
  // Every call answers CL_DEVICE_NOT_AVAILABLE; releasing goes on.
  void (*Lose)();
  // Buffers of more than so many bytes together do not fit.
  void (*LimitMemory)(int64_t bytes);
  // No errors any more; calls and copies are counted anew.
  void (*Reset)();

  // References to objects of a kind that were not given back: "Context",
  // "CommandQueue", "MemObject", "Program", "Kernel", "Event".
  int64_t (*Live)(const char* kind);
  // Calls of a function: "clFinish".
  int64_t (*Calls)(const char* function);
  // Reads, writes and maps by the host, and their bytes.
  int64_t (*HostCopies)();
  int64_t (*CopiedBytes)();
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_TESTING_SHIM_CONTROL_H_
