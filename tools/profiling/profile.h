// Sums of the times of many inferences: by layer, by type, by kernel and by
// stage.
#ifndef DOVETAIL_TOOLS_PROFILING_PROFILE_H_
#define DOVETAIL_TOOLS_PROFILING_PROFILE_H_

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "dovetail/core/plugin/profiling.h"

namespace dovetail::profiling {

// One inference as it was seen from outside, by SteadyNanoseconds().
struct Inference {
  int64_t start_ns = 0;
  int64_t duration_ns = 0;
  std::vector<ProfilingRecord> records;
  // What ran beside others, whose time has it in it: part of pictures, not of
  // sums.
  std::vector<ProfilingRecord> hidden = {};
};

// A layer or a stage, and its time in all inferences.
struct TimedPart {
  ProfilingRecord record;  // of the first inference
  int64_t ns = 0;
};

// A name and a sum of times.
using NamedTime = std::pair<std::string, int64_t>;

// One thread at a time.
class Profile {
 public:
  // So many of the last inferences are kept whole.
  static constexpr size_t kKept = 5;

  // Adds records up by what they are of: layers differ from inference to
  // inference in loops and where shapes change. What was not executed is left
  // out.
  void Add(Inference inference);

  // In the order in which they first ran.
  const std::vector<TimedPart>& layers() const { return layers_; }
  const std::vector<TimedPart>& stages() const { return stages_; }
  // The longest first.
  std::vector<NamedTime> ByType() const;
  std::vector<NamedTime> ByKernel() const;  // "Convolution  jit_f32"

  int64_t inferences() const { return inferences_; }
  int64_t layers_ns() const { return layers_ns_; }
  int64_t wall_ns() const { return wall_ns_; }
  // The last ones, oldest first.
  const std::deque<Inference>& kept() const { return kept_; }

  // Of one inference, where `ns` is of all.
  double Milliseconds(int64_t ns) const;
  // Of the time of all layers.
  double Percent(int64_t ns) const;

 private:
  TimedPart& Entry(const ProfilingRecord& record,
                   std::vector<TimedPart>& parts);

  std::vector<TimedPart> layers_, stages_;
  std::map<
      std::tuple<ProfilingRecord::Kind, std::string, std::string, std::string>,
      size_t>
      index_;
  int64_t inferences_ = 0, layers_ns_ = 0, wall_ns_ = 0;
  std::deque<Inference> kept_;
};

// The counter of the development guide of 2021 that a stage's time belongs to,
// such as "2. input transfer to a device"; "" where there is none.
std::string CounterOfStage(const std::string& stage);

}  // namespace dovetail::profiling

#endif  // DOVETAIL_TOOLS_PROFILING_PROFILE_H_
