// What sources for SHAVEs may take for granted: half as a type of numbers, its
// vectors and functions, and the transfers of DMA, which a processor does by
// copying. Written for a compiler that has _Float16.
#define half _Float16
#define cl_khr_fp16 1
typedef half half2 __attribute__((ext_vector_type(2)));
typedef half half3 __attribute__((ext_vector_type(3)));
typedef half half4 __attribute__((ext_vector_type(4)));
typedef half half8 __attribute__((ext_vector_type(8)));
typedef half half16 __attribute__((ext_vector_type(16)));
#define OVL __attribute__((overloadable))

// ---- What a launch counts, and whether it goes on ----

// A number that asks the launch to stop, then four for each group: operations,
// bytes that DMA brings in and takes away, and contiguous pieces of these. A
// group runs in one thread, so that nobody else adds to its numbers.
global ulong* global dovetail_control;
void dovetail_begin(global ulong* control) { dovetail_control = control; }
global ulong* dovetail_numbers(void) {
  const size_t group =
      (get_group_id(2) * get_num_groups(1) + get_group_id(1)) *
          get_num_groups(0) +
      get_group_id(0);
  return dovetail_control + 1 + 4 * group;
}
// Stands in each loop and function of a source.
bool dovetail_go(ulong operations) {
  dovetail_numbers()[0] += operations;
  return *(volatile global ulong*)dovetail_control == 0;
}
// Asks the launch to stop where DMA cannot do what it is asked for.
bool dovetail_is_wrong(size_t from_width, size_t to_width, size_t bytes) {
  if (from_width > 0 && to_width > 0 && bytes <= 0x7fffffff) return false;
  if (bytes > 0) dovetail_control[0] = 1;
  return true;
}
void dovetail_count(bool is_in, size_t bytes, size_t pieces) {
  global ulong* const numbers = dovetail_numbers();
  numbers[is_in ? 1 : 2] += bytes;
  numbers[3] += pieces;
}

// ---- Functions of half, by way of float ----

#define DOVETAIL_ONE(name, of)                                              \
  half OVL name(half x) { return (half)of((float)x); }                      \
  half2 OVL name(half2 x) {                                                 \
    return __builtin_convertvector(of(__builtin_convertvector(x, float2)),  \
                                   half2);                                  \
  }                                                                         \
  half4 OVL name(half4 x) {                                                 \
    return __builtin_convertvector(of(__builtin_convertvector(x, float4)),  \
                                   half4);                                  \
  }                                                                         \
  half8 OVL name(half8 x) {                                                 \
    return __builtin_convertvector(of(__builtin_convertvector(x, float8)),  \
                                   half8);                                  \
  }
#define DOVETAIL_TWO(name)                                                   \
  half OVL name(half x, half y) { return (half)name((float)x, (float)y); }   \
  half2 OVL name(half2 x, half2 y) {                                         \
    return __builtin_convertvector(name(__builtin_convertvector(x, float2),  \
                                        __builtin_convertvector(y, float2)), \
                                   half2);                                   \
  }                                                                          \
  half4 OVL name(half4 x, half4 y) {                                         \
    return __builtin_convertvector(name(__builtin_convertvector(x, float4),  \
                                        __builtin_convertvector(y, float4)), \
                                   half4);                                   \
  }                                                                          \
  half8 OVL name(half8 x, half8 y) {                                         \
    return __builtin_convertvector(name(__builtin_convertvector(x, float8),  \
                                        __builtin_convertvector(y, float8)), \
                                   half8);                                   \
  }
DOVETAIL_ONE(exp, exp)
DOVETAIL_ONE(exp2, exp2)
DOVETAIL_ONE(log, log)
DOVETAIL_ONE(log2, log2)
DOVETAIL_ONE(sqrt, sqrt)
DOVETAIL_ONE(rsqrt, rsqrt)
DOVETAIL_ONE(sin, sin)
DOVETAIL_ONE(cos, cos)
DOVETAIL_ONE(tanh, tanh)
DOVETAIL_ONE(fabs, fabs)
DOVETAIL_ONE(floor, floor)
DOVETAIL_ONE(ceil, ceil)
DOVETAIL_ONE(round, round)
DOVETAIL_ONE(rint, rint)
DOVETAIL_ONE(trunc, trunc)
DOVETAIL_ONE(half_exp, exp)
DOVETAIL_ONE(half_log, log)
DOVETAIL_ONE(half_sqrt, sqrt)
DOVETAIL_ONE(half_rsqrt, rsqrt)
DOVETAIL_ONE(native_exp, exp)
DOVETAIL_ONE(native_log, log)
DOVETAIL_ONE(native_sqrt, sqrt)
DOVETAIL_ONE(native_rsqrt, rsqrt)
DOVETAIL_TWO(fmin)
DOVETAIL_TWO(fmax)
DOVETAIL_TWO(pow)
DOVETAIL_TWO(fmod)
#define DOVETAIL_ORDER(type)                                             \
  type OVL min(type x, type y) { return fmin(x, y); }                    \
  type OVL max(type x, type y) { return fmax(x, y); }                    \
  type OVL clamp(type x, type low, type high) {                          \
    return fmin(fmax(x, low), high);                                     \
  }                                                                      \
  type OVL mad(type x, type y, type z) { return x * y + z; }            \
  type OVL fma(type x, type y, type z) { return x * y + z; }
