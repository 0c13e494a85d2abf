// Reorders of weights, of which each thread makes a part.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_PARTED_REORDER_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_PARTED_REORDER_H_

#include <cstddef>
#include <cstdint>

#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

// Copies a tensor from one layout to another, in this thread alone. Throws like
// all of oneDNN.
void Reorder(const dnnl::memory::desc& from, const void* source,
             const dnnl::memory::desc& to, void* destination);

// The same in parts of the dimension whose elements lie farthest apart in the
// source, so that a part of the source is one run of bytes. One part where one
// of them is no dense tensor, as packed integers with sums behind them are not.
class PartedReorder {
 public:
  // Throws like all of oneDNN.
  PartedReorder(const dnnl::memory::desc& from, const dnnl::memory::desc& to);

  // At least 1.
  int parts() const { return parts_; }
  // The source may lie at any address: what is not aligned for its type is
  // copied, a part at a time. Parts may run at once. Throws std::bad_alloc as
  // well.
  void Run(const void* source, void* destination, int part) const;

 private:
  void RunPart(const dnnl::memory::desc& from, const char* source, size_t bytes,
               const dnnl::memory::desc& to, void* destination) const;

  dnnl::memory::desc from_, to_;
  int axis_ = 0, parts_ = 1;
  int64_t apart_ = 0;   // bytes between elements of the source along the axis
  int64_t length_ = 0;  // of a part along the axis; the last one may be shorter
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_PARTED_REORDER_H_
