// The process that runs kernels: it answers questions from its third file, one
// behind another, until that is closed. Each question begins with its kind and
// the numbers of what it is to forget.
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/opencl/cl_status.h"
#include "dovetail/backends/vpu/custom/shave/worker/cl_driver.h"
#include "dovetail/backends/vpu/custom/shave/worker/fault_handler.h"
#include "dovetail/backends/vpu/custom/shave/worker/guarded_mapping.h"
#include "dovetail/backends/vpu/custom/shave/worker/launch_call.h"
#include "dovetail/backends/vpu/custom/shave/worker/message.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

using opencl::ClStatus;

constexpr int kSocket = 3;
// The kernel that ShaveProgram makes of a group's work.
constexpr char kEntry[] = "dovetail_run_group";

// The kernels of a layer, with all of their arguments set.
struct Launch {
  LaunchCall call;
  std::unique_ptr<GuardedMapping> mapping;
  std::vector<opencl::Mem> memory;
  std::vector<opencl::Kernel> kernels;
};

class Worker {
 public:
  absl::StatusOr<std::string> Reply(absl::string_view bytes, int file);

 private:
  absl::StatusOr<std::string> Open(absl::string_view prelude);
  absl::StatusOr<std::string> Build(ByteReader& reader);
  absl::StatusOr<std::string> Prepare(ByteReader& reader, int file);
  absl::Status SetArguments(const CalledStage& stage, Launch& launch);
  absl::StatusOr<std::string> Run(ByteReader& reader);

  ClDriver driver_;
  opencl::CommandQueue queue_;
  std::map<uint64_t, opencl::Program> programs_;
  std::map<uint64_t, Launch> launches_;
};

absl::StatusOr<std::string> Worker::Reply(absl::string_view bytes, int file) {
  ByteReader reader(bytes);
  DOVETAIL_ASSIGN_OR_RETURN(const uint8_t question, reader.Byte());
  DOVETAIL_ASSIGN_OR_RETURN(const size_t forgotten, reader.Count(8));
  for (size_t i = 0; i < forgotten; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const uint64_t id, reader.Number());
    launches_.erase(id);
    programs_.erase(id);
  }
  switch (static_cast<Question>(question)) {
    case Question::kOpen:
      return Open(bytes.substr(9 + 8 * forgotten));
    case Question::kBuild:
      return Build(reader);
    case Question::kBinary: {
      DOVETAIL_ASSIGN_OR_RETURN(const uint64_t id, reader.Number());
      return driver_.Binary(programs_[id]);
    }
    case Question::kPrepare:
      return Prepare(reader, file);
    case Question::kRun:
      return Run(reader);
  }
  return Internal("no question ", question);
}

absl::StatusOr<std::string> Worker::Open(absl::string_view prelude) {
  DOVETAIL_ASSIGN_OR_RETURN(driver_, ClDriver::Open(std::string(prelude)));
  DOVETAIL_ASSIGN_OR_RETURN(queue_, driver_.NewQueue());
  // The driver has handlers of its own, which are to be gone.
  HandleFaults(kSocket);
  return driver_.Name();
}

// A number, whether a binary follows or a text, and for a text another one: the
// source as it is has the clearer log.
absl::StatusOr<std::string> Worker::Build(ByteReader& reader) {
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t id, reader.Number());
  DOVETAIL_ASSIGN_OR_RETURN(const uint8_t is_binary, reader.Byte());
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view text, reader.Text());
  if (is_binary != 0) {
    DOVETAIL_ASSIGN_OR_RETURN(programs_[id], driver_.Load(text));
    return "";
  }
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view plain, reader.Text());
  auto program = driver_.Build(std::string(text));
  if (program.ok()) {
    programs_[id] = *std::move(program);
    return "";
  }
  DOVETAIL_RETURN_IF_ERROR(driver_.Build(std::string(plain)).status());
  return program.status();
}

