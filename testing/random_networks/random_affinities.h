// Random devices for the layers of a model.
#ifndef DOVETAIL_TESTING_RANDOM_NETWORKS_RANDOM_AFFINITIES_H_
#define DOVETAIL_TESTING_RANDOM_NETWORKS_RANDOM_AFFINITIES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/runtime/runtime.h"

namespace dovetail::random_networks {

// Gives most layers an "affinity" to one of the devices that run them; runs of
// some length stay on one device. The same seed gives the same ones. All
// between a variable's ReadValue and its Assign are of one device, as they have
// to be, where one runs all of them; else they get none.
absl::Status SetRandomAffinities(const Core& core,
                                 const std::vector<std::string>& devices,
                                 unsigned seed, Model& model);

}  // namespace dovetail::random_networks

#endif  // DOVETAIL_TESTING_RANDOM_NETWORKS_RANDOM_AFFINITIES_H_
