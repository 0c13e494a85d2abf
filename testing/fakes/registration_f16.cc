#include <memory>

#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/testing/fakes/fake_plugin.h"

DOVETAIL_REGISTER_PLUGIN("FAKE_F16", [] {
  return dovetail::MakeFakePlugin(std::make_shared<dovetail::FakeDevice>(
      "FAKE_F16", int64_t{64} << 20, dovetail::ElementType::kF16));
});
