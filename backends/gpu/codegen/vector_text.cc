#include "dovetail/backends/gpu/codegen/vector_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"

namespace dovetail::gpu {
namespace {

constexpr char kScalar[] = R"(
inline float load_lanes1(const __global float* from, int left) {
  return left > 0 ? *from : 0.0f;
}
inline void store_lanes1(float v, __global float* to, int left) {
  if (left > 0) *to = v;
}
inline float keep_lanes1(float v, int left) { return left > 0 ? v : 0.0f; }
)";

// $0: the number of lanes, $1: their numbers. What is kept is chosen by a mask,
// as loops that store many vectors would spend as long on branches.
constexpr char kVector[] = R"(
inline float$0 load_lanes$0(const __global float* from, int left) {
  if (left >= $0) return vload$0(0, from);
  float lanes[$0];
  for (int i = 0; i < $0; ++i) lanes[i] = i < left ? from[i] : 0.0f;
  return vload$0(0, lanes);
}
inline void store_lanes$0(float$0 v, __global float* to, int left) {
  if (left >= $0) {
    vstore$0(v, 0, to);
    return;
  }
  float lanes[$0];
  vstore$0(v, 0, lanes);
  for (int i = 0; i < left; ++i) to[i] = lanes[i];
}
inline float$0 keep_lanes$0(float$0 v, int left) {
  return select((float$0)(0.0f), v, (int$0)($1) < left);
}
)";

constexpr char kScalarStep[] = R"(
inline float load_step1(const __global float* from, int step) {
  return *from;
}
inline void store_step1(float v, __global float* to, int step) { *to = v; }
)";

// $0: the number of lanes.
constexpr char kVectorStep[] = R"(
inline float$0 load_step$0(const __global float* from, int step) {
  if (step == 1) return vload$0(0, from);
  float lanes[$0];
  for (int i = 0; i < $0; ++i) lanes[i] = from[i * step];
  return vload$0(0, lanes);
}
inline void store_step$0(float$0 v, __global float* to, int step) {
  if (step == 1) {
    vstore$0(v, 0, to);
    return;
  }
  float lanes[$0];
  vstore$0(v, 0, lanes);
  for (int i = 0; i < $0; ++i) to[i * step] = lanes[i];
}
)";

}  // namespace

std::string FloatVector(int lanes) {
  return lanes == 1 ? "float" : absl::StrCat("float", lanes);
}

std::string LaneFunctions(int lanes) {
  if (lanes == 1) return kScalar;
  std::string numbers = "0";
  for (int i = 1; i < lanes; ++i) absl::StrAppend(&numbers, ",", i);
  return absl::Substitute(kVector, lanes, numbers);
}

std::string StepFunctions(int lanes) {
  return lanes == 1 ? kScalarStep : absl::Substitute(kVectorStep, lanes);
}

}  // namespace dovetail::gpu
