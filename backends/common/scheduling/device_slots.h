// Places on several devices where inferences run, and the line of those that
// wait for one.
#ifndef DOVETAIL_BACKENDS_COMMON_SCHEDULING_DEVICE_SLOTS_H_
#define DOVETAIL_BACKENDS_COMMON_SCHEDULING_DEVICE_SLOTS_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace dovetail {

// A place on a device: one inference at a time.
struct DeviceSlot {
  int device = -1;
  int number = -1;  // of the device's

  bool operator==(const DeviceSlot&) const = default;
};

// Which of the devices that have a free slot takes an inference.
enum class SlotPolicy {
  kDevicePriority,  // the first one
  kRoundRobin,      // the next one after that of the inference before
  kSpeed,           // the one whose inferences have been the shortest
};

// Somebody who wants a slot. It lives until it has one or is withdrawn.
class SlotWaiter {
 public:
  virtual ~SlotWaiter() = default;
  // In the thread that asks, or in that of whoever gives a slot back.
  virtual void Take(DeviceSlot slot) = 0;
  // All devices are gone, or it is withdrawn; in the same threads.
  virtual void TakeNone() = 0;
  // The one device that will do; -1: any.
  int only_device = -1;
  // The slot that it had last and gets again when it is free: the memory that
  // its inference uses is near the threads of that one.
  DeviceSlot last;
  // Set before Withdraw: it gets no slot any more, also where it comes to the
  // line only now.
  std::atomic<bool> is_withdrawn = false;
};

// Thread-safe. Waits for nothing, and calls waiters without a lock of its own.
// An inference never waits while a device that may take it has a free slot, so
// that of unequal devices each runs as many as it can.
class DeviceSlots {
 public:
  explicit DeviceSlots(SlotPolicy policy) : policy_(policy) {}

  // A device with so many slots, behind those that there are; its number.
  int AddDevice(int slots);
  // Devices in the order in which they are preferred; those that are not in it
  // take no more inferences.
  void SetOrder(std::vector<int> order);
  std::vector<int> order() const;
  // The device is lost: as SetOrder without it.
  void Remove(int device);
  // Waits until nobody has a slot of a device that takes no more inferences.
  void AwaitIdle(int device);
  // One more, or by -1 one less, is being made ready and may soon be added:
  // meanwhile waiters wait even where there is none. Only -1 calls waiters.
  void Expect(int more);
  // Whether there is a device, or one is expected.
  bool is_served() const;

  // Whether times of inferences are of use.
  bool is_timed() const { return policy_ == SlotPolicy::kSpeed; }

  void Acquire(SlotWaiter* waiter);
  // Whether it was still waiting; else it has been given a slot.
  bool Withdraw(SlotWaiter* waiter);
  // Of an inference that took so long, where that is asked for.
  void Release(DeviceSlot slot, int64_t nanoseconds);

  // All slots of devices in the order.
  int count() const;

 private:
  struct Device {
    std::vector<int> free;  // numbers of slots, the next one last
    int slots = 0;
    double mean_ns = 0;  // of late; 0: not known
  };

  std::optional<DeviceSlot> TakeFree(SlotWaiter& waiter);
  int Choose(int only_device) const;
  bool IsServed(int only_device) const;
  void GiveOut(std::unique_lock<std::mutex> lock);

  const SlotPolicy policy_;
  mutable std::mutex mutex_;  // guards what follows
  std::vector<Device> devices_;
  std::vector<int> order_;
  std::vector<SlotWaiter*> waiting_;
  int last_ = -1;  // the device of the last inference
  int expected_ = 0;
  std::condition_variable released_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_SCHEDULING_DEVICE_SLOTS_H_
