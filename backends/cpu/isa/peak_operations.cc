#include "dovetail/backends/cpu/isa/peak_operations.h"

#include "absl/strings/str_format.h"
#include "dovetail/backends/cpu/isa/tile_products.h"

namespace dovetail::cpu {
namespace {

constexpr int kUnits = 2;
constexpr int kOfProductAndSum = 2;

}  // namespace

std::string PeakOperations(Isa isa, int cores, double gigahertz) {
  const int bytes = Includes(isa, Isa::kAvx512) ? 64 : 32;
  const auto of_elements = [&](int size) {
    return kUnits * kOfProductAndSum * bytes / size;
  };
  const bool tiles = Includes(isa, Isa::kAvx512Amx);
  const double giga = cores * gigahertz;
  std::string all = absl::StrFormat("FP32:%g", giga * of_elements(4));
  if (Includes(isa, Isa::kAvx512Bf16)) {
    absl::StrAppendFormat(
        &all, " BF16:%g",
        giga *
            (tiles ? kOfProductAndSum * kBf16ProductsOfTiles : of_elements(2)));
  }
  const bool dot_products =
      Includes(isa, Isa::kAvx512Vnni) || Includes(isa, Isa::kAvx2Vnni);
  if (dot_products) {
    absl::StrAppendFormat(
        &all, " INT8:%g",
        giga *
            (tiles ? kOfProductAndSum * kByteProductsOfTiles : of_elements(1)));
  }
  return all;
}

}  // namespace dovetail::cpu
