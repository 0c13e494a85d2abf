// Objects of which a process has one, however many copies of Dovetail are in
// it: a plugin in a shared library brings its own, hidden copy of core along,
// and threads, mapped files or a registry of that copy's own would be second
// ones.
//
// Core asks for such an object by name, here and never by a static variable.
// The program's copy answers from its own table; a library that is loaded is
// given that table before it does anything else (core/plugin/registry/manifest.h).
#ifndef DOVETAIL_CORE_BASE_PROCESS_WIDE_H_
#define DOVETAIL_CORE_BASE_PROCESS_WIDE_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace dovetail {

// Objects by name. Thread-safe.
class ProcessTable {
 public:
  virtual ~ProcessTable() = default;
  // The object of that name, which `make` makes for the first who asks, and
  // which is never destroyed: threads may use it while the process exits.
  // `make` may ask for other objects.
  virtual void* Get(absl::string_view name, void* (*make)()) = 0;
};

// A table of one's own; only tests need another than the process's.
std::unique_ptr<ProcessTable> MakeProcessTable();

// The table that this copy of core uses: its own until it joins another.
ProcessTable& CurrentProcessTable();

// From here on this copy of core uses the table of the program that has loaded
// it. A second call changes nothing: the first program keeps it.
// kFailedPrecondition when this copy has made an object of its own already,
// with that object's name.
absl::Status JoinProcess(ProcessTable& table);

// The process's object of class T; `name` is of one class, and says where it is
// defined: "core/executor streams". Users keep the reference.
template <typename T>
T& ProcessWide(absl::string_view name) {
  return *static_cast<T*>(
      CurrentProcessTable().Get(name, []() -> void* { return new T; }));
}

// The same for a variable that each thread has one of. `OwnOfThread` gives that
// of this copy of core; the answer gives the process's.
template <typename T, T& (*OwnOfThread)()>
auto ProcessWideOfThread(absl::string_view name) -> T& (*)() {
  struct Getter {
    T& (*get)() = OwnOfThread;
  };
  return ProcessWide<Getter>(name).get;
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_BASE_PROCESS_WIDE_H_
