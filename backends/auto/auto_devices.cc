#include "dovetail/backends/auto/auto_devices.h"

#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/log.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::automatic {
namespace {

constexpr absl::string_view kReason = "AUTO_REASON";

// Of several devices, none of which could be compiled for.
absl::Status NoneOf(const std::vector<absl::Status>& failures) {
  if (failures.empty()) return absl::CancelledError("the model goes");
  if (failures.size() == 1) return failures.front();
  std::vector<absl::string_view> texts;
  for (const absl::Status& failure : failures) {
    texts.push_back(failure.message());
  }
  return absl::Status(failures.front().code(),
                      absl::StrCat("device AUTO: no device takes the model: ",
                                   absl::StrJoin(texts, "; ")));
}

std::string NamesOf(const std::deque<Candidate>& candidates) {
  return absl::StrJoin(candidates, ", ", [](std::string* out, const auto& one) {
    out->append(one.device);
  });
}

}  // namespace

void AutoDevices::Close() {
  std::vector<std::thread> jobs;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    is_closed_ = true;
    jobs.swap(jobs_);
  }
  for (std::thread& job : jobs) {
    if (job.get_id() == std::this_thread::get_id()) {
      job.detach();  // it ends when what it has called returns
    } else {
      job.join();
    }
  }
}

// ---- When it is compiled ----

absl::Status AutoDevices::UseFirst(std::deque<Candidate> candidates) {
  const std::string names = NamesOf(candidates);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    candidates_ = std::move(candidates);
  }
  std::vector<absl::Status> failures;
  return AddNext(
      absl::StrCat(", the first of ", names, " that takes the model"),
      failures);
}

absl::Status AutoDevices::StartOn(const std::string& start,
                                  std::deque<Candidate> candidates) {
  for (const Candidate& candidate : candidates) {
    if (candidate.device != start) continue;
    const auto number =
        Add(candidate, absl::StrCat(" until ", candidates.front().device,
                                    " has been compiled for"));
    if (!number.ok()) break;  // then without it
    std::lock_guard<std::mutex> lock(mutex_);
    candidates_ = std::move(candidates);
    is_starting_ = true;
    StartJob([this, number = *number, start] { Improve(number, start); });
    return absl::OkStatus();
  }
  return UseFirst(std::move(candidates));
}

absl::Status AutoDevices::UseAll(const std::deque<Candidate>& candidates) {
  std::vector<absl::Status> failures;
  for (const Candidate& candidate : candidates) {
    const auto number =
        Add(candidate, absl::StrCat(" and all others of ", NamesOf(candidates),
                                    " that take the model"));
    if (!number.ok()) failures.push_back(number.status());
  }
  if (failures.size() < candidates.size()) return absl::OkStatus();
  return NoneOf(failures);
}

// `why`: what is said of the device from now on.
absl::StatusOr<int> AutoDevices::Add(const Candidate& candidate,
                                     absl::string_view why) const {
  auto part = source_.host->Compile(*source_.model, candidate.device,
                                    candidate.properties, nullptr);
  if (!part.ok()) {
    DOVETAIL_LOG(kWarning, "AUTO: ", candidate.device,
                 " does not take the model: ", part.status().message());
    return part.status();
  }
  Say(absl::StrCat("on ", candidate.device, why));
  {
    std::lock_guard<std::mutex> lock(mutex_);
    reservations_[candidate.device] = std::make_unique<Reservation>(
        source_.reservations, candidate.device, source_.priority);
  }
  return AddDevice(candidate.device, *std::move(part), 0);
}

absl::Status AutoDevices::AddNext(absl::string_view why,
                                  std::vector<absl::Status>& failures) const {
  for (;;) {
    Candidate next;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (candidates_.empty() || is_closed_) return NoneOf(failures);
      next = std::move(candidates_.front());
      candidates_.pop_front();
    }
    const auto number = Add(next, why);
    if (number.ok()) return absl::OkStatus();
    failures.push_back(number.status());
  }
}

void AutoDevices::Say(const std::string& reason) const {
  DOVETAIL_LOG(kInfo, "AUTO runs the model ", reason);
  std::lock_guard<std::mutex> lock(mutex_);
  reason_ = reason;
}

// ---- Later ----

// With the lock, which the job needs before it ends.
template <typename Work>
void AutoDevices::StartJob(Work work) const {
  try {
    jobs_.emplace_back([this, self = shared_from_this(), work] {
      work();
      while (!IsJobOver()) ReplaceLost();
      slots().Expect(-1);
    });
  } catch (const std::system_error&) {
    is_starting_ = false;
    DOVETAIL_LOG(kWarning, "AUTO stays where it is: no thread can be started");
    return;
  }
  is_busy_ = true;
  slots().Expect(1);
}

// At the end a device may have been lost that was added just now.
bool AutoDevices::IsJobOver() const {
  std::lock_guard<std::mutex> lock(mutex_);
  is_starting_ = false;
  const bool is_over =
      !slots().order().empty() || candidates_.empty() || is_closed_;
  if (is_over) is_busy_ = false;
  return is_over;
}

// What is before `start` is better; that itself is there for the day when the
// better one is lost.
void AutoDevices::Improve(int start, const std::string& device) const {
  for (;;) {
    Candidate next;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (is_closed_) return;
      next = candidates_.front();
      if (next.device != device) {
        candidates_.pop_front();
      } else if (!slots().order().empty()) {
        candidates_.pop_front();  // it runs already
        break;
      } else {
        return;  // it is lost
      }
    }
    const std::string why =
        absl::StrCat(", compiled for while ", device, " ran inferences");
    if (!Add(next, why).ok()) continue;
    DropDevice(start);
    std::lock_guard<std::mutex> lock(mutex_);
    reservations_.erase(device);
    return;
  }
  Say(absl::StrCat("on ", device, ": nothing better takes the model"));
}

void AutoDevices::ReplaceLost() const {
  std::vector<absl::Status> failures;
  AddNext(", as another was lost", failures).IgnoreError();  // it is logged
}

void AutoDevices::OnLost() const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (is_busy_ || is_closed_ || candidates_.empty() ||
      !slots().order().empty()) {
    return;
  }
  StartJob([] {});
}

// ---- Properties ----

absl::StatusOr<std::string> AutoDevices::GetMetric(
    absl::string_view name) const {
  if (name == kReason) {
    std::lock_guard<std::mutex> lock(mutex_);
    return reason_;
  }
  if (name == properties::kExecutionDevices) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::string devices,
                              MultiExecutable::GetMetric(name));
    std::lock_guard<std::mutex> lock(mutex_);
    return is_starting_ ? absl::StrCat("(", devices, ")") : devices;
  }
  return MultiExecutable::GetMetric(name);
}

std::vector<PropertySpec> AutoDevices::own_properties() const {
  std::vector<PropertySpec> specs = MultiExecutable::own_properties();
  specs.push_back(
      ReadOnlyProperty(kReason, "text", "Why it runs where it does."));
  return specs;
}

}  // namespace dovetail::automatic