absl::StatusOr<std::string> Worker::Prepare(ByteReader& reader, int file) {
  Launch launch;
  DOVETAIL_ASSIGN_OR_RETURN(launch.call, LaunchCall::Read(reader));
  DOVETAIL_ASSIGN_OR_RETURN(launch.mapping,
                            GuardedMapping::New(file, launch.call.buffers));
  for (const KnownBuffer& one : launch.mapping->buffers()) {
    DOVETAIL_ASSIGN_OR_RETURN(
        opencl::Mem memory,
        driver_.NewMemory(reinterpret_cast<void*>(one.begin), one.bytes));
    launch.memory.push_back(std::move(memory));
  }
  for (const CalledStage& stage : launch.call.stages) {
    DOVETAIL_ASSIGN_OR_RETURN(
        opencl::Kernel kernel,
        driver_.NewKernel(programs_[stage.program], kEntry));
    launch.kernels.push_back(std::move(kernel));
    DOVETAIL_RETURN_IF_ERROR(SetArguments(stage, launch));
  }
  const uint64_t id = launch.call.id;
  launches_[id] = std::move(launch);
  return "";
}

absl::Status Worker::SetArguments(const CalledStage& stage, Launch& launch) {
  for (size_t i = 0; i < stage.arguments.size(); ++i) {
    const CalledArgument& one = stage.arguments[i];
    const void* value = one.value.data();
    size_t bytes = one.value.size();
    cl_mem memory = nullptr;
    if (one.kind == CalledArgument::Kind::kLocal) {
      value = nullptr;
      bytes = one.number;
    } else if (one.kind == CalledArgument::Kind::kBuffer) {
      memory = launch.memory[one.number].get();
      value = &memory;
      bytes = sizeof(memory);
    }
    DOVETAIL_RETURN_IF_ERROR(ClStatus(
        driver_.api->SetKernelArg(launch.kernels.back().get(),
                                  static_cast<cl_uint>(i), bytes, value),
        absl::StrCat("parameter '", one.name,
                     "' takes no argument of this kind: clSetKernelArg")));
  }
  return absl::OkStatus();
}

// A launch, and which of its kernels.
absl::StatusOr<std::string> Worker::Run(ByteReader& reader) {
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t id, reader.Number());
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t index, reader.Number());
  const Launch& launch = launches_[id];
  const CalledStage& stage = launch.call.stages[index];
  SetKnownBuffers(launch.mapping->buffers());
  DOVETAIL_RETURN_IF_ERROR(ClStatus(
      driver_.api->EnqueueNDRangeKernel(
          queue_.get(), launch.kernels[index].get(), 3, nullptr,
          stage.global.data(), stage.local.data(), 0, nullptr, nullptr),
      "clEnqueueNDRangeKernel"));
  const absl::Status status =
      ClStatus(driver_.api->Finish(queue_.get()), "clFinish");
  SetKnownBuffers({});
  DOVETAIL_RETURN_IF_ERROR(status);
  return "";
}

std::string BytesOf(const absl::StatusOr<std::string>& answer) {
  ByteWriter writer;
  if (answer.ok()) {
    writer.Byte(static_cast<uint8_t>(Answer::kDone));
    writer.Raw(*answer);
    return writer.Take();
  }
  writer.Byte(static_cast<uint8_t>(Answer::kStatus));
  writer.Number(static_cast<uint64_t>(answer.status().code()));
  writer.Text(answer.status().message());
  return writer.Take();
}

// A kernel may run for ever when nobody waits for it any more.
void EndWithTheOther() {
  pollfd one = {kSocket, POLLRDHUP, 0};
  while (poll(&one, 1, -1) <= 0) continue;
  _exit(0);
}

[[noreturn]] void Serve() {
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::thread(EndWithTheOther).detach();
  auto& worker = *new Worker;
  while (true) {
    const Received received = ReceiveMessage(kSocket, -1);
    if (received.end != Received::End::kDone) _exit(0);
    const std::string answer =
        BytesOf(worker.Reply(received.bytes, received.file));
    if (received.file >= 0) close(received.file);
    if (!SendMessage(kSocket, answer)) _exit(0);
  }
}

}  // namespace
}  // namespace dovetail::vpu

int main() {
  // PoCL has a local array of a kernel that another one calls once for all of
  // its threads, so that groups on two of them would share it.
  setenv("POCL_MAX_PTHREAD_COUNT", "1", 1);
  setenv("POCL_CPU_MAX_CU_COUNT", "1", 1);  // its name in later versions
  dovetail::vpu::Serve();
}
