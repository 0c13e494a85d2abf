#include "dovetail/core/reference/ctc/ctc_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/ctc/ctc_loss.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/widen.h"

namespace dovetail {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

// log(exp(a) + exp(b))
double AddLogs(double a, double b) {
  const double greater = std::max(a, b);
  if (greater == kImpossible) return kImpossible;
  return greater + std::log1p(std::exp(std::min(a, b) - greater));
}

// The labels that count, by the attributes.
std::vector<int64_t> CountedLabels(absl::Span<const int64_t> labels,
                                   const CtcLossAttributes& attributes) {
  std::vector<int64_t> counted;
  for (int64_t label : labels) {
    const bool repeated = !counted.empty() && counted.back() == label;
    if (attributes.preprocess_collapse_repeated && repeated) continue;
    if (attributes.unique && std::find(counted.begin(), counted.end(),
                                       label) != counted.end()) {
      continue;
    }
    counted.push_back(label);
  }
  return counted;
}

// log softmax of one time's logits.
template <typename T>
void LogSoftmax(const T* logits, std::vector<double>& logs) {
  const int64_t count = static_cast<int64_t>(logs.size());
  const double greatest = *std::max_element(logits, logits + count);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += std::exp(logits[i] - greatest);
  const double log_sum = greatest + std::log(sum);
  for (int64_t i = 0; i < count; ++i) logs[i] = logits[i] - log_sum;
}

// The probability that alignments so far have come to each state: the labels
// with blanks before, between and after them.
class Alignments {
 public:
  Alignments(absl::Span<const int64_t> labels, int64_t blank, bool merge)
      : classes_(2 * labels.size() + 1, blank), merge_(merge) {
    for (size_t i = 0; i < labels.size(); ++i) classes_[2 * i + 1] = labels[i];
    logs_.assign(classes_.size(), kImpossible);
  }

  bool has_labels() const { return classes_.size() > 1; }

  // The first time: the first blank or the first label.
  void Start(const std::vector<double>& classes) {
    for (size_t i = 0; i < std::min<size_t>(2, logs_.size()); ++i) {
      logs_[i] = classes[classes_[i]];
    }
  }

  // One time more. From the last state on, so that those before it are old.
  void Step(const std::vector<double>& classes) {
    for (size_t i = logs_.size(); i-- > 0;) {
      const bool is_label = i % 2 == 1;
      double log = merge_ || !is_label ? logs_[i] : kImpossible;
      if (i >= 1) log = AddLogs(log, logs_[i - 1]);
      // Equal labels in a row would merge without a blank between them.
      if (is_label && i >= 2 && (!merge_ || classes_[i] != classes_[i - 2])) {
        log = AddLogs(log, logs_[i - 2]);
      }
      logs_[i] = log + classes[classes_[i]];
    }
  }

  // All labels seen, with or without a blank after them.
  double Log() const {
    const size_t count = logs_.size();
    return count == 1 ? logs_[0] : AddLogs(logs_[count - 1], logs_[count - 2]);
  }

 private:
  std::vector<int64_t> classes_;  // of the states
  std::vector<double> logs_;
  bool merge_;
};

// What the kernel reads of all inputs but the logits.
struct Targets {
  std::vector<int64_t> logit_lengths, labels, label_lengths;
  int64_t blank;
};

absl::Status CheckLengths(const KernelContext& context, int input,
                          const std::vector<int64_t>& lengths, int64_t times) {
  for (int64_t length : lengths) {
    if (length >= 0 && length <= times) continue;
    return context.Error("input ", input, " has the length ", length,
                         ", want 0 to ", times);
  }
  return absl::OkStatus();
}

absl::StatusOr<Targets> ReadTargets(const KernelContext& context) {
  const Shape& logits = context.input(0).shape();
  const int64_t times = logits[1], classes = logits[2];
  Targets targets{ToInt64Vector(context.input(1)),
                  ToInt64Vector(context.input(2)),
                  ToInt64Vector(context.input(3)), classes - 1};
  DOVETAIL_RETURN_IF_ERROR(
      CheckLengths(context, 1, targets.logit_lengths, times));
  DOVETAIL_RETURN_IF_ERROR(
      CheckLengths(context, 3, targets.label_lengths, times));
  if (context.has_input(4)) {
    targets.blank = context.input(4).ElementAsInt64(0);
  }
  if (targets.blank < 0 || targets.blank >= classes) {
    return context.Error("input 4, the blank's class, is ", targets.blank,
                         ", want 0 to ", classes - 1);
  }
  for (size_t n = 0; n < targets.label_lengths.size(); ++n) {
    for (int64_t i = 0; i < targets.label_lengths[n]; ++i) {
      const int64_t label = targets.labels[n * times + i];
      if (label >= 0 && label < classes) continue;
      return context.Error("input 2 (labels) has ", label, ", want 0 to ",
                           classes - 1);
    }
  }
  return targets;
}

// The loss of one sequence.
template <typename T>
double Loss(const T* logits, int64_t times, int64_t class_count,
            Alignments alignments) {
  if (times == 0) return alignments.has_labels() ? -kImpossible : 0;
  std::vector<double> logs(class_count);
  for (int64_t time = 0; time < times; ++time) {
    LogSoftmax(logits + time * class_count, logs);
    if (time == 0) {
      alignments.Start(logs);
    } else {
      alignments.Step(logs);
    }
  }
  return -alignments.Log();
}

template <typename T>
void ComputeLosses(const KernelContext& context, const Targets& targets) {
  const Shape& shape = context.input(0).shape();
  const int64_t times = shape[1], classes = shape[2];
  const auto& attributes = context.attributes<CtcLossAttributes>();
  T* const out = context.output(0).mutable_data<T>();
  ParallelLoop(
      context, shape[0], times * (classes + times) * 20,
      [&](int64_t n, int64_t end) {
        for (; n < end; ++n) {
          const std::vector<int64_t> labels = CountedLabels(
              absl::MakeConstSpan(targets.labels.data() + n * times,
                                  targets.label_lengths[n]),
              attributes);
          out[n] = static_cast<T>(
              Loss(context.input(0).data<T>() + n * times * classes,
                   targets.logit_lengths[n], classes,
                   Alignments(labels, targets.blank,
                              attributes.ctc_merge_repeated)));
        }
      });
}

}  // namespace

absl::Status CtcLossKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(const Targets targets, ReadTargets(context));
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    return DispatchWideFloat(wide.input(0).type(), wide, [&](auto tag) {
      ComputeLosses<typename decltype(tag)::type>(wide, targets);
      return absl::OkStatus();
    });
  });
}

}  // namespace dovetail