DOVETAIL_ORDER(half)
DOVETAIL_ORDER(half2)
DOVETAIL_ORDER(half4)
DOVETAIL_ORDER(half8)
half OVL clamp(half x, float low, float high) {
  return (half)clamp((float)x, low, high);
}

#define DOVETAIL_CONVERT(n)                                             \
  half##n OVL convert_half##n(float##n x) {                             \
    return __builtin_convertvector(x, half##n);                         \
  }                                                                     \
  half##n OVL convert_half##n(int##n x) {                               \
    return __builtin_convertvector(x, half##n);                         \
  }                                                                     \
  half##n OVL convert_half##n(uchar##n x) {                             \
    return __builtin_convertvector(x, half##n);                         \
  }                                                                     \
  float##n OVL convert_float##n(half##n x) {                            \
    return __builtin_convertvector(x, float##n);                        \
  }                                                                     \
  int##n OVL convert_int##n(half##n x) {                                \
    return __builtin_convertvector(x, int##n);                          \
  }
#define DOVETAIL_LOAD(n, space)                              \
  half##n OVL vload##n(size_t i, const space half* p) {      \
    half##n v;                                               \
    for (int k = 0; k < n; ++k) v[k] = p[i * n + k];         \
    return v;                                                \
  }
#define DOVETAIL_STORE(n, space)                             \
  void OVL vstore##n(half##n v, size_t i, space half* p) {   \
    for (int k = 0; k < n; ++k) p[i * n + k] = v[k];         \
  }
#define DOVETAIL_MEMORY(n)       \
  DOVETAIL_LOAD(n, global)       \
  DOVETAIL_LOAD(n, local)        \
  DOVETAIL_LOAD(n, private)      \
  DOVETAIL_STORE(n, global)      \
  DOVETAIL_STORE(n, local)       \
  DOVETAIL_STORE(n, private)
DOVETAIL_CONVERT(2)
DOVETAIL_CONVERT(4)
DOVETAIL_CONVERT(8)
DOVETAIL_MEMORY(2)
DOVETAIL_MEMORY(4)
DOVETAIL_MEMORY(8)
half OVL convert_half(float x) { return (half)x; }
half OVL convert_half(int x) { return (half)x; }
float OVL convert_float(half x) { return (float)x; }
int OVL convert_int(half x) { return (int)x; }

// The sum of the lanes, in one instruction of a SHAVE.
half __builtin_shave_sau_sumx_f16_r(half8 x) {
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += x[i];
  return (half)sum;
}

// ---- DMA ----

typedef uint WorkGroupDmaEvent;
typedef uint WorkItemDmaEvent;
#define WaitWorkItemDmaEvents(count, events) ((void)(events))

