// Which devices models have, and how much these models matter.
#ifndef DOVETAIL_BACKENDS_AUTO_RESERVATIONS_H_
#define DOVETAIL_BACKENDS_AUTO_RESERVATIONS_H_

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace dovetail::automatic {

// MODEL_PRIORITY: the lower, the more it matters.
enum class Priority { kHigh, kMedium, kLow };
Priority ReadPriority(absl::string_view word);  // "HIGH", "MEDIUM", "LOW"

// Of one process. Thread-safe.
class Reservations {
 public:
  // Moves devices that models of a higher priority have behind the others.
  std::vector<std::string> Sorted(std::vector<std::string> devices,
                                  Priority priority) const;

  void Add(const std::string& device, Priority priority);
  void Remove(const std::string& device, Priority priority);

 private:
  bool IsTaken(const std::string& device, Priority below) const;

  mutable std::mutex mutex_;
  std::map<Priority, std::multiset<std::string>> devices_;
};

// A device that a model has, until this goes.
class Reservation {
 public:
  Reservation(std::shared_ptr<Reservations> all, std::string device,
              Priority priority);
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;
  ~Reservation();

 private:
  const std::shared_ptr<Reservations> all_;
  const std::string device_;
  const Priority priority_;
};

}  // namespace dovetail::automatic

#endif  // DOVETAIL_BACKENDS_AUTO_RESERVATIONS_H_
