// A channel an item, by copies of DMA.
__kernel void shuffle(__global const half* restrict src,
                      __global half* restrict dst, int channels, int height,
                      int width, int groups) {
  const int c = get_global_id(0), plane = height * width;
  const int from = (c % groups) * (channels / groups) + c / groups;
  WorkItemDmaEvent event = WorkItemDmaCreateTransaction(
      src + from * plane, dst + c * plane, plane * sizeof(half), 0);
  WaitWorkItemDmaEvents(1, &event);
}
