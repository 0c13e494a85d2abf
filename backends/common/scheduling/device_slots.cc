#include "dovetail/backends/common/scheduling/device_slots.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"

namespace dovetail {
namespace {

// Of the last inferences, how much the newest one counts.
constexpr double kNewest = 0.2;

}  // namespace

int DeviceSlots::AddDevice(int slots) {
  std::unique_lock<std::mutex> lock(mutex_);
  const int device = static_cast<int>(devices_.size());
  devices_.emplace_back();
  devices_.back().slots = slots;
  for (int i = slots; i-- > 0;) devices_.back().free.push_back(i);
  order_.push_back(device);
  GiveOut(std::move(lock));
  return device;
}

void DeviceSlots::SetOrder(std::vector<int> order) {
  std::unique_lock<std::mutex> lock(mutex_);
  order_ = std::move(order);
  GiveOut(std::move(lock));
}

std::vector<int> DeviceSlots::order() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return order_;
}

void DeviceSlots::Remove(int device) {
  std::unique_lock<std::mutex> lock(mutex_);
  order_.erase(std::remove(order_.begin(), order_.end(), device), order_.end());
  GiveOut(std::move(lock));
}

void DeviceSlots::AwaitIdle(int device) {
  std::unique_lock<std::mutex> lock(mutex_);
  released_.wait(lock, [&] {
    return static_cast<int>(devices_[device].free.size()) ==
           devices_[device].slots;
  });
}

void DeviceSlots::Expect(int more) {
  std::unique_lock<std::mutex> lock(mutex_);
  expected_ += more;
  if (more < 0) GiveOut(std::move(lock));
}

bool DeviceSlots::is_served() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return IsServed(-1);
}

int DeviceSlots::count() const {
  std::lock_guard<std::mutex> lock(mutex_);
  int count = 0;
  for (const int device : order_) count += devices_[device].slots;
  return count;
}

// Who came first is served first, so a newcomer stands behind the others.
void DeviceSlots::Acquire(SlotWaiter* waiter) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (waiter->is_withdrawn) {
    lock.unlock();
    return waiter->TakeNone();
  }
  waiting_.push_back(waiter);
  GiveOut(std::move(lock));
}

bool DeviceSlots::Withdraw(SlotWaiter* waiter) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto it = absl::c_find(waiting_, waiter);
  if (it == waiting_.end()) return false;
  waiting_.erase(it);
  return true;
}

void DeviceSlots::Release(DeviceSlot slot, int64_t nanoseconds) {
  std::unique_lock<std::mutex> lock(mutex_);
  Device& device = devices_[slot.device];
  device.free.push_back(slot.number);
  released_.notify_all();
  const auto newest = static_cast<double>(nanoseconds);
  device.mean_ns = device.mean_ns == 0
                       ? newest
                       : device.mean_ns + kNewest * (newest - device.mean_ns);
  GiveOut(std::move(lock));
}

// ---- Who gets what ----

bool DeviceSlots::IsServed(int only_device) const {
  return only_device < 0 ? !order_.empty() || expected_ > 0
                         : absl::c_linear_search(order_, only_device);
}

// The device, of those with a free slot; -1: there is none.
int DeviceSlots::Choose(int only_device) const {
  const auto may = [&](int device) {
    return (only_device < 0 || device == only_device) &&
           !devices_[device].free.empty();
  };
  const size_t count = order_.size();
  size_t first = 0;
  if (policy_ == SlotPolicy::kRoundRobin) {
    const auto last = absl::c_find(order_, last_);
    if (last != order_.end()) first = last - order_.begin() + 1;
  }
  int chosen = -1;
  for (size_t i = 0; i < count; ++i) {
    const int device = order_[(first + i) % count];
    if (!may(device)) continue;
    if (policy_ != SlotPolicy::kSpeed) return device;
    // One that is not known yet is tried.
    if (chosen < 0 || devices_[device].mean_ns < devices_[chosen].mean_ns) {
      chosen = device;
    }
  }
  return chosen;
}

std::optional<DeviceSlot> DeviceSlots::TakeFree(SlotWaiter& waiter) {
  const int device = Choose(waiter.only_device);
  if (device < 0) return std::nullopt;
  last_ = device;
  std::vector<int>& free = devices_[device].free;
  auto slot = free.end() - 1;
  if (waiter.last.device == device) {
    const auto again = absl::c_find(free, waiter.last.number);
    if (again != free.end()) slot = again;
  }
  waiter.last = {device, *slot};
  free.erase(slot);
  return waiter.last;
}

// To the first in the line for whom there is something, again and again. Each
// is called without the lock, as it may give its slot back at once.
void DeviceSlots::GiveOut(std::unique_lock<std::mutex> lock) {
  for (size_t i = 0; i < waiting_.size();) {
    SlotWaiter* const waiter = waiting_[i];
    const bool is_served = IsServed(waiter->only_device);
    const auto slot = is_served ? TakeFree(*waiter) : std::nullopt;
    if (is_served && !slot.has_value()) {
      ++i;
      continue;
    }
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    lock.unlock();
    if (slot.has_value()) {
      waiter->Take(*slot);
    } else {
      waiter->TakeNone();
    }
    lock.lock();
    i = 0;  // the line may be another one
  }
}

}  // namespace dovetail
