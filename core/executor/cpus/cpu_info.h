// Count of the processors that this process may use: less than the machine has
// in a container or under taskset.
#ifndef DOVETAIL_CORE_EXECUTOR_CPUS_CPU_INFO_H_
#define DOVETAIL_CORE_EXECUTOR_CPUS_CPU_INFO_H_

#include <optional>
#include <string>

namespace dovetail {

// The processors in the process's affinity mask, and no more than the cgroup's
// quota of time allows, rounded up; at least 1. Asked anew at each call.
int UsableCpus();

// "Intel(R) Xeon(R) …" as the system names the processor; "" when it does not.
std::string CpuModelName();

// The processor's greatest clock, in 10^9 per second, by what the system tells
// under `root` (/sys/devices); in a virtual machine, where that says nothing,
// the clock that it has now. 0 when nobody can say.
double CpuGigahertz(const std::string& root);

// The processor's temperature in degrees Celsius, the highest of its sensors
// under `root` (/sys/class/thermal); nothing where it has none, as in most
// virtual machines.
std::optional<double> CpuTemperature(const std::string& root);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_CPUS_CPU_INFO_H_
