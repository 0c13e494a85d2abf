#include "dovetail/backends/auto/reservations.h"

#include <algorithm>
#include <utility>

namespace dovetail::automatic {

Priority ReadPriority(absl::string_view word) {
  if (word == "HIGH") return Priority::kHigh;
  return word == "LOW" ? Priority::kLow : Priority::kMedium;
}

bool Reservations::IsTaken(const std::string& device, Priority below) const {
  for (const auto& [priority, devices] : devices_) {
    if (priority < below && devices.count(device) > 0) return true;
  }
  return false;
}

std::vector<std::string> Reservations::Sorted(std::vector<std::string> devices,
                                              Priority priority) const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::stable_partition(
      devices.begin(), devices.end(),
      [&](const std::string& device) { return !IsTaken(device, priority); });
  return devices;
}

void Reservations::Add(const std::string& device, Priority priority) {
  std::lock_guard<std::mutex> lock(mutex_);
  devices_[priority].insert(device);
}

void Reservations::Remove(const std::string& device, Priority priority) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::multiset<std::string>& devices = devices_[priority];
  const auto it = devices.find(device);
  if (it != devices.end()) devices.erase(it);
}

Reservation::Reservation(std::shared_ptr<Reservations> all, std::string device,
                         Priority priority)
    : all_(std::move(all)), device_(std::move(device)), priority_(priority) {
  all_->Add(device_, priority_);
}

Reservation::~Reservation() { all_->Remove(device_, priority_); }

}  // namespace dovetail::automatic
