// A model as it is compiled for several numbers of requests at once.
#ifndef DOVETAIL_BACKENDS_BATCH_BATCH_PARTS_H_
#define DOVETAIL_BACKENDS_BATCH_BATCH_PARTS_H_

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail::batch {

// For 1, 2, 4 … requests at once, by that number; null: not compiled yet.
using Parts = std::map<size_t, std::shared_ptr<const Executable>>;

// The parts for one request and for a full batch are there from the start. One
// between them is compiled in the background when it is first wanted, which
// many users never do; until then a larger one stands in. Thread-safe.
class BatchParts {
 public:
  // Compiles the part of a size; called from several threads.
  using Compile =
      std::function<absl::StatusOr<std::shared_ptr<const Executable>>(
          size_t size)>;

  // `compile` is for those of `parts` that are null; the last one is not.
  BatchParts(Parts parts, Compile compile);
  // Waits for a compilation that is under way.
  ~BatchParts();

  // The least size there is a part for, for so many requests, at most the
  // largest.
  size_t SizeFor(size_t count);
  // Of a size that SizeFor has given, or the constructor.
  const Executable& at(size_t size) const;

  size_t largest_size() const { return largest_size_; }
  const Executable& largest() const { return at(largest_size_); }

  // Compiles what is missing, and waits for it; those that could be.
  Parts All();

 private:
  void Want_(size_t size);  // with mutex_ held
  void CompileOne(size_t size);

  const Compile compile_;
  const size_t largest_size_;
  mutable std::mutex mutex_;  // guards what follows
  Parts parts_;
  std::set<size_t> wanted_;  // in the background, or tried there
  std::vector<std::thread> background_;
};

}  // namespace dovetail::batch

#endif  // DOVETAIL_BACKENDS_BATCH_BATCH_PARTS_H_
