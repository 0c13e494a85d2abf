#include "dovetail/backends/batch/gathering.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/request/trampoline.h"

namespace dovetail::batch {

Gathering::Gathering(BatchParts& parts, BatchAxes axes,
                     std::chrono::milliseconds timeout)
    : parts_(parts),
      axes_(std::move(axes)),
      size_(parts_.largest_size()),
      timeout_(timeout) {}

Gathering::~Gathering() {
  Timer::Id timer = 0;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    timer = timer_;
  }
  if (timer != 0) threads_->timer().Cancel(timer);
}

std::chrono::milliseconds Gathering::timeout() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return timeout_;
}

void Gathering::SetTimeout(std::chrono::milliseconds timeout) {
  Timer::Id timer = 0;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    timeout_ = timeout;
    timer = is_armed_ ? timer_ : 0;
  }
  // It may have been set for much later than the new one.
  const bool dropped = timer != 0 && threads_->timer().Cancel(timer);
  Guests ready;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (dropped) is_armed_ = false;
    ready = TakeAll_();
  }
  if (!ready.empty()) Launch(std::move(ready));
}

// ---- Coming and going ----

absl::Status Gathering::Enter(Guest& guest) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto has_room = [](const Home& home) {
    return absl::c_linear_search(home.is_taken, false);
  };
  auto home = absl::c_find_if(homes_, has_room);
  if (home == homes_.end()) {
    DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<BatchRun> run, MakeRun(size_));
    homes_.push_back({std::move(run), std::vector<bool>(size_)});
    home = homes_.end() - 1;
  }
  guest.home = home->run.get();
  guest.row = static_cast<size_t>(absl::c_find(home->is_taken, false) -
                                  home->is_taken.begin());
  home->is_taken[guest.row] = true;
  ++guests_;
  return absl::OkStatus();
}

void Gathering::Leave(Guest& guest) {
  Guests ready;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (Home& home : homes_) {
      if (home.run.get() == guest.home) home.is_taken[guest.row] = false;
    }
    --guests_;
    ready = TakeIfReady_();
  }
  if (!ready.empty()) Launch(std::move(ready));
}

// ---- Waiting ----

// A cancel may be earlier than this, and nobody would wake who waits then.
void Gathering::Join(Guest& guest, StageDone done) {
  guest.start.Begin();
  Guests ready;
  bool is_cancelled = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    is_cancelled = guest.is_cancelled;
    if (!is_cancelled) ready = Wait_(guest, std::move(done));
  }
  if (!ready.empty()) Launch(std::move(ready));
  if (is_cancelled) done(absl::CancelledError("it was cancelled"));
  guest.start.End();
}

Gathering::Guests Gathering::Wait_(Guest& guest, StageDone done) {
  guest.done = std::move(done);
  guest.state = Guest::State::kWaiting;
  guest.deadline = Clock::now() + timeout_;
  waiting_.push_back(&guest);
  Guests ready = TakeIfReady_();
  if (ready.empty() && !is_armed_ && !Arm_(timeout_).ok()) {
    ready = TakeAll_();  // without a timer nobody waits
  }
  return ready;
}

Gathering::Guests Gathering::TakeIfReady_() {
  const bool ready = waiting_.size() >= size_ || waiting_.size() == guests_;
  return ready ? TakeAll_() : Guests();
}

Gathering::Guests Gathering::TakeAll_() {
  Guests all(waiting_.begin(), waiting_.end());
  for (Guest* guest : all) {
    guest->state = Guest::State::kRunning;
    guest->run = nullptr;
  }
  waiting_.clear();
  return all;
}

absl::Status Gathering::Arm_(Clock::duration wait) {
  DOVETAIL_ASSIGN_OR_RETURN(
      timer_, threads_->timer().After(wait, [this] { OnTimer(); }));
  is_armed_ = true;
  return absl::OkStatus();
}

// One task at a time: it looks who came first of those who still wait.
void Gathering::OnTimer() {
  Guests ready;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    is_armed_ = false;
    if (waiting_.empty()) return;
    const auto left = waiting_.front()->deadline - Clock::now();
    if (left <= Clock::duration::zero() || !Arm_(left).ok()) {
      ready = TakeAll_();
    }
  }
  if (!ready.empty()) Launch(std::move(ready));
}

// ---- Running ----

absl::StatusOr<std::unique_ptr<BatchRun>> Gathering::MakeRun(size_t size) {
  return BatchRun::Create(parts_.at(size), axes_, size,
                          [this](BatchRun& run, absl::Status status) {
                            Ended(run, std::move(status));
                          });
}

