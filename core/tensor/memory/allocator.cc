#include "dovetail/core/tensor/memory/allocator.h"

#include "dovetail/core/base/process_wide.h"

namespace dovetail {
namespace {

using Scope = const std::shared_ptr<Allocator>*;

Scope& OwnScope() {
  static thread_local Scope scope = nullptr;
  return scope;
}

// One a thread, so that what a loaded plugin allocates in it counts too.
Scope& ThisScope() {
  static Scope& (*const get)() =
      ProcessWideOfThread<Scope, &OwnScope>("core/tensor allocator");
  return get();
}

}  // namespace

AllocatorScope::AllocatorScope(std::shared_ptr<Allocator> allocator)
    : allocator_(std::move(allocator)), outer_(ThisScope()) {
  ThisScope() = &allocator_;
}

AllocatorScope::~AllocatorScope() { ThisScope() = outer_; }

std::shared_ptr<Allocator> CurrentAllocator() {
  const Scope scope = ThisScope();
  return scope == nullptr ? nullptr : *scope;
}

}  // namespace dovetail
