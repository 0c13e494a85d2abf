#include "dovetail/backends/vpu/custom/shave/shave_launch.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/opencl/cl_status.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

using opencl::ClStatus;
using Kind = ShaveArgument::Kind;
using Clock = std::chrono::steady_clock;

// How long a kernel may take to see that it is to stop.
constexpr int64_t kGraceMs = 10000;

// From {channels, pixels} to {pixels, channels}, or back, for each plane set.
void Move(const ResolvedArgument& argument, bool is_back, const char* from,
          char* to) {
  const int64_t planes = argument.channels * argument.pixels;
  if (planes == 0) return;
  const int64_t size = argument.element_bytes;
  for (int64_t set = 0; set < argument.bytes / (planes * size); ++set) {
    const int64_t first = set * planes;
    for (int64_t c = 0; c < argument.channels; ++c) {
      for (int64_t p = 0; p < argument.pixels; ++p) {
        const int64_t plain = first + c * argument.pixels + p;
        const int64_t last = first + p * argument.channels + c;
        std::memcpy(to + (is_back ? plain : last) * size,
                    from + (is_back ? last : plain) * size, size);
      }
    }
  }
}

bool IsMemory(const ResolvedArgument& argument) {
  return argument.kind == Kind::kInput || argument.kind == Kind::kOutput ||
         argument.kind == Kind::kInputBuffer ||
         argument.kind == Kind::kOutputBuffer;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ShaveLaunch>> ShaveLaunch::New(
    const std::vector<ShaveStage>& stages) {
  std::unique_ptr<ShaveLaunch> launch(new ShaveLaunch(stages));
  const ShaveProgram& first = *stages[0].program;
  cl_int code = CL_SUCCESS;
  launch->queue_ = opencl::CommandQueue(
      first.api(), first.api().CreateCommandQueue(first.context().get(),
                                                  first.device(), 0, &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateCommandQueue"));
  for (const ShaveStage& stage : stages) {
    DOVETAIL_RETURN_IF_ERROR(Annotate(launch->Prepare(stage), stage.name));
  }
  return launch;
}

absl::Status ShaveLaunch::Prepare(const ShaveStage& stage) {
  Prepared prepared;
  DOVETAIL_ASSIGN_OR_RETURN(prepared.kernel, stage.program->NewKernel());
  for (const ResolvedArgument& argument : stage.kernel.arguments) {
    opencl::Mem memory;
    if (IsMemory(argument)) {
      DOVETAIL_ASSIGN_OR_RETURN(memory, MemoryFor(argument));
    }
    prepared.memory.push_back(std::move(memory));
  }
  DOVETAIL_RETURN_IF_ERROR(SetArguments(stage, prepared));
  prepared_.push_back(std::move(prepared));
  return absl::OkStatus();
}

absl::StatusOr<opencl::Mem> ShaveLaunch::NewMemory(int64_t bytes) {
  cl_int code = CL_SUCCESS;
  opencl::Mem memory(
      api(),
      api().CreateBuffer(stages_[0].program->context().get(), CL_MEM_READ_WRITE,
                         static_cast<size_t>(std::max<int64_t>(bytes, 1)),
                         nullptr, &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateBuffer"));
  return memory;
}

absl::StatusOr<opencl::Mem> ShaveLaunch::MemoryFor(
    const ResolvedArgument& argument) {
  if (argument.kind == Kind::kInputBuffer) {
    const auto it = buffers_.find(argument.port);
    if (it != buffers_.end()) return it->second;
    return InvalidArgument(
        "no earlier kernel writes the buffer with "
        "port-index=\"",
        argument.port, "\"");
  }
  DOVETAIL_ASSIGN_OR_RETURN(opencl::Mem memory, NewMemory(argument.bytes));
  if (argument.kind == Kind::kOutputBuffer) buffers_[argument.port] = memory;
  return memory;
}

absl::Status ShaveLaunch::SetArguments(const ShaveStage& stage,
                                       const Prepared& prepared) {
  for (size_t i = 0; i < prepared.memory.size(); ++i) {
    const ResolvedArgument& argument = stage.kernel.arguments[i];
    const cl_mem memory = prepared.memory[i].get();
    const void* value = &memory;
    size_t bytes = sizeof(memory);
    if (argument.kind == Kind::kLocal) {
      value = nullptr;
      bytes = static_cast<size_t>(argument.bytes);
    } else if (!IsMemory(argument)) {
      value = argument.value.data();
      bytes = argument.value.size();
    }
    DOVETAIL_RETURN_IF_ERROR(SetArgument(prepared.kernel, i, bytes, value,
                                         stage.program->parameters()[i]));
  }
  const cl_mem control = stage.control->memory().get();
  return SetArgument(prepared.kernel, prepared.memory.size(), sizeof(control),
                     &control, "the control");
}

absl::Status ShaveLaunch::SetArgument(const opencl::Kernel& kernel,
                                      size_t index, size_t bytes,
                                      const void* value,
                                      absl::string_view name) {
  return ClStatus(
      api().SetKernelArg(kernel.get(), static_cast<cl_uint>(index), bytes,
                         value),
      absl::StrCat("parameter '", name,
                   "' takes no argument of this kind: clSetKernelArg"));
}

absl::Status ShaveLaunch::Run(absl::Span<void* const> inputs,
                              absl::Span<void* const> outputs,
                              int64_t watchdog_ms) {
  for (const ShaveStage& stage : stages_) {
    DOVETAIL_RETURN_IF_ERROR(Annotate(stage.control->status(), stage.name));
  }
  if (is_abandoned_) return Internal("a kernel that was given up still runs");
  int64_t images = 1;
  for (const ShaveStage& stage : stages_) {
    images = std::max(images, stage.kernel.images);
  }
  for (int64_t image = 0; image < images; ++image) {
    for (size_t i = 0; i < stages_.size(); ++i) {
      DOVETAIL_RETURN_IF_ERROR(Annotate(
          RunStage(i, image, inputs, outputs, watchdog_ms), stages_[i].name));
    }
  }
  return absl::OkStatus();
}

absl::Status ShaveLaunch::RunStage(size_t index, int64_t image,
                                   absl::Span<void* const> inputs,
                                   absl::Span<void* const> outputs,
                                   int64_t watchdog_ms) {
  const ResolvedKernel& kernel = stages_[index].kernel;
  const Prepared& prepared = prepared_[index];
  const auto image_of = [&](const ResolvedArgument& argument, void* data) {
    return static_cast<char*>(data) +
           (argument.is_looped ? image * argument.bytes : 0);
  };
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    const ResolvedArgument& argument = kernel.arguments[i];
    if (argument.kind != Kind::kInput) continue;
    DOVETAIL_RETURN_IF_ERROR(Write(prepared.memory[i], argument,
                                   image_of(argument, inputs[argument.port])));
  }
  DOVETAIL_RETURN_IF_ERROR(
      Launch(prepared.kernel, stages_[index], watchdog_ms));
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    const ResolvedArgument& argument = kernel.arguments[i];
    if (argument.kind != Kind::kOutput) continue;
    DOVETAIL_RETURN_IF_ERROR(Read(prepared.memory[i], argument,
                                  image_of(argument, outputs[argument.port])));
  }
  return absl::OkStatus();
}

absl::Status ShaveLaunch::Write(const opencl::Mem& memory,
                                const ResolvedArgument& argument,
                                const char* from) {
  if (argument.bytes == 0) return absl::OkStatus();
  const size_t bytes = static_cast<size_t>(argument.bytes);
  if (argument.is_moved) {
    moved_.resize(std::max(moved_.size(), bytes));
    Move(argument, /*is_back=*/false, from, moved_.data());
    from = moved_.data();
  }
  return ClStatus(api().EnqueueWriteBuffer(queue_.get(), memory.get(), CL_TRUE,
                                           0, bytes, from, 0, nullptr, nullptr),
                  "clEnqueueWriteBuffer");
}

absl::Status ShaveLaunch::Read(const opencl::Mem& memory,
                               const ResolvedArgument& argument, char* to) {
  if (argument.bytes == 0) return absl::OkStatus();
  const size_t bytes = static_cast<size_t>(argument.bytes);
  if (argument.is_moved) moved_.resize(std::max(moved_.size(), bytes));
  char* const target = argument.is_moved ? moved_.data() : to;
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api().EnqueueReadBuffer(queue_.get(), memory.get(), CL_TRUE, 0,
                                       bytes, target, 0, nullptr, nullptr),
               "clEnqueueReadBuffer"));
  if (argument.is_moved) Move(argument, /*is_back=*/true, target, to);
  return absl::OkStatus();
}

absl::Status ShaveLaunch::Launch(const opencl::Kernel& kernel,
                                 const ShaveStage& stage, int64_t watchdog_ms) {
  cl_event started = nullptr;
  DOVETAIL_RETURN_IF_ERROR(ClStatus(
      api().EnqueueNDRangeKernel(
          queue_.get(), kernel.get(), 3, nullptr, stage.kernel.global.data(),
          stage.kernel.local.data(), 0, nullptr, &started),
      "clEnqueueNDRangeKernel"));
  const opencl::Event event(api(), started);
  DOVETAIL_RETURN_IF_ERROR(ClStatus(api().Flush(queue_.get()), "clFlush"));
  DOVETAIL_RETURN_IF_ERROR(Await(event, stage, watchdog_ms));
  return stage.control->status();
}

// Whether it is, after at most that time; 0: it is waited for.
absl::StatusOr<bool> ShaveLaunch::IsDone(const opencl::Event& event,
                                         int64_t most_ms) {
  const Clock::time_point start = Clock::now();
  auto pause = std::chrono::microseconds(1);
  while (true) {
    cl_int state = CL_QUEUED;
    DOVETAIL_RETURN_IF_ERROR(ClStatus(
        api().GetEventInfo(event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS,
                           sizeof(state), &state, nullptr),
        "clGetEventInfo"));
    if (state == CL_COMPLETE) return true;
    if (state < 0) return ClStatus(state, "the kernel");
    if (most_ms > 0 &&
        Clock::now() - start > std::chrono::milliseconds(most_ms)) {
      return false;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::microseconds(500));
  }
}

absl::Status ShaveLaunch::Await(const opencl::Event& event,
                                const ShaveStage& stage, int64_t watchdog_ms) {
  DOVETAIL_ASSIGN_OR_RETURN(const bool is_done, IsDone(event, watchdog_ms));
  if (is_done) return absl::OkStatus();
  stage.control->Stop(watchdog_ms);
  DOVETAIL_ASSIGN_OR_RETURN(const bool has_stopped, IsDone(event, kGraceMs));
  if (!has_stopped) Abandon();
  return absl::OkStatus();
}

// What is called in a kernel's loop never ends. The driver's thread still uses
// these objects, and releasing them would wait for it.
void ShaveLaunch::Abandon() {
  new std::pair(std::move(queue_), std::move(prepared_));
  for (const ShaveStage& stage : stages_) {
    new std::shared_ptr<ShaveControl>(stage.control);
  }
  prepared_.clear();
  is_abandoned_ = true;
}

}  // namespace dovetail::vpu