// The home of them all, else an idle run of that size; null: there is none.
BatchRun* Gathering::FindRun_(const Guests& guests, size_t size) {
  BatchRun* const home = guests.front()->home;
  const bool is_home =
      guests.size() == size_ && absl::c_all_of(guests, [&](const Guest* guest) {
        return guest->home == home;
      });
  if (is_home) return home;
  std::vector<BatchRun*>& idle = idle_[size];
  if (idle.empty()) return nullptr;
  BatchRun* const run = idle.back();
  idle.pop_back();
  return run;
}

// Those who were cancelled since they stopped waiting do not go along: a batch
// may have to wait for the very thread that waits for their end.
void Gathering::TakeCancelled_(Guests& guests, Guests& cancelled) {
  const auto middle = std::stable_partition(
      guests.begin(), guests.end(),
      [](const Guest* guest) { return !guest->is_cancelled; });
  for (auto it = middle; it != guests.end(); ++it) {
    (*it)->state = Guest::State::kIdle;
    cancelled.push_back(*it);
  }
  guests.erase(middle, guests.end());
}

void Gathering::BeginRun_(BatchRun& run, const Guests& guests) {
  run.Begin(Members(guests.begin(), guests.end()));
  for (Guest* guest : guests) guest->run = &run;
}

void Gathering::LetIdle_(BatchRun& run) {
  const auto is_run = [&](const auto& known) { return known.get() == &run; };
  if (absl::c_any_of(runs_, is_run)) idle_[run.size()].push_back(&run);
}

void Gathering::Launch(Guests guests) {
  absl::c_sort(guests,
               [](const Guest* a, const Guest* b) { return a->row < b->row; });
  const size_t size = parts_.SizeFor(guests.size());
  BatchRun* run = nullptr;
  Guests cancelled;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    TakeCancelled_(guests, cancelled);
    if (!guests.empty()) run = FindRun_(guests, size);
    if (run != nullptr) BeginRun_(*run, guests);
  }
  if (run == nullptr && !guests.empty()) {
    auto made = MakeRun(size);
    if (!made.ok()) {
      EndAll(Members(guests.begin(), guests.end()), made.status());
      guests.clear();
    } else {
      std::lock_guard<std::mutex> lock(mutex_);
      runs_.push_back(*std::move(made));
      run = runs_.back().get();
      TakeCancelled_(guests, cancelled);
      guests.empty() ? LetIdle_(*run) : BeginRun_(*run, guests);
    }
  }
  if (!guests.empty()) run->Start();
  EndAll(Members(cancelled.begin(), cancelled.end()),
         absl::CancelledError("it was cancelled"));
}

void Gathering::Ended(BatchRun& run, absl::Status status) {
  Members members;
  Guests again;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (Member* member : run.TakeMembers()) {
      auto* const guest = static_cast<Guest*>(member);
      guest->run = nullptr;
      if (absl::IsCancelled(status) && guest->has_lost_place) {
        again.push_back(guest);
      } else {
        guest->state = Guest::State::kIdle;
        members.push_back(guest);
      }
      guest->has_lost_place = false;
    }
    LetIdle_(run);
  }
  if (!again.empty()) Launch(std::move(again));
  EndAll(members, status);
}

// With the last of them this may go.
void Gathering::EndAll(absl::Span<Member* const> members,
                       const absl::Status& status) {
  for (Member* member : members) {
    member->start.AwaitEnd();
    const StageDone done = std::move(member->done);
    done(status);
  }
}

// ---- Cancelling ----

void Gathering::Cancel(Guest& guest) {
  // What ends in here goes on when the lock is free again.
  trampoline::Defer([&] {
    StageDone done;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      guest.is_cancelled = true;
      if (guest.state == Guest::State::kWaiting) {
        waiting_.erase(absl::c_find(waiting_, &guest));
        guest.state = Guest::State::kIdle;
        done = std::move(guest.done);
      } else if (guest.run != nullptr) {
        CancelRunOf_(guest);
      }
    }
    if (done == nullptr) return;
    guest.start.AwaitEnd();
    done(absl::CancelledError("it was cancelled"));
  });
}

// A batch that has not begun, perhaps as it waits for this very thread, begins
// again without the guest; another one is left to its end if there are others
// in it, as rows of the guest's are written.
void Gathering::CancelRunOf_(Guest& guest) {
  BatchRun& run = *guest.run;
  const auto goes_on = [](const Member* member) {
    return !static_cast<const Guest*>(member)->is_cancelled;
  };
  if (absl::c_any_of(run.members(), goes_on)) {
    if (run.has_gathered()) return;
    for (Member* member : run.members()) {
      static_cast<Guest*>(member)->has_lost_place = goes_on(member);
    }
  }
  run.Cancel();
}

}  // namespace dovetail::batch
