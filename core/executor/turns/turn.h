// An inference's share of the processors.
#ifndef DOVETAIL_CORE_EXECUTOR_TURNS_TURN_H_
#define DOVETAIL_CORE_EXECUTOR_TURNS_TURN_H_

#include <chrono>

#include "dovetail/core/executor/turns/cpu_turns.h"

namespace dovetail {

// While one lives, its thread computes on a processor of CpuTurns, which it
// waits for at the beginning. The loops of its teams have helpers on further
// ones that are free; where several inferences want more than there are, each
// has an equal share. Between two layers it lets a thread go on that has
// computed some milliseconds less. Nothing where turns are not limited when it
// begins, and within another of the same thread, which computes on what the
// outer has. To be destroyed in the thread that made it.
class Turn {
 public:
  // `threads`: of the inference's team.
  explicit Turn(int threads, CpuTurns& turns = CpuTurns::OfProcess());
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  // Between two layers: who waits and has computed less is served first, and
  // the helpers are as many as there are processors for. Nothing in a thread
  // that has no turn.
  static void LetOthersGoOn();

  // Of the loops until the next layer; -1 in a thread that has no turn, where
  // they have as many as their team.
  static int Helpers();

 private:
  using Clock = std::chrono::steady_clock;

  void Begin();
  void End();
  void GiveWay();
  void ShareHelpers();
  void AddHelpers(int count);
  bool FreeForAWhile();
  void SetHungry(bool hungry);
  CpuTurns::Used UsedBy(Clock::time_point now) const;

  CpuTurns& turns_;
  const int most_helpers_;
  int helpers_ = 0;
  bool hungry_ = false;
  CpuTurns::Used used_{0};  // at start_
  Clock::time_point start_;
  Clock::time_point free_since_;  // zero: none was free when last looked at
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_TURNS_TURN_H_