// Transfers from one kind of memory to another. Lines of `from_width` bytes
// every `from_stride` go to lines of `to_width` every `to_stride`, until `bytes`
// are done; planes of such lines. What comes from global memory comes in, and
// all else goes out. Transfers of a work group are for side kernels, which one
// item of the group runs. Copies of a group are for all of its items together,
// with gaps in bytes.
#define DOVETAIL_DMA(source, target, is_in)                                    \
  void OVL dovetail_lines(const source char* from, target char* to,            \
                          size_t from_width, size_t to_width,                  \
                          size_t from_stride, size_t to_stride,                \
                          size_t bytes) {                                      \
    size_t pieces = bytes > 0;                                                 \
    size_t from_left = from_width, to_left = to_width;                         \
    if (dovetail_is_wrong(from_width, to_width, bytes)) return;                \
    for (size_t i = 0; i < bytes; ++i) {                                       \
      if (from_left == 0) {                                                    \
        from += from_stride - from_width;                                      \
        from_left = from_width;                                                \
      }                                                                        \
      if (to_left == 0) {                                                      \
        to += to_stride - to_width;                                            \
        to_left = to_width;                                                    \
      }                                                                        \
      const bool skips = (from_left == from_width && from_width != from_stride) || \
                         (to_left == to_width && to_width != to_stride);       \
      pieces += i > 0 && skips;                                                \
      *to++ = *from++;                                                         \
      --from_left;                                                             \
      --to_left;                                                               \
    }                                                                          \
    dovetail_count(is_in, bytes, pieces);                                      \
  }                                                                            \
  uint OVL WorkItemDmaCreateStrideTransaction(                                 \
      const source void* from, target void* to, size_t from_width,             \
      size_t to_width, size_t from_stride, size_t to_stride, size_t bytes,     \
      uint event) {                                                            \
    dovetail_lines((const source char*)from, (target char*)to, from_width,     \
                   to_width, from_stride, to_stride, bytes);                   \
    return event;                                                              \
  }                                                                            \
  uint OVL WorkItemDmaCreateTransaction(const source void* from,               \
                                        target void* to, size_t bytes,         \
                                        uint event) {                          \
    dovetail_lines((const source char*)from, (target char*)to, bytes, bytes,   \
                   bytes, bytes, bytes);                                       \
    return event;                                                              \
  }                                                                            \
  uint OVL WorkGroupDmaCreate3DTransaction(                                    \
      const source void* from, target void* to, size_t from_width,             \
      size_t to_width, size_t from_stride, size_t to_stride, size_t planes,    \
      size_t from_plane_stride, size_t to_plane_stride, size_t plane_bytes,    \
      uint event) {                                                            \
    for (size_t plane = 0; plane < planes; ++plane) {                          \
      dovetail_lines((const source char*)from + plane * from_plane_stride,     \
                     (target char*)to + plane * to_plane_stride, from_width,   \
                     to_width, from_stride, to_stride, plane_bytes);           \
    }                                                                          \
    return event;                                                              \
  }                                                                            \
  event_t OVL dovetail_group_copy(                                             \
      target char* to, const source char* from, size_t line, size_t lines,     \
      size_t from_gap, size_t to_gap, size_t planes, size_t from_plane_gap,    \
      size_t to_plane_gap, event_t event) {                                    \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                       \
    if (get_local_id(0) + get_local_id(1) + get_local_id(2) == 0) {            \
      for (size_t plane = 0; plane < planes; ++plane) {                        \
        for (size_t i = 0; i < lines; ++i) {                                   \
          for (size_t k = 0; k < line; ++k) to[k] = from[k];                   \
          from += line + from_gap;                                             \
          to += line + to_gap;                                                 \
        }                                                                      \
        from += from_plane_gap;                                                \
        to += to_plane_gap;                                                    \
      }                                                                        \
      dovetail_count(is_in, line * lines * planes,                             \
                     from_gap + to_gap + from_plane_gap + to_plane_gap == 0    \
                         ? 1                                                   \
                         : lines * planes);                                    \
    }                                                                          \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                       \
    return event;                                                              \
  }
DOVETAIL_DMA(global, global, false)
DOVETAIL_DMA(global, local, true)
DOVETAIL_DMA(global, private, true)
DOVETAIL_DMA(local, global, false)
DOVETAIL_DMA(local, local, false)
DOVETAIL_DMA(local, private, false)
DOVETAIL_DMA(private, global, false)
DOVETAIL_DMA(private, local, false)
DOVETAIL_DMA(private, private, false)
#define WorkGroupDmaCreateStrideTransaction WorkItemDmaCreateStrideTransaction
#define WorkGroupDmaCreateTransaction WorkItemDmaCreateTransaction

const global char* OVL dovetail_bytes(const global void* p) {
  return (const global char*)p;
}
const local char* OVL dovetail_bytes(const local void* p) {
  return (const local char*)p;
}
global char* OVL dovetail_bytes(global void* p) { return (global char*)p; }
local char* OVL dovetail_bytes(local void* p) { return (local char*)p; }

#undef async_work_group_copy
#undef wait_group_events
#define DOVETAIL_GROUP(to, from, line, lines, from_gap, to_gap, planes,      \
                       from_plane_gap, to_plane_gap, event)                  \
  dovetail_group_copy(dovetail_bytes(to), dovetail_bytes(from),              \
                      (line) * sizeof(*(to)), lines,                         \
                      (from_gap) * sizeof(*(to)), (to_gap) * sizeof(*(to)),  \
                      planes, (from_plane_gap) * sizeof(*(to)),              \
                      (to_plane_gap) * sizeof(*(to)), event)
#define async_work_group_copy_2D2D(to, from, line, lines, from_gap, to_gap, \
                                   event)                                   \
  DOVETAIL_GROUP(to, from, line, lines, from_gap, to_gap, 1, 0, 0, event)
#define async_work_group_copy_3D3D(to, from, line, lines, from_gap, to_gap, \
                                   planes, from_plane_gap, to_plane_gap,    \
                                   event)                                   \
  DOVETAIL_GROUP(to, from, line, lines, from_gap, to_gap, planes,           \
                 from_plane_gap, to_plane_gap, event)
#define async_work_group_copy(to, from, count, event) \
  DOVETAIL_GROUP(to, from, count, 1, 0, 0, 1, 0, 0, event)
#define wait_group_events(count, events) \
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
