// Computes in another floating-point type than the model says.
#ifndef DOVETAIL_TRANSFORMATIONS_PRECISION_CONVERT_PRECISION_H_
#define DOVETAIL_TRANSFORMATIONS_PRECISION_CONVERT_PRECISION_H_

#include <set>
#include <utility>

#include "dovetail/core/pass/pass.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// Everything of the types `from` becomes `to`: constants, attributes that name
// an element type (such as a conversion's destination), variables, bodies with
// their parameters. The model's own parameters and results keep their types;
// there, conversions are put in, which stand for the parameter or for the layer
// that gives the result (fused_names.h). Conversions to a type in `from` within
// the model no longer round. RandomUniform keeps its type, on which the numbers
// depend that it draws; so do constants that only conversions read which are
// not to be folded (constant_folding.h).
//
//   ConvertPrecision({ElementType::kF16, ElementType::kBf16},
//                    ElementType::kF32)
class ConvertPrecision : public Pass {
 public:
  ConvertPrecision(std::set<ElementType> from, ElementType to)
      : from_(std::move(from)), to_(to) {
    from_.erase(to);
  }

  absl::string_view name() const override { return "convert-precision"; }
  absl::StatusOr<bool> Run(Model& model) override;

 private:
  std::set<ElementType> from_;
  ElementType to_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_PRECISION_CONVERT_PRECISION_H_
