// Random networks, for tests that compare the device with the reference
// kernels.
#ifndef DOVETAIL_TESTING_RANDOM_NETWORKS_RANDOM_NETWORK_H_
#define DOVETAIL_TESTING_RANDOM_NETWORKS_RANDOM_NETWORK_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail::random_networks {

struct RandomNetwork {
  std::string text;  // core/ops/text/parse.h
  // Shapes of all inputs, for inferences one after the other.
  std::vector<std::vector<Shape>> variants;
  // Whether values are rounded to few levels, so that results agree roughly.
  bool quantizes = false;
};

// The network of a seed, of at most `max_blocks` blocks: with fewer it is the
// beginning of the same one. `family`: only blocks of families with this in
// their names, besides inputs.
RandomNetwork MakeRandomNetwork(unsigned seed, int max_blocks,
                                absl::string_view family = "");

}  // namespace dovetail::random_networks

#endif  // DOVETAIL_TESTING_RANDOM_NETWORKS_RANDOM_NETWORK_H_
