// STFT, ISTFT.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/signal/signal.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/signal/fft.h"
#include "dovetail/core/reference/signal/signal.h"
#include "dovetail/core/reference/signal/spectrum.h"

namespace dovetail {
namespace {

using Complex = std::complex<double>;

// The window in the middle of a frame, zeros around it.
absl::StatusOr<std::vector<double>> FrameWindow(const KernelContext& context,
                                                int64_t frame_size) {
  std::vector<double> window;
  DOVETAIL_RETURN_IF_ERROR(ReadReal(context, context.input(1), window));
  std::vector<double> frame(frame_size, 0.0);
  const int64_t before =
      (frame_size - static_cast<int64_t>(window.size())) / 2;
  std::copy(window.begin(), window.end(), frame.begin() + before);
  return frame;
}

// Where one spectrum of [batch, frames, frequencies] or, transposed,
// [batch, frequencies, frames] keeps its numbers.
struct Layout {
  int64_t frames, frequencies;
  bool transposed;
  int64_t at(int64_t batch, int64_t frame, int64_t frequency) const {
    const int64_t inside = transposed ? frequency * frames + frame
                                      : frame * frequencies + frequency;
    return batch * frames * frequencies + inside;
  }
};

// Adds the frames of one signal, each weighted by the window again, and divides
// by the sum of squared weights. `spectrum` are pairs; `signal` zeros. Frames
// may go on behind its end.
void OverlapAdd(const std::vector<double>& spectrum, const Layout& layout,
                int64_t batch, const std::vector<double>& window,
                const Fft& fft, int64_t step, double scale,
                std::vector<double>& signal) {
  const int64_t size = static_cast<int64_t>(window.size());
  std::vector<double> weights(signal.size(), 0.0);
  std::vector<Complex> frame(size);
  const int64_t length = static_cast<int64_t>(signal.size());
  for (int64_t f = 0, begin = 0; f < layout.frames && begin < length; ++f) {
    for (int64_t k = 0; k < layout.frequencies; ++k) {
      const int64_t at = 2 * layout.at(batch, f, k);
      frame[k] = {spectrum[at], spectrum[at + 1]};
      if (k > 0) frame[size - k] = std::conj(frame[k]);
    }
    fft.Inverse(frame.data());
    for (int64_t i = 0; i < std::min(size, length - begin); ++i) {
      signal[begin + i] += frame[i].real() * window[i];
      weights[begin + i] += window[i] * window[i];
    }
    // No frame after this one begins within the signal when it is cut.
    begin += std::min(step, length);
  }
  for (size_t i = 0; i < signal.size(); ++i) {
    signal[i] = weights[i] == 0 ? 0 : signal[i] * scale / weights[i];
  }
}

// How long a signal of that many frames is; saturates.
int64_t LengthOf(int64_t frames, int64_t size, int64_t step) {
  const std::optional<int64_t> before = CheckedMultiply(frames - 1, step);
  return before.has_value()
             ? CheckedAdd(*before, size)
                   .value_or(std::numeric_limits<int64_t>::max())
             : std::numeric_limits<int64_t>::max();
}

}  // namespace

absl::Status StftKernel(KernelContext& context) {
  // Then frames may be longer than memory.
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  const int64_t size = context.input(2).ElementAsInt64(0);
  const int64_t step = context.input(3).ElementAsInt64(0);
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<double> window,
                            FrameWindow(context, size));
  std::vector<double> signal;
  DOVETAIL_RETURN_IF_ERROR(ReadReal(context, context.input(0), signal));
  const int64_t length = context.input(0).shape().back();
  const int64_t batches = length == 0 ? 0 : signal.size() / length;
  const Layout layout = {(length - size) / step + 1, size / 2 + 1,
                         context.attributes<StftAttributes>().transpose_frames};
  std::vector<double> out(context.output(0).element_count());
  const Fft fft(size);
  ParallelLoop(
      context, batches * layout.frames, size * 20,
      [&](int64_t begin, int64_t end) {
        std::vector<Complex> frame(size);
        for (int64_t i = begin; i < end; ++i) {
          const int64_t batch = i / layout.frames, f = i % layout.frames;
          const double* first = signal.data() + batch * length + f * step;
          for (int64_t k = 0; k < size; ++k) frame[k] = first[k] * window[k];
          fft.Forward(frame.data());
          for (int64_t k = 0; k < layout.frequencies; ++k) {
            const int64_t at = 2 * layout.at(batch, f, k);
            out[at] = frame[k].real();
            out[at + 1] = frame[k].imag();
          }
        }
      });
  return WriteReal(context, out, context.output(0));
}

absl::Status IstftKernel(KernelContext& context) {
  const auto& attributes = context.attributes<IstftAttributes>();
  const int64_t size = context.input(2).ElementAsInt64(0);
  const int64_t step = context.input(3).ElementAsInt64(0);
  const Shape& shape = context.input(0).shape();
  const Layout layout = {shape[shape.rank() - 2], size / 2 + 1, true};
  const int64_t batches = shape.rank() == 4 ? shape[0] : 1;
  if (layout.frames == 0) return context.Error("input 0 has no frames");
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<double> window,
                            FrameWindow(context, size));
  std::vector<double> spectrum;
  DOVETAIL_RETURN_IF_ERROR(ReadReal(context, context.input(0), spectrum));
  const int64_t margin = attributes.center ? size / 2 : 0;
  const int64_t length = context.output(0).shape().back();
  // What lies behind the end of the output need not be computed.
  const int64_t covered =
      std::min(LengthOf(layout.frames, size, step), margin + length);
  // Without a length asked for, as much is cut off at the end.
  const int64_t taken = std::min(covered - margin, length);
  const double scale =
      attributes.normalized ? std::sqrt(static_cast<double>(size)) : 1;
  const Fft fft(size);
  std::vector<double> out(context.output(0).element_count(), 0.0);
  ParallelLoop(context, batches, covered * 20, [&](int64_t begin, int64_t end) {
    for (int64_t batch = begin; batch < end; ++batch) {
      std::vector<double> signal(covered, 0.0);
      OverlapAdd(spectrum, layout, batch, window, fft, step, scale, signal);
      std::copy_n(signal.begin() + margin, taken,
                  out.begin() + batch * length);
    }
  });
  return WriteReal(context, out, context.output(0));
}

}  // namespace dovetail
