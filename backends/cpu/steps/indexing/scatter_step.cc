#include "dovetail/backends/cpu/steps/indexing/scatter_step.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

// What is worth waking a thread for.
constexpr int64_t kBytesAtATime = 1 << 16;
constexpr int64_t kElementsAtATime = 1 << 13;

// Each part of the output looks at all indices, so there is one a thread.
int64_t GrainOf(WorkTeam& team, int64_t count, int64_t least) {
  const int64_t threads = team.threads();
  return std::max<int64_t>({1, least, (count + threads - 1) / threads});
}

absl::Status Checked(int64_t outside, const std::string& what) {
  if (outside == 0) return absl::OkStatus();
  return OutOfRange(what, ": input 1, the indices, has some that lie outside");
}

void CopyPart(const StepRun& run, int64_t begin, int64_t end) {
  const char* const from = run.input<char>(0);
  char* const to = run.output<char>();
  if (from != to) std::memcpy(to + begin, from + begin, end - begin);
}

class ScatterStep : public Step {
 public:
  ScatterStep(const host::ScatterShape& shape,
              const host::ScatterUpdate& update, bool is_i64, std::string what)
      : shape_(shape),
        update_(update),
        is_i64_(is_i64),
        what_(std::move(what)) {}

  absl::Status Run(const StepRun& run) const override {
    WorkTeam& team = run.environment->team();
    const int64_t rows = shape_.batch * shape_.Rows();
    const int64_t bytes = shape_.run_bytes;
    std::atomic<int64_t> outside = 0;
    ParallelFor(team, rows, GrainOf(team, rows, kBytesAtATime / bytes),
                [&](int64_t begin, int64_t end) {
                  CopyPart(run, begin * bytes, end * bytes);
                  outside += host::Scatter(shape_, update_, run.inputs[1],
                                           {run.inputs[2], is_i64_},
                                           run.outputs[0], begin, end);
                });
    return Checked(outside, what_);
  }

 private:
  const host::ScatterShape shape_;
  const host::ScatterUpdate update_;
  const bool is_i64_;
  const std::string what_;
};

class ScatterElementsStep : public Step {
 public:
  ScatterElementsStep(host::ScatterElementsShape shape,
                      const host::ScatterUpdate& update, int64_t data_bytes,
                      bool is_i64, std::string what)
      : shape_(std::move(shape)),
        update_(update),
        data_bytes_(data_bytes),
        is_i64_(is_i64),
        what_(std::move(what)) {}

  absl::Status Run(const StepRun& run) const override {
    WorkTeam& team = run.environment->team();
    if (run.inputs[0] != run.outputs[0]) {
      ParallelFor(
          team, data_bytes_, kBytesAtATime,
          [&](int64_t begin, int64_t end) { CopyPart(run, begin, end); });
    }
    std::atomic<int64_t> outside = 0;
    ParallelFor(team, shape_.outer * shape_.columns,
                kElementsAtATime / std::max<int64_t>(1, shape_.count) + 1,
                [&](int64_t begin, int64_t end) {
                  outside += host::ScatterElements(
                      shape_, update_, run.inputs[1], {run.inputs[2], is_i64_},
                      run.outputs[0], begin, end);
                });
    return Checked(outside, what_);
  }

 private:
  const host::ScatterElementsShape shape_;
  const host::ScatterUpdate update_;
  const int64_t data_bytes_;
  const bool is_i64_;
  const std::string what_;
};

class ScatterByRunsStep : public Step {
 public:
  ScatterByRunsStep(host::ScatterRuns runs, const host::ScatterUpdate& update,
                    int element_size)
      : runs_(std::move(runs)), update_(update), element_size_(element_size) {}

  absl::Status Run(const StepRun& run) const override {
    const int64_t bytes = element_size_;
    ParallelFor(run.environment->team(), runs_.batch * runs_.data_bytes / bytes,
                kBytesAtATime / bytes, [&](int64_t begin, int64_t end) {
                  host::ScatterByRuns(runs_, update_, run.inputs[0],
                                      run.inputs[1], run.outputs[0],
                                      begin * bytes, end * bytes);
                });
    return absl::OkStatus();
  }

 private:
  const host::ScatterRuns runs_;
  const host::ScatterUpdate update_;
  const int element_size_;
};

}  // namespace

std::unique_ptr<Step> MakeScatterStep(const host::ScatterShape& shape,
                                      const host::ScatterUpdate& update,
                                      bool is_i64, std::string what) {
  return std::make_unique<ScatterStep>(shape, update, is_i64, std::move(what));
}

std::unique_ptr<Step> MakeScatterElementsStep(host::ScatterElementsShape shape,
                                              const host::ScatterUpdate& update,
                                              int64_t data_bytes, bool is_i64,
                                              std::string what) {
  return std::make_unique<ScatterElementsStep>(
      std::move(shape), update, data_bytes, is_i64, std::move(what));
}

std::unique_ptr<Step> MakeScatterByRunsStep(host::ScatterRuns runs,
                                            const host::ScatterUpdate& update,
                                            int element_size) {
  return std::make_unique<ScatterByRunsStep>(std::move(runs), update,
                                             element_size);
}

}  // namespace dovetail::cpu
