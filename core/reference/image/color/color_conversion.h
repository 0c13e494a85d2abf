// Kernels of conversions between colour formats.
#ifndef DOVETAIL_CORE_REFERENCE_IMAGE_COLOR_COLOR_CONVERSION_H_
#define DOVETAIL_CORE_REFERENCE_IMAGE_COLOR_COLOR_CONVERSION_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// ITU-R BT.601 with limited range (Y from 16 to 235, U and V from 16 to 240) on
// numbers from 0 to 255, whatever their type.
absl::Status Nv12ToRgbKernel(KernelContext& context);
absl::Status Nv12ToBgrKernel(KernelContext& context);
absl::Status I420ToRgbKernel(KernelContext& context);
absl::Status I420ToBgrKernel(KernelContext& context);
// The way back; U and V are means of those of four pixels.
absl::Status RgbToNv12Kernel(KernelContext& context);
absl::Status BgrToNv12Kernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_IMAGE_COLOR_COLOR_CONVERSION_H_
