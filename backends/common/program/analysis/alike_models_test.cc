#include "dovetail/backends/common/program/analysis/alike_models.h"

#include <optional>

#include "absl/strings/string_view.h"
#include "dovetail/core/ops/text/parse.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

std::optional<int> FindOrAdd(AlikeModels& models, absl::string_view text,
                             int number) {
  const auto model = ParseModelText(text);
  EXPECT_TRUE(model.ok()) << model.status();
  return models.FindOrAdd(*model, number);
}

TEST(AlikeModelsTest, NamesDoNotMatter) {
  AlikeModels models;
  EXPECT_EQ(FindOrAdd(models, R"(
    %x = Parameter-0() {shape: [?], element_type: f32}  # x
    %a = Relu-0(%x) {}  # layer1.relu
    %o = Result-0(%a) {}
  )",
                      3),
            std::nullopt);
  EXPECT_EQ(FindOrAdd(models, R"(
    %x = Parameter-0() {shape: [?], element_type: f32}  # y
    %b = Relu-0(%x) {}  # layer2.relu
    %o = Result-0(%b) {}
  )",
                      5),
            3);
}

TEST(AlikeModelsTest, ShapesAttributesAndConstantsDo) {
  AlikeModels models;
  for (const absl::string_view text : {
           R"(%x = Parameter-0() {shape: [?,4], element_type: f32}
              %c = Constant-0() {value: f32[1] {1}}
              %a = Add-1(%x, %c) {auto_broadcast: NUMPY}
              %o = Result-0(%a) {})",
           R"(%x = Parameter-0() {shape: [?,5], element_type: f32}
              %c = Constant-0() {value: f32[1] {1}}
              %a = Add-1(%x, %c) {auto_broadcast: NUMPY}
              %o = Result-0(%a) {})",
           R"(%x = Parameter-0() {shape: [?,4], element_type: f32}
              %c = Constant-0() {value: f32[1] {2}}
              %a = Add-1(%x, %c) {auto_broadcast: NUMPY}
              %o = Result-0(%a) {})",
           R"(%x = Parameter-0() {shape: [?,4], element_type: f32}
              %c = Constant-0() {value: f32[1] {1}}
              %a = Add-1(%x, %c) {auto_broadcast: PDPD}
              %o = Result-0(%a) {})",
       }) {
    EXPECT_EQ(FindOrAdd(models, text, 0), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace dovetail
