// How one run of updates and what is there become one: what all scatters share.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_SCATTER_UPDATE_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_SCATTER_UPDATE_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace dovetail::host {

enum class ScatterOp { kReplace, kSum, kSub, kProd, kMin, kMax };

// The elements that are combined; those that replace others are bytes of any
// type.
enum class ScatterType { kBytes, kF32, kI32, kI64 };

struct ScatterUpdate {
  ScatterOp op = ScatterOp::kReplace;
  ScatterType type = ScatterType::kBytes;
};

// Runs of a size that is known: the copy is one instruction.
template <int kBytes>
struct ReplaceFixed {
  void operator()(char* to, const char* from, int64_t) const {
    std::memcpy(to, from, kBytes);
  }
};
struct ReplaceAny {
  void operator()(char* to, const char* from, int64_t bytes) const {
    std::memcpy(to, from, bytes);
  }
};

// As the reference kernels combine them; integers wrap.
template <typename T>
struct CombineWith {
  using Number =
      std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                         std::enable_if<true, T>>;
  using N = typename Number::type;

  void operator()(char* to, const char* from, int64_t bytes) const {
    T* const there = reinterpret_cast<T*>(to);
    const T* const update = reinterpret_cast<const T*>(from);
    const int64_t count = bytes / static_cast<int64_t>(sizeof(T));
    switch (op) {
      case ScatterOp::kReplace:
        return Each(there, update, count, [](T, T b) { return b; });
      case ScatterOp::kSum:
        return Each(there, update, count, [](N a, N b) { return a + b; });
      case ScatterOp::kSub:
        return Each(there, update, count, [](N a, N b) { return a - b; });
      case ScatterOp::kProd:
        return Each(there, update, count, [](N a, N b) { return a * b; });
      case ScatterOp::kMin:
        return Each(there, update, count,
                    [](T a, T b) { return std::min(a, b); });
      case ScatterOp::kMax:
        return Each(there, update, count,
                    [](T a, T b) { return std::max(a, b); });
    }
  }

  template <typename F>
  static void Each(T* there, const T* update, int64_t count, F combine) {
    for (int64_t i = 0; i < count; ++i) {
      there[i] = static_cast<T>(combine(there[i], update[i]));
    }
  }

  ScatterOp op;
};

// Calls `f` with a function (to, from, bytes) for runs that all have
// `run_bytes`; 0: of any sizes.
template <typename F>
auto WithUpdate(const ScatterUpdate& update, int64_t run_bytes, F f) {
  if (update.op == ScatterOp::kReplace) {
    switch (run_bytes) {
      case 1:
        return f(ReplaceFixed<1>());
      case 2:
        return f(ReplaceFixed<2>());
      case 4:
        return f(ReplaceFixed<4>());
      case 8:
        return f(ReplaceFixed<8>());
      default:
        return f(ReplaceAny());
    }
  }
  switch (update.type) {
    case ScatterType::kF32:
      return f(CombineWith<float>{update.op});
    case ScatterType::kI32:
      return f(CombineWith<int32_t>{update.op});
    case ScatterType::kI64:
      return f(CombineWith<int64_t>{update.op});
    case ScatterType::kBytes:
      break;
  }
  return f(ReplaceAny());  // bytes can only be replaced
}

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_SCATTER_UPDATE_H_
