// All sequences, one behind another. Time steps are the slowest axis; the last
// class is the blank.
__kernel void ctc_greedy(__global const half* restrict probabilities,
                         __global const half* restrict mask,
                         __global half* restrict out, int classes, int batch,
                         int times, int merges) {
  for (int n = 0; n < batch; ++n) {
    int count = 0, previous = -1;
    for (int t = 0; t < times && mask[t * batch + n] != (half)0; ++t) {
      __global const half* const scores =
          probabilities + (t * batch + n) * classes;
      int best = 0;
      for (int c = 1; c < classes; ++c) {
        if (scores[c] > scores[best]) best = c;
      }
      if (best != classes - 1 && !(merges && best == previous)) {
        out[n * times + count++] = (half)best;
      }
      previous = best;
    }
    while (count < times) out[n * times + count++] = (half)-1;
  }
}
