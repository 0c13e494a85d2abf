#include "dovetail/tools/conformance/compare/detections.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"
#include "dovetail/core/base/status.h"

namespace dovetail::conformance {
namespace {

double Area(const Detection& box) {
  return std::max(0.0, box.x2 - box.x1) * std::max(0.0, box.y2 - box.y1);
}

// Intersection over union; equal empty boxes overlap entirely.
double Overlap(const Detection& a, const Detection& b) {
  const double width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
  const double height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
  const double common = std::max(0.0, width) * std::max(0.0, height);
  const double all = Area(a) + Area(b) - common;
  if (all <= 0) {
    return a.x1 == b.x1 && a.y1 == b.y1 && a.x2 == b.x2 && a.y2 == b.y2;
  }
  return common / all;
}

std::string Describe(const Detection& row) {
  return absl::StrFormat("label %g, confidence %.3f, box (%g, %g, %g, %g)",
                         row.label, row.confidence, row.x1, row.y1, row.x2,
                         row.y2);
}

// Looks in `all` for a partner of every row of `rows` that counts.
absl::Status FindPartners(const std::vector<Detection>& rows,
                          const std::vector<Detection>& all,
                          const DetectionTolerance& tolerance,
                          absl::string_view what) {
  for (const Detection& row : rows) {
    if (row.confidence < tolerance.threshold) continue;
    const bool found =
        std::any_of(all.begin(), all.end(), [&](const Detection& other) {
          return other.label == row.label &&
                 std::fabs(other.confidence - row.confidence) <=
                     tolerance.confidence &&
                 Overlap(other, row) >= tolerance.overlap;
        });
    if (!found) return InvalidArgument(what, " detection: ", Describe(row));
  }
  return absl::OkStatus();
}

}  // namespace

DetectionTolerance DetectionToleranceFor(bool quantized) {
  if (!quantized) return {};
  return {.overlap = 0.7, .confidence = 0.1, .threshold = 0.5};
}

absl::StatusOr<std::vector<Detection>> ReadDetections(const Tensor& boxes,
                                                      const Tensor* labels) {
  const Shape& shape = boxes.shape();
  const bool with_label = shape.rank() == 4 && shape[3] == 7;
  if (!with_label &&
      !(shape.rank() == 2 && shape[1] == 5 && labels != nullptr &&
        labels->element_count() == shape[0])) {
    return InvalidArgument("shape ", shape.ToString(),
                           " holds no detections: want [1,1,N,7], or [N,5] "
                           "with the labels in the next output");
  }
  const int64_t columns = shape.back();
  std::vector<Detection> rows;
  for (int64_t r = 0; r < boxes.element_count() / columns; ++r) {
    const auto at = [&](int64_t column) {
      return boxes.ElementAsDouble(r * columns + column);
    };
    if (!with_label) {
      rows.push_back({labels->ElementAsDouble(r), at(4), at(0), at(1), at(2),
                      at(3)});
      continue;
    }
    if (at(0) == -1) break;
    rows.push_back({at(1), at(2), at(3), at(4), at(5), at(6)});
  }
  return rows;
}

absl::Status CompareDetections(const std::vector<Detection>& got,
                               const std::vector<Detection>& want,
                               const DetectionTolerance& tolerance) {
  DOVETAIL_RETURN_IF_ERROR(FindPartners(want, got, tolerance, "missing"));
  return FindPartners(got, want, tolerance, "unexpected");
}

}  // namespace dovetail::conformance
