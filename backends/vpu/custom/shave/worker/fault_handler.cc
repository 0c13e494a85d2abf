#include "dovetail/backends/vpu/custom/shave/worker/fault_handler.h"

#include <signal.h>
#include <sys/socket.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <limits>

#include "dovetail/backends/vpu/custom/shave/worker/message.h"

namespace dovetail::vpu {
namespace {

// Indices from a null pointer reach so far.
constexpr uintptr_t kNullBytes = 1 << 16;

int answer_socket = -1;
std::atomic<const KnownBuffer*> first_buffer = nullptr;
std::atomic<size_t> buffer_count = 0;
std::atomic_flag is_answering = ATOMIC_FLAG_INIT;

// Only processors of one kind say so.
bool IsWrite([[maybe_unused]] const void* context) {
#ifdef __x86_64__
  constexpr greg_t kWrite = 2;
  const auto* const machine = static_cast<const ucontext_t*>(context);
  return (machine->uc_mcontext.gregs[REG_ERR] & kWrite) != 0;
#else
  return false;
#endif
}

// The nearest buffer; none within reach where addresses are of no kernel's.
void Locate(uintptr_t address, Fault& fault) {
  constexpr uint64_t kReach = uint64_t{1} << 34;
  uint64_t least = kReach;
  const KnownBuffer* const buffers = first_buffer.load();
  for (size_t i = 0; i < buffer_count.load(); ++i) {
    const uintptr_t begin = buffers[i].begin, end = begin + buffers[i].bytes;
    const bool is_before = address < begin;
    if (!is_before && address < end) continue;
    const uint64_t distance = is_before ? begin - address : address - end;
    if (distance >= least) continue;
    least = distance;
    fault.place = is_before ? FaultPlace::kBefore : FaultPlace::kBehind;
    fault.buffer = i;
    fault.distance = distance;
  }
}

// Calls nothing that a handler may not call.
void AnswerFault(int signal, siginfo_t* info, void* context) {
  if (is_answering.test_and_set()) {
    while (true) pause();
  }
  Fault fault;
  fault.signal = signal;
  // Addresses that no process can have come without their value.
  if (signal == SIGSEGV && info->si_code != SI_KERNEL) {
    const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
    fault.writes = IsWrite(context);
    if (address < kNullBytes) {
      fault.place = FaultPlace::kNull;
    } else {
      Locate(address, fault);
    }
  }
  constexpr uint64_t kLength = 1 + sizeof(Fault);
  char bytes[sizeof(kLength) + kLength];
  std::memcpy(bytes, &kLength, sizeof(kLength));
  bytes[sizeof(kLength)] = static_cast<char>(Answer::kFault);
  std::memcpy(bytes + sizeof(kLength) + 1, &fault, sizeof(fault));
  const ssize_t sent =
      send(answer_socket, bytes, sizeof(bytes), MSG_NOSIGNAL);
  _exit(sent == static_cast<ssize_t>(sizeof(bytes)) ? 0 : 1);
}

}  // namespace

void HandleFaults(int socket) {
  answer_socket = socket;
  struct sigaction action = {};
  action.sa_sigaction = &AnswerFault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  for (const int one : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) {
    sigaction(one, &action, nullptr);
  }
}

void SetKnownBuffers(absl::Span<const KnownBuffer> buffers) {
  buffer_count = 0;
  first_buffer = buffers.data();
  buffer_count = buffers.size();
}

}  // namespace dovetail::vpu
