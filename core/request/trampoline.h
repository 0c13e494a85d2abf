// Keeps a chain of "that ended, so start the next" from becoming a deep stack:
// a callback that starts its request again may find the new inference run at
// once, in the same thread, and end in the same callback.
#ifndef DOVETAIL_CORE_REQUEST_TRAMPOLINE_H_
#define DOVETAIL_CORE_REQUEST_TRAMPOLINE_H_

#include "absl/functional/function_ref.h"

namespace dovetail {
namespace trampoline {

// What is put off: a plain function and what it is given, so that putting it
// off needs no memory of its own.
struct Step {
  void (*function)(void* object, unsigned argument) = nullptr;
  void* object = nullptr;
  unsigned argument = 0;
};

// Runs the step; within another step or a Defer of the same thread, it is put
// off until that has returned.
void Run(Step step);

// Calls `body`; steps that it causes in this thread run afterwards.
void Defer(absl::FunctionRef<void()> body);

// Runs at once what this thread has put off: to be called before waiting for
// anything that might be among it.
void RunDeferred();

}  // namespace trampoline
}  // namespace dovetail

#endif  // DOVETAIL_CORE_REQUEST_TRAMPOLINE_H_
