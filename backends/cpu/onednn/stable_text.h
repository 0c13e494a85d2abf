// Descriptions of memory as texts.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_STABLE_TEXT_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_STABLE_TEXT_H_

#include <string>

#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

// Equal in all processes for equal descriptions, unlike oneDNN's blobs, in
// which bytes that mean nothing have any value. Different for different ones.
std::string StableText(const dnnl::memory::desc& desc);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_STABLE_TEXT_H_
