#include "dovetail/backends/common/scheduling/device_slots.h"

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

struct Waiter : SlotWaiter {
  void Take(DeviceSlot taken) override { slot = taken; }
  void TakeNone() override { none = true; }
  DeviceSlot slot;
  bool none = false;
};

// The devices of inferences that are asked for one after the other, and given
// back only where a list of times says so.
std::string DevicesOf(DeviceSlots& slots, int count) {
  std::string devices;
  for (int i = 0; i < count; ++i) {
    Waiter waiter;
    slots.Acquire(&waiter);
    absl::StrAppend(&devices, waiter.slot.device);
    slots.Release(waiter.slot, waiter.slot.device == 0 ? 3000 : 1000);
  }
  return devices;
}

TEST(DeviceSlotsTest, PoliciesChooseAmongFreeOnes) {
  DeviceSlots by_priority(SlotPolicy::kDevicePriority);
  DeviceSlots in_turn(SlotPolicy::kRoundRobin);
  DeviceSlots by_speed(SlotPolicy::kSpeed);
  for (DeviceSlots* slots : {&by_priority, &in_turn, &by_speed}) {
    slots->AddDevice(1);
    slots->AddDevice(1);
  }
  EXPECT_EQ(DevicesOf(by_priority, 4), "0000");
  EXPECT_EQ(DevicesOf(in_turn, 4), "0101");
  // Both are tried; then the fast one is.
  EXPECT_EQ(DevicesOf(by_speed, 5), "01111");
}

// Whatever the order in which slots are given back.
TEST(DeviceSlotsTest, AWaiterGetsTheSlotThatItHadLast) {
  DeviceSlots slots(SlotPolicy::kDevicePriority);
  slots.AddDevice(3);
  Waiter first, second;
  slots.Acquire(&first);
  slots.Acquire(&second);
  const int number_of_first = first.slot.number;
  const int number_of_second = second.slot.number;
  EXPECT_NE(number_of_first, number_of_second);
  slots.Release(first.slot, 1);
  slots.Release(second.slot, 1);
  slots.Acquire(&first);
  slots.Acquire(&second);
  EXPECT_EQ(first.slot.number, number_of_first);
  EXPECT_EQ(second.slot.number, number_of_second);
  Waiter third, fourth;
  slots.Acquire(&third);
  slots.Release(first.slot, 1);
  slots.Acquire(&fourth);  // takes what the first one had
  slots.Release(third.slot, 1);
  slots.Acquire(&first);
  EXPECT_EQ(first.slot.number, third.slot.number);
}

TEST(DeviceSlotsTest, WaitersAreServedInOrder) {
  DeviceSlots slots(SlotPolicy::kDevicePriority);
  slots.AddDevice(1);
  Waiter first, second, third;
  for (Waiter* waiter : {&first, &second, &third}) slots.Acquire(waiter);
  EXPECT_EQ(first.slot.device, 0);
  EXPECT_EQ(second.slot.device, -1);
  EXPECT_TRUE(slots.Withdraw(&second));
  slots.Release(first.slot, 1);
  EXPECT_EQ(third.slot.device, 0);
  EXPECT_FALSE(slots.Withdraw(&third));
}

// Who is withdrawn on the way to the line would stand there until somebody
// gives a slot back, which may be after it is waited for.
TEST(DeviceSlotsTest, WhoIsWithdrawnBeforeItComesGetsNothing) {
  DeviceSlots slots(SlotPolicy::kDevicePriority);
  slots.AddDevice(1);
  Waiter first, second;
  slots.Acquire(&first);
  second.is_withdrawn = true;
  EXPECT_FALSE(slots.Withdraw(&second));
  slots.Acquire(&second);
  EXPECT_TRUE(second.none);
  slots.Release(first.slot, 1);
  EXPECT_EQ(second.slot.device, -1);
}

TEST(DeviceSlotsTest, OneDeviceAloneMayBeWanted) {
  DeviceSlots slots(SlotPolicy::kDevicePriority);
  slots.AddDevice(1);
  slots.AddDevice(1);
  Waiter on_one, also, any;
  on_one.only_device = also.only_device = 1;
  slots.Acquire(&on_one);
  slots.Acquire(&also);
  slots.Acquire(&any);
  EXPECT_EQ(on_one.slot.device, 1);
  EXPECT_EQ(also.slot.device, -1) << "waits for its device";
  EXPECT_EQ(any.slot.device, 0) << "passes it by";
  slots.Remove(1);
  EXPECT_TRUE(also.none);
}

TEST(DeviceSlotsTest, TheOrderMayChange) {
  DeviceSlots slots(SlotPolicy::kDevicePriority);
  slots.AddDevice(2);
  slots.AddDevice(3);
  EXPECT_EQ(slots.count(), 5);
  slots.SetOrder({1});
  EXPECT_EQ(slots.count(), 3);
  EXPECT_EQ(DevicesOf(slots, 2), "11");
  slots.Remove(1);
  Waiter waiter;
  slots.Acquire(&waiter);
  EXPECT_TRUE(waiter.none);
}

// A late device serves those who wait already.
TEST(DeviceSlotsTest, DevicesMayCome) {
  DeviceSlots slots(SlotPolicy::kDevicePriority);
  slots.AddDevice(1);
  Waiter first, second;
  slots.Acquire(&first);
  slots.Acquire(&second);
  slots.AddDevice(1);
  EXPECT_EQ(second.slot.device, 1);
}

TEST(DeviceSlotsTest, ManyThreadsShareWithoutLoss) {
  DeviceSlots slots(SlotPolicy::kRoundRobin);
  slots.AddDevice(2);
  slots.AddDevice(1);
  struct Counting : SlotWaiter {
    void Take(DeviceSlot taken) override {
      slot = taken;
      done.store(true, std::memory_order_release);
      done.notify_one();
    }
    void TakeNone() override {}
    DeviceSlot slot;
    std::atomic<bool> done = false;
  };
  std::atomic<int> users[2] = {0, 0}, most[2] = {0, 0}, runs = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      std::vector<std::unique_ptr<Counting>> waiters;  // beyond notify_one
      for (int i = 0; i < 500; ++i) {
        waiters.push_back(std::make_unique<Counting>());
        Counting& waiter = *waiters.back();
        slots.Acquire(&waiter);
        waiter.done.wait(false);
        const int device = waiter.slot.device;
        const int now = ++users[device];
        int seen = most[device];
        while (now > seen && !most[device].compare_exchange_weak(seen, now)) {
        }
        ++runs;
        --users[device];
        slots.Release(waiter.slot, 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(runs, 2000);
  EXPECT_LE(most[0], 2);
  EXPECT_LE(most[1], 1);
}

}  // namespace
}  // namespace dovetail
