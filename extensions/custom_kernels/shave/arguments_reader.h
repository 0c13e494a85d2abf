// The <Parameters> and <WorkSizes> of a kernel.
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SHAVE_ARGUMENTS_READER_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SHAVE_ARGUMENTS_READER_H_

#include "absl/status/status.h"
#include "dovetail/extensions/custom_kernels/shave/shave_layer.h"
#include "dovetail/extensions/custom_kernels/xml_elements.h"
#include "pugixml.hpp"

namespace dovetail {

// Errors as of ReadShaveLayers.
absl::Status ReadShaveArguments(const XmlElements& xml,
                                pugi::xml_node parameters, ShaveKernel& kernel);
absl::Status ReadShaveSizes(const XmlElements& xml, pugi::xml_node sizes,
                            ShaveKernel& kernel);

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SHAVE_ARGUMENTS_READER_H_
