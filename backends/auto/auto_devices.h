// The devices that a model of AUTO runs on, which change while it runs.
#ifndef DOVETAIL_BACKENDS_AUTO_AUTO_DEVICES_H_
#define DOVETAIL_BACKENDS_AUTO_AUTO_DEVICES_H_

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "dovetail/backends/auto/reservations.h"
#include "dovetail/backends/common/scheduling/multi_executable.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail::automatic {

// A device that the model has not been compiled for yet, with its properties.
struct Candidate {
  std::string device;
  PropertyMap properties;
};

// What is needed to compile for further devices.
struct AutoSource {
  std::shared_ptr<const Model> model;
  std::shared_ptr<Host> host;
  std::shared_ptr<Reservations> reservations;
  Priority priority = Priority::kMedium;
};

// Kept alive by what is under way in the background, too.
class AutoDevices : public multi::MultiExecutable,
                    public std::enable_shared_from_this<AutoDevices> {
 public:
  AutoDevices(ExecutableInfo info, const multi::MultiOptions& options,
              AutoSource source)
      : MultiExecutable(std::move(info), options), source_(std::move(source)) {}

  // Nobody runs inferences any more. Waits for a compilation that is under way,
  // unless the background itself calls this, in a request's callback.
  void Close();

  // Compiles for the first of `candidates` that can be compiled for, and keeps
  // those behind it for the day when that device is lost. The error lists why
  // none can.
  absl::Status UseFirst(std::deque<Candidate> candidates);
  // Compiles for `start`, one of `candidates`; then, in the background, for the
  // first of those before it that can be compiled for, which then runs all
  // inferences.
  absl::Status StartOn(const std::string& start,
                       std::deque<Candidate> candidates);
  // Compiles for all of `candidates`, of which one is enough.
  absl::Status UseAll(const std::deque<Candidate>& candidates);

  void OnLost() const override;
  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override;
  std::vector<PropertySpec> own_properties() const override;

 private:
  absl::StatusOr<int> Add(const Candidate& candidate,
                          absl::string_view why) const;
  absl::Status AddNext(absl::string_view why,
                       std::vector<absl::Status>& failures) const;
  void Say(const std::string& reason) const;
  template <typename Work>
  void StartJob(Work work) const;
  bool IsJobOver() const;
  void Improve(int start, const std::string& device) const;
  void ReplaceLost() const;

  const AutoSource source_;
  mutable std::mutex mutex_;  // guards what follows
  mutable std::deque<Candidate> candidates_;
  mutable std::map<std::string, std::unique_ptr<Reservation>> reservations_;
  mutable std::string reason_;        // why it runs where it does
  mutable bool is_starting_ = false;  // on a device that is not the best one
  mutable bool is_busy_ = false;      // a job is under way
  mutable bool is_closed_ = false;
  mutable std::vector<std::thread> jobs_;
};

}  // namespace dovetail::automatic

#endif  // DOVETAIL_BACKENDS_AUTO_AUTO_DEVICES_H_
