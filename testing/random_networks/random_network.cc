#include "dovetail/testing/random_networks/random_network.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "dovetail/testing/random_networks/families/families.h"
#include "dovetail/testing/random_networks/network_writer.h"

namespace dovetail::random_networks {
namespace {

struct Family {
  const char* name;
  void (*add)(NetworkWriter&);
};

constexpr Family kFamilies[] = {
    {"input", &AddInput},
    {"window", &AddWindow},
    {"channels", &AddChannels},
    {"quantized", &AddQuantized},
    {"elementwise", &AddElementwise},
    {"normalization", &AddNormalization},
    {"product", &AddProduct},
    {"attention", &AddAttention},
    {"movement", &AddMovement},
    {"recurrence", &AddRecurrence},
    {"body", &AddBody},
    {"state", &AddState},
    {"data_shape", &AddDataShape},
};

// The families that a network is made of: a few, so that their blocks meet.
std::vector<Family> Choose(NetworkWriter& writer, absl::string_view wanted) {
  std::vector<Family> chosen;
  for (const Family& family : kFamilies) {
    const bool in = writer.OneIn(3);
    if (wanted.empty() ? in : absl::StrContains(family.name, wanted)) {
      chosen.push_back(family);
    }
  }
  if (chosen.empty()) chosen = {kFamilies[1], kFamilies[6]};
  return chosen;
}

}  // namespace

RandomNetwork MakeRandomNetwork(unsigned seed, int max_blocks,
                                absl::string_view family) {
  NetworkWriter writer(seed);
  const std::vector<Family> families = Choose(writer, family);
  const int blocks = std::min(writer.From(2, 14), max_blocks);
  RandomNetwork network;
  for (int i = writer.From(1, 3); i > 0; --i) AddInput(writer);
  for (int i = 0; i < blocks; ++i) {
    const int last = static_cast<int>(families.size()) - 1;
    families[writer.From(0, last)].add(writer);
  }
  network.text = writer.Finish();
  network.variants = writer.variants();
  network.quantizes = absl::StrContains(network.text, "FakeQuantize");
  return network;
}

}  // namespace dovetail::random_networks
