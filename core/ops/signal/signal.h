// Discrete Fourier transforms: DFT, IDFT, RDFT, IRDFT, STFT, ISTFT. Complex
// numbers are pairs (real, imaginary) in a last axis of extent 2.
#ifndef DOVETAIL_CORE_OPS_SIGNAL_SIGNAL_H_
#define DOVETAIL_CORE_OPS_SIGNAL_SIGNAL_H_

#include <cstdint>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct StftAttributes : public AttributesOf<StftAttributes> {
  // Whether frequencies come before frames in the output.
  bool transpose_frames = false;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("transpose_frames", transpose_frames);
  }
};

struct IstftAttributes : public AttributesOf<IstftAttributes> {
  // Whether the signal was padded by half a frame at both ends.
  bool center = false;
  // Whether the spectrum was divided by the root of the frame size.
  bool normalized = false;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("center", center);
    visitor.Visit("normalized", normalized);
  }
};

// Inputs of the first four: data, axes, and, optionally, the extents along
// these axes that data is cut or padded to first (-1: as it is).

// DFT and IDFT: complex in and out.
absl::Status InferDft(InferContext& context);
// Real in, complex out: n / 2 + 1 numbers along the last of the axes.
absl::Status InferRdft(InferContext& context);
// The reverse: 2 (n - 1) numbers, or as many as asked for.
absl::Status InferIrdft(InferContext& context);

// Inputs: signal [length] or [batch, length], window, frame size, frame step.
absl::Status InferStft(InferContext& context);
// Inputs: spectrum [batch, frequencies, frames, 2] or without the batch,
// window, frame size, frame step, and, optionally, the signal's length.
absl::Status InferIstft(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_SIGNAL_SIGNAL_H_
