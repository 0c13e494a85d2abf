// The inverse of the error function.
#ifndef DOVETAIL_CORE_REFERENCE_ELEMENTWISE_ERF_INV_H_
#define DOVETAIL_CORE_REFERENCE_ELEMENTWISE_ERF_INV_H_

namespace dovetail {

// The x of which erf(x) is y, to some 15 digits; ±infinity for ±1, NaN for
// what erf never gives.
double ErfInv(double y);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_ELEMENTWISE_ERF_INV_H_
