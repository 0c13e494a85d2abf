// The device's side of the fake: what runs programs in device memory. The host
// reaches it through the queue of FakeDevice only.
#ifndef DOVETAIL_TESTING_FAKES_DEVICE_DEVICE_PROCESSOR_H_
#define DOVETAIL_TESTING_FAKES_DEVICE_DEVICE_PROCESSOR_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/testing/fakes/device/fake_memory.h"
#include "dovetail/testing/fakes/device/fake_program.h"

namespace dovetail {

// What stays on the device between the inferences of one request: the values of
// variables.
class DeviceSession {
 private:
  friend class DeviceProcessor;
  VariableValues variables_;
  VariableValues pending_;  // of a run that the host has not confirmed yet
};

// A program in device memory.
struct LoadedProgram {
  FakeProgram program;
  std::vector<FakeBuffer> constants;  // as in the program
};

// What the device writes down about one run.
struct RunReport {
  std::vector<FakeMemory::Handle> outputs;
  std::vector<int64_t> cycles;      // by command; as many as were run
  std::vector<FakeBuffer> buffers;  // own the outputs
};

class DeviceProcessor {
 public:
  // Before each command; an error ends the run.
  using Check = std::function<absl::Status(const Node& node)>;

  // After each command, on the tensors that its kernel has computed.
  using Spoil = std::function<void(const Node& node, Tensor& output)>;

  // `compute_type`: as of FakeDevice.
  DeviceProcessor(std::shared_ptr<FakeMemory> memory, ElementType compute_type)
      : memory_(std::move(memory)), compute_type_(compute_type) {}

  // What the run writes to variables holds from Commit on.
  absl::Status Run(const LoadedProgram& loaded, DeviceSession& session,
                   const std::vector<FakeMemory::Handle>& inputs,
                   const Check& check, const Spoil& spoil,
                   RunReport& report) const;

  static void Commit(DeviceSession& session);
  // A copy of a variable's value; a default Tensor when it has been reset.
  static absl::StatusOr<Tensor> ReadVariable(const DeviceSession& session,
                                             absl::string_view id);
  // Copies `value` there; a default Tensor resets.
  static absl::Status WriteVariable(DeviceSession& session,
                                    absl::string_view id, const Tensor& value);

 private:
  struct Places;
  absl::Status RunCommand(const FakeCommand& command, const Spoil& spoil,
                          VariableValues& variables, Places& places,
                          RunReport& report) const;
  absl::StatusOr<Tensor> Rounded(const Tensor& tensor) const;

  const std::shared_ptr<FakeMemory> memory_;
  const ElementType compute_type_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_FAKES_DEVICE_DEVICE_PROCESSOR_H_
