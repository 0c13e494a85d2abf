// The processor time of all processes that are in a cgroup together.
#ifndef DOVETAIL_CORE_EXECUTOR_QUOTA_CGROUP_TIME_H_
#define DOVETAIL_CORE_EXECUTOR_QUOTA_CGROUP_TIME_H_

#include <chrono>
#include <optional>
#include <string>

namespace dovetail {

// What the group (version 1 or 2) of the process whose /proc/<pid>/cgroup is
// `cgroup_file` has used, ever; nothing where the system does not tell. `root`
// is /sys/fs/cgroup.
std::optional<std::chrono::nanoseconds> CgroupCpuTime(
    const std::string& cgroup_file, const std::string& root);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_QUOTA_CGROUP_TIME_H_
