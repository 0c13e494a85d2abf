#include "dovetail/backends/vpu/custom/shave/shave_launch.h"

#include <signal.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

using Kind = ShaveArgument::Kind;

// As prelude.cl has them: a state, then numbers for each group.
constexpr int64_t kNumbersOfGroup = 4;
constexpr uint64_t kWrongTransfer = 1;

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

// What stands in the buffer from `from` on, or the reverse.
void Copy(const ResolvedArgument& argument, bool is_back, const char* from,
          char* to) {
  if (argument.is_moved) return Move(argument, is_back, from, to);
  std::copy_n(from, argument.bytes, to);
}

int64_t Bounded(uint64_t number) {
  return static_cast<int64_t>(std::min<uint64_t>(
      number, std::numeric_limits<int32_t>::max() * uint64_t{1024}));
}

}  // namespace

absl::StatusOr<std::unique_ptr<ShaveLaunch>> ShaveLaunch::New(
    const std::vector<ShaveStage>& stages) {
  std::unique_ptr<ShaveLaunch> launch(new ShaveLaunch(stages));
  std::vector<int64_t> bytes;
  for (const ShaveStage& stage : stages) {
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(launch->Describe(stage, bytes), stage.name));
  }
  DOVETAIL_ASSIGN_OR_RETURN(launch->buffers_, SharedBuffers::New(bytes));
  launch->call_.buffers = launch->buffers_->placements();
  DOVETAIL_ASSIGN_OR_RETURN(ShaveWorker::Turn turn,
                            ShaveWorker::Shared().TakeTurn());
  DOVETAIL_RETURN_IF_ERROR(launch->Ready(turn));
  return launch;
}

ShaveLaunch::~ShaveLaunch() { ShaveWorker::Shared().Forget(call_.id); }

absl::Status ShaveLaunch::Describe(const ShaveStage& stage,
                                   std::vector<int64_t>& bytes) {
  CalledStage called;
  called.program = stage.program->id();
  called.global = stage.kernel.global;
  called.local = stage.kernel.local;
  for (size_t i = 0; i < stage.kernel.arguments.size(); ++i) {
    const ResolvedArgument& argument = stage.kernel.arguments[i];
    CalledArgument one;
    one.name = stage.program->parameters()[i];
    if (IsMemory(argument)) {
      DOVETAIL_ASSIGN_OR_RETURN(one.number, BufferFor(argument, bytes));
    } else if (argument.kind == Kind::kLocal) {
      one.kind = CalledArgument::Kind::kLocal;
      one.number = static_cast<uint64_t>(argument.bytes);
    } else {
      one.kind = CalledArgument::Kind::kValue;
      one.value = argument.value;
    }
    called.arguments.push_back(std::move(one));
  }
  called.arguments.push_back({.name = "the counts", .number = bytes.size()});
  bytes.push_back((1 + kNumbersOfGroup * stage.kernel.groups()) *
                  static_cast<int64_t>(sizeof(uint64_t)));
  call_.stages.push_back(std::move(called));
  return absl::OkStatus();
}

absl::StatusOr<size_t> ShaveLaunch::BufferFor(const ResolvedArgument& argument,
                                              std::vector<int64_t>& bytes) {
  if (argument.kind == Kind::kInputBuffer) {
    const auto it = between_.find(argument.port);
    if (it != between_.end()) return it->second;
    return InvalidArgument(
        "no earlier kernel writes the buffer with "
        "port-index=\"",
        argument.port, "\"");
  }
  if (argument.kind == Kind::kOutputBuffer) {
    between_[argument.port] = bytes.size();
  }
  bytes.push_back(argument.bytes);
  return bytes.size() - 1;
}

// The worker's process has its programs and buffers then.
absl::Status ShaveLaunch::Ready(ShaveWorker::Turn& turn) {
  if (process_ == turn.process()) return absl::OkStatus();
  for (const ShaveStage& stage : stages_) {
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(stage.program->Ready(turn), stage.name));
  }
  constexpr int64_t kMostMs = 120000;
  DOVETAIL_ASSIGN_OR_RETURN(const WorkerAnswer answer,
                            turn.Ask(Question::kPrepare, call_.Bytes(), kMostMs,
                                     buffers_->file()));
  if (answer.end != WorkerAnswer::End::kDone) {
    return Internal("the process for custom kernels ended: ",
                    SignalText(answer.fault));
  }
  process_ = turn.process();
  return absl::OkStatus();
}

absl::Status ShaveLaunch::Run(absl::Span<void* const> inputs,
                              absl::Span<void* const> outputs,
                              int64_t watchdog_ms) {
  int64_t images = 1;
  for (size_t i = 0; i < stages_.size(); ++i) {
    images = std::max(images, stages_[i].kernel.images);
    std::fill_n(CountsOf(i), 1 + kNumbersOfGroup * stages_[i].kernel.groups(),
                uint64_t{0});
  }
  DOVETAIL_ASSIGN_OR_RETURN(ShaveWorker::Turn turn,
                            ShaveWorker::Shared().TakeTurn());
  DOVETAIL_RETURN_IF_ERROR(Ready(turn));
  for (int64_t image = 0; image < images; ++image) {
    for (size_t i = 0; i < stages_.size(); ++i) {
      DOVETAIL_RETURN_IF_ERROR(
          Annotate(RunStage(turn, i, image, inputs, outputs, watchdog_ms),
                   stages_[i].name));
    }
  }
  return absl::OkStatus();
}

