// Boxes with score and class; zeros where there is no candidate.
__kernel void box_gather(const __global float* boxes,
                         const __global float* scores,
                         const __global int* classes,
                         const __global INPUT3_TYPE* candidates,
                         __global float* y) {
  const int i = get_global_id(0), at = candidates[i];
  y += i * OUTPUT0_DIMS[1];
  for (int k = 0; k < BOX; ++k) y[k] = at < 0 ? 0 : boxes[at * BOX + k];
  y[BOX] = at < 0 ? 0 : scores[at];
  y[BOX + 1] = at < 0 ? 0 : classes[at];
}
