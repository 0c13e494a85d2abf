// What control groups (version 1 or 2) say of the processor time of a process:
// its limit, and what all processes of its group have used together. Nothing
// where the system does not tell.
#ifndef DOVETAIL_CORE_EXECUTOR_CPUS_CGROUP_H_
#define DOVETAIL_CORE_EXECUTOR_CPUS_CGROUP_H_

#include <chrono>
#include <optional>
#include <string>

namespace dovetail {

// Of the process whose /proc/<pid>/cgroup is `cgroup_file`, in processors: the
// lowest of its group and all groups above. `root` is /sys/fs/cgroup.
std::optional<double> CgroupCpuLimit(const std::string& cgroup_file,
                                     const std::string& root);

// What its group has used, ever; in a container, where only the host may see
// that group, the nearest group above.
std::optional<std::chrono::nanoseconds> CgroupCpuTime(
    const std::string& cgroup_file, const std::string& root);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_CPUS_CGROUP_H_
