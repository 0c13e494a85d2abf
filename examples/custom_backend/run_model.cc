// Runs a model of one input on the device SAMPLE, which is linked:
// run_model FILE.xml

#include <iostream>

#include "dovetail/dovetail.h"

namespace {

absl::Status Run(const char* path) {
  dovetail::Core core;
  auto model = core.Compile(path, "SAMPLE");
  if (!model.ok()) return model.status();
  auto request = model->NewRequest();
  if (!request.ok()) return request.status();
  if (auto s = request->Infer(); !s.ok()) return s;  // all inputs are zero
  auto output = request->Output(0);
  if (!output.ok()) return output.status();
  std::cout << output->ToString() << "\n";
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: run_model FILE.xml\n";
    return 1;
  }
  const absl::Status status = Run(argv[1]);
  if (status.ok()) return 0;
  std::cerr << "run_model: " << status.message() << "\n";
  return 1;
}
