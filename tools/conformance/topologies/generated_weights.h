// Weights of test networks that a formula gives, so that no file holds them:
// numbers spread evenly over mean - scale to mean + scale, from splitmix64.
//
//   <network>/weights.tsv   tab-separated: offset size type kind mean scale
//                           seed small_offset; one row a constant
//   <network>/small.bin     the constants of kind raw
#ifndef DOVETAIL_TOOLS_CONFORMANCE_TOPOLOGIES_GENERATED_WEIGHTS_H_
#define DOVETAIL_TOOLS_CONFORMANCE_TOPOLOGIES_GENERATED_WEIGHTS_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace dovetail::conformance {

// Elements number `first` and following of a constant: with r, from -1 up to
// 1, made of 24 bits of splitmix64(seed + i), element i is mean + scale * r,
// where product and sum are rounded to float.
void GenerateWeights(float mean, float scale, uint64_t seed, uint64_t first,
                     absl::Span<float> out);

// Writes the model.bin of the network in `folder` to `path`. Bytes that no
// constant fills are zero; without `generates`, those of the generated constants
// are, too, and take no room on most disks: for who asks how a network runs, not
// what it gives. Errors name file and line.
absl::Status WriteGeneratedWeights(const std::string& folder,
                                   const std::string& path,
                                   bool generates = true);

}  // namespace dovetail::conformance

#endif  // DOVETAIL_TOOLS_CONFORMANCE_TOPOLOGIES_GENERATED_WEIGHTS_H_
