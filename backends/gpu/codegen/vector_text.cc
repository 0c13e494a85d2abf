#include "dovetail/backends/gpu/codegen/vector_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/registers.h"
#include "dovetail/backends/gpu/codegen/types.h"

namespace dovetail::gpu {
namespace {

// In all of them $N is the number of lanes, $V a vector of them, $T what is in
// memory, $S the suffix, $LOAD(i, p) and $STORE(v, i, p) of one element.
constexpr char kHalf[] = R"(
inline void store_floats$N_half($V v, __global half* to) {
  const $V limited = min(max(v, -65504.0f), 65504.0f);
  $VSTORE(fabs(v) < INFINITY ? limited : v, 0, to);
}
)";

constexpr char kScalar[] = R"(
inline float load_lanes1$S(const __global $T* from, int left) {
  return left > 0 ? $LOAD(0, from) : 0.0f;
}
inline void store_lanes1$S(float v, __global $T* to, int left) {
  if (left > 0) $STORE(v, 0, to);
}
)";

constexpr char kVector[] = R"(
inline $V load_lanes$N$S(const __global $T* from, int left) {
  if (left >= $N) return $LOADS(from);
  float lanes[$N];
  for (int i = 0; i < $N; ++i) lanes[i] = i < left ? $LOAD(i, from) : 0.0f;
  return vload$N(0, lanes);
}
inline void store_lanes$N$S($V v, __global $T* to, int left) {
  if (left >= $N) {
    $STORES(v, to);
    return;
  }
  float lanes[$N];
  vstore$N(v, 0, lanes);
  for (int i = 0; i < left; ++i) $STORE(lanes[i], i, to);
}
)";

constexpr char kKeepScalar[] = R"(
inline float keep_lanes1(float v, int left) { return left > 0 ? v : 0.0f; }
)";

// $0: the number of lanes, $1: their numbers. Chosen by a mask, as loops that
// store many vectors would spend as long on branches.
constexpr char kKeep[] = R"(
inline float$0 keep_lanes$0(float$0 v, int left) {
  return select((float$0)(0.0f), v, (int$0)($1) < left);
}
)";

constexpr char kScalarStep[] = R"(
inline float load_step1$S(const __global $T* from, int step) {
  return $LOAD(0, from);
}
inline void store_step1$S(float v, __global $T* to, int step) {
  $STORE(v, 0, to);
}
)";

constexpr char kVectorStep[] = R"(
inline $V load_step$N$S(const __global $T* from, int step) {
  if (step == 1) return $LOADS(from);
  float lanes[$N];
  for (int i = 0; i < $N; ++i) lanes[i] = $LOAD(i * step, from);
  return vload$N(0, lanes);
}
inline void store_step$N$S($V v, __global $T* to, int step) {
  if (step == 1) {
    $STORES(v, to);
    return;
  }
  float lanes[$N];
  vstore$N(v, 0, lanes);
  for (int i = 0; i < $N; ++i) $STORE(lanes[i], i * step, to);
}
)";

// A function's text with its names.
std::string Stored(absl::string_view text, ElementType stored, int lanes) {
  return absl::StrReplaceAll(
      text, {{"$LOADS(from)", LoadFloats(stored, "from", lanes)},
             {"$STORES(v, to)", StoreFloats(stored, "v", "to", lanes)},
             {"$LOAD(0, from)", LoadFloat(stored, "from", "0")},
             {"$LOAD(i, from)", LoadFloat(stored, "from", "i")},
             {"$LOAD(i * step, from)", LoadFloat(stored, "from", "i * step")},
             {"$STORE(v, 0, to)", StoreFloats(stored, "v", "to", 1)},
             {"$STORE(lanes[i], i, to)",
              StoreFloats(stored, "lanes[i]", "to + i", 1)},
             {"$STORE(lanes[i], i * step, to)",
              StoreFloats(stored, "lanes[i]", "to + i * step", 1)},
             {"$V", FloatVector(lanes)},
             {"$N", absl::StrCat(lanes)},
             {"$T", ClType(stored)},
             {"$S", StorageSuffix(stored)}});
}

}  // namespace

std::string FloatVector(int lanes) { return ClVector("float", lanes); }

absl::string_view StorageSuffix(ElementType stored) {
  return stored == ElementType::kF16 ? "_half" : "";
}

std::string LoadFloats(ElementType stored, absl::string_view pointer, int lanes,
                       bool aligned) {
  if (aligned && stored == ElementType::kF32 && lanes > 1) {
    return absl::StrCat("*(const __global ", FloatVector(lanes), "*)(", pointer,
                        ")");
  }
  return LoadText(stored, pointer, lanes);
}

std::string LoadFloat(ElementType stored, absl::string_view array,
                      absl::string_view index) {
  return LoadText(stored, absl::StrCat(array, " + ", index), 1);
}

std::string StoreFloats(ElementType stored, absl::string_view value,
                        absl::string_view pointer, int lanes, bool aligned) {
  if (stored == ElementType::kF16) {
    return absl::StrCat("store_floats", lanes, "_half(", value, ", ", pointer,
                        ")");
  }
  if (lanes == 1) return absl::StrCat("*(", pointer, ") = (", value, ")");
  if (aligned) {
    return absl::StrCat("*(__global ", FloatVector(lanes), "*)(", pointer,
                        ") = ", value);
  }
  return absl::StrCat("vstore", lanes, "(", value, ", 0, ", pointer, ")");
}

void AddFloatFunctions(ElementType stored, int lanes, KernelWriter& writer) {
  if (stored != ElementType::kF16) return;
  const auto add = [&](int count) {
    writer.Helper(
        absl::StrReplaceAll(kHalf, {{"$N", absl::StrCat(count)},
                                    {"$VSTORE", ClVector("vstore_half", count)},
                                    {"$V", FloatVector(count)}}));
  };
  add(lanes);
  if (lanes > 1) add(1);
}

void AddLaneFunctions(ElementType stored, int lanes, KernelWriter& writer) {
  AddFloatFunctions(stored, lanes, writer);
  writer.Helper(Stored(lanes == 1 ? kScalar : kVector, stored, lanes));
}

void AddKeepFunction(int lanes, KernelWriter& writer) {
  writer.Helper(lanes == 1
                    ? kKeepScalar
                    : absl::Substitute(kKeep, lanes, LaneNumbers(lanes)));
}

void AddStepFunctions(ElementType stored, int lanes, KernelWriter& writer) {
  AddFloatFunctions(stored, lanes, writer);
  writer.Helper(Stored(lanes == 1 ? kScalarStep : kVectorStep, stored, lanes));
}

}  // namespace dovetail::gpu
