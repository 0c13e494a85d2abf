#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/testing/fakes/fake_plugin.h"

DOVETAIL_REGISTER_PLUGIN("FAKE", [] {
  return dovetail::MakeFakePlugin(std::make_shared<dovetail::FakeDevice>());
});
