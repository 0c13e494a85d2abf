// Tasks of the library as an application's tracer sees them: what runs in which
// thread from when to when, by domain, as ITT and other tracers have it.
#ifndef DOVETAIL_CORE_BASE_SCOPED_TRACE_H_
#define DOVETAIL_CORE_BASE_SCOPED_TRACE_H_

#include <cstddef>

#include "absl/strings/string_view.h"

namespace dovetail {

// Domains: "core" (reading and compiling), "plugin" (a device's part of that),
// "request" (inferences in the caller's thread), "stage" (what a device does of
// one in the thread that starts it).
//
// An application's functions. They are called in the thread that the task runs
// in, from any number of threads, tasks of a thread one within another, and
// must not throw. Texts end where their size says, and live for the call.
struct TraceReceiver {
  void* object;  // handed to both
  void (*begin)(void* object, const char* domain, size_t domain_size,
                const char* task, size_t task_size);
  void (*end)(void* object, const char* domain, size_t domain_size);
};

// From here on tasks that begin are told to `receiver`, in the whole process;
// null: to nobody, as at first. Tasks that have begun end at the receiver that
// was told of them, so it has to live until they are over: best as long as the
// process. Thread-safe.
void SetTraceReceiver(const TraceReceiver* receiver);

// A task that lasts as long as the object. Costs no more than reading a pointer
// where nobody listens.
class ScopedTrace {
 public:
  // `domain` lives as long as the object.
  ScopedTrace(absl::string_view domain, absl::string_view task);
  ~ScopedTrace();
  ScopedTrace(const ScopedTrace&) = delete;
  ScopedTrace& operator=(const ScopedTrace&) = delete;

 private:
  const absl::string_view domain_;
  const TraceReceiver* const receiver_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_BASE_SCOPED_TRACE_H_
