// Says what is wrong with the traces in files; 1 when something is.
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "dovetail/tools/profiling/trace_check.h"

int main(int argc, char** argv) {
  bool is_right = argc > 1;
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i]);
    const auto trace =
        nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
    if (trace.is_discarded()) {
      std::cerr << argv[i] << ": no JSON\n";
      is_right = false;
      continue;
    }
    for (const std::string& problem :
         dovetail::profiling::TraceProblems(trace)) {
      std::cerr << argv[i] << ": " << problem << "\n";
      is_right = false;
    }
  }
  return is_right ? 0 : 1;
}
