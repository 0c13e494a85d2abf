#include "dovetail/backends/batch/batch_run.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::batch {
namespace {

absl::StatusOr<std::vector<Tensor>> RowsOf(const Tensor& whole, int axis,
                                           size_t count) {
  std::vector<Tensor> rows;
  const int64_t extent = whole.shape()[axis] / static_cast<int64_t>(count);
  for (size_t row = 0; row < count; ++row) {
    Shape begin = Shape::Filled(whole.rank(), 0), end = whole.shape();
    begin[axis] = static_cast<int64_t>(row) * extent;
    end[axis] = begin[axis] + extent;
    DOVETAIL_ASSIGN_OR_RETURN(Tensor view, whole.Roi(begin, end));
    rows.push_back(std::move(view));
  }
  return rows;
}

Tensor Contiguous(const Tensor& row) {
  return row.is_contiguous() ? row : Tensor();
}

absl::Status CopyUnlessSame(const Tensor& from, const Tensor& to) {
  if (from.address() == to.address()) return absl::OkStatus();
  return to.CopyFrom(from);
}

}  // namespace

absl::StatusOr<std::unique_ptr<BatchRun>> BatchRun::Create(
    const Executable& part, const BatchAxes& axes, size_t size, Ended ended) {
  std::unique_ptr<BatchRun> run(new BatchRun(size, std::move(ended)));
  DOVETAIL_RETURN_IF_ERROR(run->Prepare(part, axes));
  return run;
}

absl::Status BatchRun::Prepare(const Executable& part, const BatchAxes& axes) {
  DOVETAIL_ASSIGN_OR_RETURN(context_, part.NewContext());
  is_timed_ = part.config().GetBool(properties::kPerfCount);
  for (size_t i = 0; size_ > 1 && i < axes.inputs.size(); ++i) {
    const int port = static_cast<int>(i);
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor own, context_->Input(port));
    DOVETAIL_RETURN_IF_ERROR(context_->SetInput(port, own));
    DOVETAIL_ASSIGN_OR_RETURN(std::vector<Tensor> rows,
                              RowsOf(own, axes.inputs[i], size_));
    input_rows_.push_back(std::move(rows));
  }
  for (size_t i = 0; size_ > 1 && i < axes.outputs.size(); ++i) {
    const int port = static_cast<int>(i);
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor own, context_->Output(port));
    DOVETAIL_RETURN_IF_ERROR(context_->SetOutput(port, own));
    DOVETAIL_ASSIGN_OR_RETURN(std::vector<Tensor> rows,
                              RowsOf(own, axes.outputs[i], size_));
    output_rows_.push_back(std::move(rows));
  }
  // Copying is work for the device's threads, not for the timer's.
  const absl::Span<const Stage> of_part = context_->stages();
  Executor* const executor = of_part.empty() ? nullptr : of_part[0].executor;
  stages_.push_back(
      SynchronousStage("gather", executor, [this] { return Gather(); }));
  stages_.insert(stages_.end(), of_part.begin(), of_part.end());
  stages_.push_back(
      SynchronousStage("scatter", nullptr, [this] { return Scatter(); }));
  chain_ = std::make_unique<StageChain>(stages_, is_timed_);
  return absl::OkStatus();
}

Tensor BatchRun::InputRow(int i, size_t row) const {
  return Contiguous(input_rows_[i][row]);
}

Tensor BatchRun::OutputRow(int i, size_t row) const {
  return Contiguous(output_rows_[i][row]);
}

// ---- A batch ----

void BatchRun::Begin(const Members& members) {
  members_ = members;
  has_gathered_ = false;
  context_->Begin(/*synchronous=*/false);
  chain_->Begin();
}

Members BatchRun::TakeMembers() {
  const Members members = members_;
  members_.clear();
  return members;
}

void BatchRun::Cancel() {
  chain_->Cancel();
  context_->Cancel();
  chain_->GiveUp();
}

absl::Status BatchRun::Gather() {
  has_gathered_ = true;
  if (size_ > 1) {
    // Rows that are nobody's have to be right too: an operation may refuse a
    // number that no request gave.
    for (size_t row = 0; row < size_; ++row) {
      DOVETAIL_RETURN_IF_ERROR(
          GatherRow(*members_[row < members_.size() ? row : 0], row));
    }
    return absl::OkStatus();
  }
  Member& only = *members_.front();
  for (size_t i = 0; i < only.inputs.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(
        context_->SetInput(static_cast<int>(i), only.inputs[i]));
  }
  for (size_t i = 0; i < only.outputs.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(
        context_->SetOutput(static_cast<int>(i), only.outputs[i]));
  }
  return absl::OkStatus();
}

absl::Status BatchRun::GatherRow(Member& from, size_t row) {
  for (size_t i = 0; i < from.inputs.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(
        CopyUnlessSame(from.inputs[i], input_rows_[i][row]));
  }
  return absl::OkStatus();
}

absl::Status BatchRun::Scatter() {
  if (size_ == 1) return absl::OkStatus();
  for (size_t row = 0; row < members_.size(); ++row) {
    const std::vector<Tensor>& to = members_[row]->outputs;
    for (size_t i = 0; i < to.size(); ++i) {
      DOVETAIL_RETURN_IF_ERROR(CopyUnlessSame(output_rows_[i][row], to[i]));
    }
  }
  return absl::OkStatus();
}

void BatchRun::ChainEnded(void* run, absl::Status status) {
  auto* const self = static_cast<BatchRun*>(run);
  self->context_->End(status);
  if (self->is_timed_) {
    std::vector<ProfilingRecord> records = self->context_->profiling();
    for (ProfilingRecord& record : self->chain_->profiling()) {
      records.push_back(std::move(record));
    }
    for (Member* member : self->members_) member->profiling = records;
  }
  // With the last request the run may go, and ended_ with it.
  const Ended ended = self->ended_;
  ended(*self, std::move(status));
}

}  // namespace dovetail::batch
