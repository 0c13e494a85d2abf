// The fake device's memory: an address space of its own. The host has handles,
// and bytes only get in and out by copies; nothing that it holds points there.
#ifndef DOVETAIL_TESTING_FAKES_DEVICE_FAKE_MEMORY_H_
#define DOVETAIL_TESTING_FAKES_DEVICE_FAKE_MEMORY_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Thread-safe.
class FakeMemory {
 public:
  // Never given twice; 0 is no buffer.
  using Handle = int64_t;
  struct BufferInfo {
    ElementType type = ElementType::kDynamic;
    Shape shape;
  };

  explicit FakeMemory(int64_t bytes) : size_(bytes) {}

  // ---- What the host may do ----

  // A new buffer with a copy of the elements. kResourceExhausted says how much
  // was asked for and how much is left.
  absl::StatusOr<Handle> Upload(const Tensor& host);
  // Copies a buffer's elements out; type and shape must be the buffer's.
  absl::Status Download(Handle handle, const Tensor& host) const;
  // A new buffer of zeros. Errors as Upload.
  absl::StatusOr<Handle> Allocate(ElementType type, const Shape& shape);
  // Has the device copy one buffer into another of its type and shape.
  absl::Status Copy(Handle from, Handle to) const;
  // kNotFound for a handle that is not in use, such as a freed one.
  absl::StatusOr<BufferInfo> Describe(Handle handle) const;
  // A handle that is not in use is passed over.
  void Free(Handle handle);

  int64_t size() const { return size_; }
  int64_t left() const;
  // How often Upload and Download were called.
  int64_t host_copies() const { return host_copies_.load(); }

 private:
  // ---- What the device itself may do ----

  friend class DeviceProcessor;
  absl::StatusOr<Tensor> Read(Handle handle) const;
  // Takes memory over that the device has computed into. Errors as Upload.
  absl::StatusOr<Handle> Adopt(Tensor tensor);
  absl::Status CheckRoom(int64_t bytes) const;

  const int64_t size_;
  mutable std::atomic<int64_t> host_copies_ = 0;
  mutable std::mutex mutex_;  // guards what follows
  int64_t used_ = 0;
  Handle last_ = 0;
  std::map<Handle, Tensor> buffers_;
};

// Owns one buffer.
class FakeBuffer {
 public:
  FakeBuffer() = default;
  FakeBuffer(std::shared_ptr<FakeMemory> memory,
               FakeMemory::Handle handle)
      : memory_(std::move(memory)), handle_(handle) {}
  FakeBuffer(FakeBuffer&& other) noexcept
      : memory_(std::move(other.memory_)),
        handle_(std::exchange(other.handle_, 0)) {}
  FakeBuffer& operator=(FakeBuffer&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~FakeBuffer() {
    if (memory_ != nullptr) memory_->Free(handle_);
  }

  FakeMemory::Handle handle() const { return handle_; }

 private:
  std::shared_ptr<FakeMemory> memory_;
  FakeMemory::Handle handle_ = 0;
};

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_FAKES_DEVICE_FAKE_MEMORY_H_
