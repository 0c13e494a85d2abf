// A first-in first-out queue that keeps its memory: once it has grown to what
// its user needs, pushing and popping allocates nothing.
#ifndef DOVETAIL_CORE_EXECUTOR_POOLS_RING_QUEUE_H_
#define DOVETAIL_CORE_EXECUTOR_POOLS_RING_QUEUE_H_

#include <cstddef>
#include <utility>
#include <vector>

namespace dovetail {

// T is default-constructible and movable. Not thread-safe.
template <typename T>
class RingQueue {
 public:
  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }

  void push(T item) {
    if (size_ == items_.size()) Grow();
    items_[(first_ + size_) % items_.size()] = std::move(item);
    ++size_;
  }

  // The oldest item, which leaves the queue; there must be one.
  T pop() {
    T item = std::exchange(items_[first_], T());
    first_ = (first_ + 1) % items_.size();
    --size_;
    return item;
  }

 private:
  void Grow() {
    std::vector<T> larger(items_.empty() ? 16 : 2 * items_.size());
    for (size_t i = 0; i < size_; ++i) {
      larger[i] = std::move(items_[(first_ + i) % items_.size()]);
    }
    items_ = std::move(larger);
    first_ = 0;
  }

  std::vector<T> items_;
  size_t first_ = 0;
  size_t size_ = 0;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_POOLS_RING_QUEUE_H_