absl::Status ShaveLaunch::RunStage(ShaveWorker::Turn& turn, size_t index,
                                   int64_t image,
                                   absl::Span<void* const> inputs,
                                   absl::Span<void* const> outputs,
                                   int64_t watchdog_ms) {
  const std::vector<ResolvedArgument>& arguments =
      stages_[index].kernel.arguments;
  const auto image_of = [&](const ResolvedArgument& argument, void* data) {
    return static_cast<char*>(data) +
           (argument.is_looped ? image * argument.bytes : 0);
  };
  const auto buffer_of = [&](size_t i) {
    return buffers_->data(call_.stages[index].arguments[i].number);
  };
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ResolvedArgument& one = arguments[i];
    if (one.kind != Kind::kInput || one.bytes == 0) continue;
    Copy(one, /*is_back=*/false, image_of(one, inputs[one.port]), buffer_of(i));
  }
  DOVETAIL_RETURN_IF_ERROR(Launch(turn, index, watchdog_ms));
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ResolvedArgument& one = arguments[i];
    if (one.kind != Kind::kOutput || one.bytes == 0) continue;
    Copy(one, /*is_back=*/true, buffer_of(i), image_of(one, outputs[one.port]));
  }
  return absl::OkStatus();
}

absl::Status ShaveLaunch::Launch(ShaveWorker::Turn& turn, size_t index,
                                 int64_t watchdog_ms) {
  ByteWriter body;
  body.Number(call_.id);
  body.Number(index);
  DOVETAIL_ASSIGN_OR_RETURN(const WorkerAnswer answer,
                            turn.Ask(Question::kRun, body.bytes(),
                                     watchdog_ms > 0 ? watchdog_ms : -1));
  const std::optional<Fault> overrun = buffers_->FindOverrun();
  if (answer.end == WorkerAnswer::End::kTimeOut) {
    return absl::DeadlineExceededError(
        absl::StrCat("it ran longer than MYRIAD_WATCHDOG=", watchdog_ms,
                     " ms and was stopped"));
  }
  if (answer.end == WorkerAnswer::End::kFault) {
    return InvalidArgument(FaultText(answer.fault, index));
  }
  if (overrun.has_value()) return InvalidArgument(FaultText(*overrun, index));
  if (CountsOf(index)[0] == kWrongTransfer) {
    return InvalidArgument(
        "a DMA transfer has lines of 0 bytes, or more bytes "
        "than 2^31 - 1");
  }
  return absl::OkStatus();
}

// The counts are the last argument of each kernel.
uint64_t* ShaveLaunch::CountsOf(size_t stage) const {
  return reinterpret_cast<uint64_t*>(
      buffers_->data(call_.stages[stage].arguments.back().number));
}

std::vector<GroupWork> ShaveLaunch::Counts(size_t stage) const {
  std::vector<GroupWork> counts(
      static_cast<size_t>(stages_[stage].kernel.groups()));
  const uint64_t* numbers = CountsOf(stage) + 1;
  for (GroupWork& one : counts) {
    one = {Bounded(numbers[0]), Bounded(numbers[1]), Bounded(numbers[2]),
           Bounded(numbers[3])};
    numbers += kNumbersOfGroup;
  }
  return counts;
}

std::string ShaveLaunch::FaultText(const Fault& fault, size_t stage) const {
  if (fault.signal == SIGFPE) return "it divides an integer by zero";
  const absl::string_view what = fault.writes ? "it writes" : "it reads";
  if (fault.place == FaultPlace::kNull) {
    return absl::StrCat(what, " through a null pointer");
  }
  if (fault.place == FaultPlace::kUnknown) {
    return fault.signal == SIGSEGV
               ? absl::StrCat(what, " memory that is none of its arguments")
               : absl::StrCat("it ends its process: ", SignalText(fault));
  }
  std::string name = "an argument of another kernel";
  for (const CalledArgument& one : call_.stages[stage].arguments) {
    if (one.kind == CalledArgument::Kind::kBuffer &&
        one.number == fault.buffer) {
      name = absl::StrCat("'", one.name, "'");
    }
  }
  const auto bytes = static_cast<int64_t>(call_.buffers[fault.buffer].bytes);
  const auto distance = static_cast<int64_t>(fault.distance);
  return absl::StrCat(
      what, " outside of its arguments: byte ",
      fault.place == FaultPlace::kBefore ? -distance : bytes + distance, " of ",
      name, ", which has ", bytes, " bytes");
}

}  // namespace dovetail::vpu
