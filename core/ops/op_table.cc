#include "dovetail/core/ops/op_table.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/types/span.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/activation/table.h"
#include "dovetail/core/ops/control/table.h"
#include "dovetail/core/ops/convolution/table.h"
#include "dovetail/core/ops/ctc/table.h"
#include "dovetail/core/ops/detection/table.h"
#include "dovetail/core/ops/elementwise/table.h"
#include "dovetail/core/ops/embedding/table.h"
#include "dovetail/core/ops/image/table.h"
#include "dovetail/core/ops/indexing/table.h"
#include "dovetail/core/ops/linear/table.h"
#include "dovetail/core/ops/movement/table.h"
#include "dovetail/core/ops/normalization/table.h"
#include "dovetail/core/ops/pooling/table.h"
#include "dovetail/core/ops/quantization/table.h"
#include "dovetail/core/ops/random/table.h"
#include "dovetail/core/ops/recurrent/table.h"
#include "dovetail/core/ops/reduction/table.h"
#include "dovetail/core/ops/roi/table.h"
#include "dovetail/core/ops/shape_query/table.h"
#include "dovetail/core/ops/signal/table.h"
#include "dovetail/core/ops/state/table.h"
#include "dovetail/core/ops/string/table.h"
#include "dovetail/core/ops/structural/table.h"

namespace dovetail {
namespace {

// Every family of operations, one line each.
constexpr absl::Span<const OpInfo> (*kFamilies[])() = {
    &ActivationOps,
    &ControlOps,
    &ConvolutionOps,
    &CtcOps,
    &DetectionOps,
    &ElementwiseOps,
    &EmbeddingOps,
    &ImageOps,
    &IndexingOps,
    &LinearOps,
    &MovementOps,
    &NormalizationOps,
    &PoolingOps,
    &QuantizationOps,
    &RandomOps,
    &RecurrentOps,
    &ReductionOps,
    &RoiOps,
    &ShapeQueryOps,
    &SignalOps,
    &StateOps,
    &StringOps,
    &StructuralOps,
};

// Whether `a` comes before `b` when the case does not count.
bool LessIgnoreCase(absl::string_view a, absl::string_view b) {
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        return absl::ascii_tolower(x) < absl::ascii_tolower(y);
      });
}

// All rows sorted by one of their names and then by version.
using NameOf = absl::string_view (*)(const OpInfo&);

std::vector<const OpInfo*> SortedBy(NameOf name) {
  std::vector<const OpInfo*> rows;
  for (auto family : kFamilies) {
    for (const OpInfo& row : family()) rows.push_back(&row);
  }
  std::sort(rows.begin(), rows.end(), [&](const OpInfo* a, const OpInfo* b) {
    if (LessIgnoreCase(name(*a), name(*b))) return true;
    if (LessIgnoreCase(name(*b), name(*a))) return false;
    return a->version < b->version;
  });
  return rows;
}

absl::string_view TypeOf(const OpInfo& row) { return row.type; }
absl::string_view IrTypeOf(const OpInfo& row) { return row.ir_type; }

// The rows of that name in a vector that is sorted by it.
absl::Span<const OpInfo* const> Find(const std::vector<const OpInfo*>& rows,
                                     NameOf name, absl::string_view wanted) {
  auto begin = std::lower_bound(
      rows.begin(), rows.end(), wanted,
      [&](const OpInfo* row, absl::string_view text) {
        return LessIgnoreCase(name(*row), text);
      });
  auto end = begin;
  while (end != rows.end() && absl::EqualsIgnoreCase(name(**end), wanted)) {
    ++end;
  }
  return absl::MakeConstSpan(rows.data() + (begin - rows.begin()),
                             end - begin);
}

const std::vector<const OpInfo*>& OpsByIrType() {
  static const auto* const rows =
      new std::vector<const OpInfo*>(SortedBy(&IrTypeOf));
  return *rows;
}

// "opset1, opset3" of all these rows.
std::string OpsetNames(absl::Span<const OpInfo* const> rows) {
  std::string names;
  for (int opset = 1; opset <= OpsetRange::kLatest; ++opset) {
    for (const OpInfo* row : rows) {
      if (!row->opsets.Contains(opset)) continue;
      absl::StrAppend(&names, names.empty() ? "" : ", ", "opset", opset);
      break;
    }
  }
  return names;
}

}  // namespace

const std::vector<const OpInfo*>& AllOps() {
  static const auto* const rows =
      new std::vector<const OpInfo*>(SortedBy(&TypeOf));
  return *rows;
}

const OpInfo* FindOp(absl::string_view type, int version) {
  for (const OpInfo* row : Find(AllOps(), &TypeOf, type)) {
    if (row->version == version) return row;
  }
  return nullptr;
}

const OpInfo* FindOp(OpType op) {
  if (op.version() != OpType::kAnyVersion) {
    return FindOp(op.type(), op.version());
  }
  const absl::Span<const OpInfo* const> rows =
      Find(AllOps(), &TypeOf, op.type());
  return rows.empty() ? nullptr : rows.back();
}

absl::StatusOr<const OpInfo*> FindOpInOpset(absl::string_view ir_type,
                                            int opset) {
  const absl::Span<const OpInfo* const> rows =
      Find(OpsByIrType(), &IrTypeOf, ir_type);
  if (rows.empty()) {
    return NotFound("there is no operation '", ir_type, "'");
  }
  for (const OpInfo* row : rows) {
    if (row->opsets.Contains(opset)) return row;
  }
  return NotFound("operation '", ir_type, "' is not in opset", opset,
                  "; it is in ", OpsetNames(rows));
}

}  // namespace dovetail
