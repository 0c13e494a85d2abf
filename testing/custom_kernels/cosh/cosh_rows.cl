// A row and a column a work item.
__kernel void cosh_rows(const __global INPUT0_TYPE* x,
                        __global OUTPUT0_TYPE* y) {
  const int i = get_global_id(0) * INPUT0_DIMS[1] + get_global_id(1);
  y[i] = (exp(x[i]) + exp(-x[i])) / 2;
}
