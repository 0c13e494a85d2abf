__kernel void voxel_cells(const __global float* points, __global int* cells) {
  const int i = get_global_id(0);
  cells[i] = cell_of(points[i * POINT], points[i * POINT + 1]);
}
