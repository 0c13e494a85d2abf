// The reader of <Buffers>: a custom kernel's arguments.
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_BUFFERS_READER_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_BUFFERS_READER_H_

#include "absl/status/status.h"
#include "dovetail/extensions/custom_kernels/custom_kernel.h"
#include "dovetail/extensions/custom_kernels/xml_elements.h"
#include "pugixml.hpp"

namespace dovetail {

// Fills the kernel's tensors and scalars. Their expressions are not looked at:
// CheckBuffers does that, when the kernel's macros are known.
absl::Status ReadBuffers(const XmlElements& xml, pugi::xml_node buffers,
                         CustomKernel& kernel);
absl::Status CheckBuffers(const XmlElements& xml, pugi::xml_node buffers,
                          const std::vector<std::string>& macros);

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_BUFFERS_READER_H_
