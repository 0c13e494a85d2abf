// Brings the device CPU into the process, by the way that the test is built
// for: it is linked in, or its library is loaded.
#ifndef DOVETAIL_TESTING_ONE_PROCESS_CPU_HERE_H_
#define DOVETAIL_TESTING_ONE_PROCESS_CPU_HERE_H_

namespace dovetail {

// Ends the program with the error when it cannot be loaded.
void BringCpuHere();

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_ONE_PROCESS_CPU_HERE_H_
