// Compilation of parts beside each other.
#ifndef DOVETAIL_BACKENDS_COMMON_PARTS_FOR_EACH_PART_H_
#define DOVETAIL_BACKENDS_COMMON_PARTS_FOR_EACH_PART_H_

#include <cstddef>
#include <functional>

#include "absl/status/status.h"

namespace dovetail {

// Runs `make` for each number below `count`, in at most as many threads as
// there are usable processors, and answers the error of the lowest number. The
// threads are made and joined here: parts may take the process's own while they
// compile.
absl::Status ForEachPart(size_t count,
                         const std::function<absl::Status(size_t)>& make);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PARTS_FOR_EACH_PART_H_
