// Decompositions of Fourier transforms.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_SIGNAL_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_SIGNAL_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// DFT, IDFT, RDFT, IRDFT: products with constant matrices.
absl::Span<const NodeRule> FourierDecompositions();
// STFT, ISTFT: the former of frames.
absl::Span<const NodeRule> FrameDecompositions();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_SIGNAL_RULES_H_
