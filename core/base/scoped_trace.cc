#include "dovetail/core/base/scoped_trace.h"

#include <atomic>

#include "dovetail/core/base/process_wide.h"

namespace dovetail {
namespace {

struct Listener {
  std::atomic<const TraceReceiver*> receiver = nullptr;
};

Listener& ProcessListener() {
  static Listener& listener = ProcessWide<Listener>("core/base trace listener");
  return listener;
}

}  // namespace

void SetTraceReceiver(const TraceReceiver* receiver) {
  ProcessListener().receiver.store(receiver, std::memory_order_release);
}

ScopedTrace::ScopedTrace(absl::string_view domain, absl::string_view task)
    : domain_(domain),
      receiver_(ProcessListener().receiver.load(std::memory_order_acquire)) {
  if (receiver_ == nullptr) return;
  receiver_->begin(receiver_->object, domain.data(), domain.size(), task.data(),
                   task.size());
}

ScopedTrace::~ScopedTrace() {
  if (receiver_ == nullptr) return;
  receiver_->end(receiver_->object, domain_.data(), domain_.size());
}

}  // namespace dovetail
