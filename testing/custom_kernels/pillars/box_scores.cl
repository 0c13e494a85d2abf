// The likeliest class of each box.
__kernel void box_scores(const __global float* logits, __global float* scores,
                         __global int* classes) {
  const int i = get_global_id(0), count = INPUT0_DIMS[1];
  int best = 0;
  for (int c = 1; c < count; ++c) {
    if (logits[i * count + c] > logits[i * count + best]) best = c;
  }
  scores[i] = sigmoid(logits[i * count + best]);
  classes[i] = best;
}
