// The text of kernels that select boxes.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_DETECTION_SELECTION_TEXT_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_DETECTION_SELECTION_TEXT_H_

#include "dovetail/backends/gpu/codegen/kernel_writer.h"
#include "dovetail/core/ops/detection/non_max_suppression.h"

namespace dovetail::gpu {

struct SelectionText {
  BoxEncoding encoding = BoxEncoding::kCorner;
  // Scores fall with the overlap, by `sigma` where that is above 0.
  bool is_soft = false;
  // Rows of equal scores are in the order of boxes.
  bool sorts = true;
  int lanes = 16;  // boxes that are looked at together
};

// Numbers of 32 bits that a work item needs for its boxes and its slots.
int64_t SelectionWords(int64_t boxes, int64_t slots, bool is_soft, int lanes);

// Appends what work item `i` does for list number i of scores. The text reads
//   boxes, scores        pointers to floats
//   count, classes       boxes an image, lists an image
//   slots, most          of a list: places for boxes, and how many may be kept
//   overlap_limit, score_limit, sigma
//   work, words          scratch ints, and how many are of one item
// and writes boxes, the best first, with their scores, and how many there are:
//   kept, kept_scores, counts
void AddSelection(const SelectionText& text, KernelWriter& writer);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_DETECTION_SELECTION_TEXT_H_
