// States of a program that contexts take in turn.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_STATE_POOL_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_STATE_POOL_H_

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "dovetail/backends/common/program/program.h"

namespace dovetail {

// Contexts of one stream mostly run one after the other. Each has a state only
// while it runs, and gets the one that was used last: its memory is still in
// the caches, and there is as much of it as inferences run at a time, however
// many requests there are. Thread-safe.
class ProgramStatePool {
 public:
  // A state for one run, of those for `stream`, which may be anything with an
  // address. Goes back to the pool, which outlives it, at its end.
  class Borrowed {
   public:
    Borrowed(ProgramStatePool& pool, const void* stream)
        : pool_(pool), stream_(stream), state_(pool.Take(stream)) {}
    ~Borrowed() { pool_.GiveBack(stream_, std::move(state_)); }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;

    ProgramState& operator*() const { return *state_; }

   private:
    ProgramStatePool& pool_;
    const void* const stream_;
    std::unique_ptr<ProgramState> state_;
  };

 private:
  struct States {
    size_t count = 0;                                 // idle or not
    std::vector<std::unique_ptr<ProgramState>> idle;  // the last used one last
  };

  std::unique_ptr<ProgramState> Take(const void* stream);
  void GiveBack(const void* stream, std::unique_ptr<ProgramState> state);

  std::mutex mutex_;
  std::map<const void*, States> states_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_STATE_POOL_H_
