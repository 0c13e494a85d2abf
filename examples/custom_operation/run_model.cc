// Runs a model with the sample's operations: run_model FILE.xml [LIBRARY.so]
//
// With a library they come from there, else from the program itself.

#include <iostream>
#include <string>

#include "dovetail/dovetail.h"
#include "sample_operations.h"

namespace {

void Print(const char* name, const dovetail::Tensor& tensor) {
  std::cout << name << ":";
  for (double value : dovetail::ToDoubleVector(tensor)) {
    std::cout << " " << value;
  }
  std::cout << "\n";
}

absl::Status Run(int argc, char** argv) {
  dovetail::Core core;
  absl::Status added = argc > 2 ? core.AddExtension(argv[2])
                                : core.AddExtension(SampleOperations());
  if (!added.ok()) return added;

  auto model = core.Compile(argv[1], "REFERENCE");
  if (!model.ok()) return model.status();
  auto request = model->NewRequest();
  if (!request.ok()) return request.status();
  auto x = dovetail::Tensor::FromDoubles(dovetail::ElementType::kF32, {5},
                                         {-1, 0.25, 1, 2, 3});
  if (!x.ok()) return x.status();
  if (auto s = request->SetInput("x", *x); !s.ok()) return s;
  if (auto s = request->Infer(); !s.ok()) return s;
  auto kept = request->Output("kept");
  if (!kept.ok()) return kept.status();
  auto places = request->Output("places");
  if (!places.ok()) return places.status();
  Print("kept", *kept);
  Print("places", *places);
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: run_model FILE.xml [LIBRARY.so]\n";
    return 1;
  }
  const absl::Status status = Run(argc, argv);
  if (status.ok()) return 0;
  std::cerr << "run_model: " << status.message() << "\n";
  return 1;
}
