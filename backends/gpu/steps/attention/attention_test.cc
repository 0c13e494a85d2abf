#include "dovetail/backends/gpu/steps/attention/attention.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/testing/plan_test.h"
#include "dovetail/testing/graphs/attention_model.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

class AttentionTest : public PlanTest {
 protected:
  void CheckAll(const std::vector<AttentionCase>& cases,
                const std::string& kernels) {
    for (const AttentionCase& c : cases) ExpectPlan(AttentionModel(c), kernels);
  }
};

constexpr char kPacked[] = "pack_keys_f32, attention_f32";

TEST_F(AttentionTest, ManyQueries) {
  CheckAll({{"2,3,20,16", "2,3,30,16", "2,3,30,8"},
            {"3,50,18", "3,33,18", "3,33,32"},
            {"2,3,20,5", "2,3,30,5", "2,3,30,21"},
            {"1,1,9,16", "1,1,700,16", "1,1,700,16"},
            {"1,2,7,64", "1,2,1100,64", "1,2,1100,40"}},
           kPacked);
}

TEST_F(AttentionTest, FewQueriesReadKeysInPlace) {
  CheckAll({{"1,4,1,64", "1,4,70,64", "1,4,70,64"},
            {"1,2,3,32", "1,2,600,32", "1,2,600,48"},
            {"2,1,1,16", "2,1,5,16", "2,1,5,7"}},
           "attention_f32");
}

TEST_F(AttentionTest, KeysAreBroadcast) {
  CheckAll({{"1,4,5,64", "1,2,1,70,64", "1,2,1,70,64"},
            {"2,8,50,16", "2,1,50,16", "1,1,50,16"}},
           kPacked);
}

TEST_F(AttentionTest, Causal) {
  CheckAll({{"2,3,20,16", "2,3,30,16", "2,3,30,32", "", "", true},
            {"1,2,60,16", "1,2,20,16", "1,2,20,16", "", "", true},
            {"1,1,600,16", "1,1,600,16", "1,1,600,16", "", "", true}},
           kPacked);
}

TEST_F(AttentionTest, Masks) {
  for (const std::string shape : {"20,30", "2,1,1,30", "3,20,1", ""}) {
    for (const std::string type : {"f32", "boolean"}) {
      CheckAll({{"2,3,20,16", "2,3,30,16", "2,3,30,8",
                 ParameterLine("%m", shape, type), ", %m"}},
               kPacked);
    }
  }
  CheckAll({{"1,1,6,16", "1,1,600,16", "1,1,600,16",
             ParameterLine("%m", "6,600", "boolean"), ", %m"}},
           kPacked);
}

TEST_F(AttentionTest, ScaleAndSink) {
  CheckAll(
      {{"2,3,20,16", "2,3,30,16", "2,3,30,8",
        ParameterLine("%m", "20,30") + ParameterLine("%s", "1"), ", %m, %s"},
       {"2,3,20,16", "2,3,30,16", "2,3,30,8",
        ParameterLine("%m", "20,30") + ParameterLine("%s", "") +
            ParameterLine("%t", "1,3,1,1"),
        ", %m, %s, %t"},
       {"2,3,20,16", "2,3,530,16", "2,3,530,8",
        ParameterLine("%m", "20,530") +
            "%s = Constant-0() {value: f32[] {0.3}}\n" +
            ParameterLine("%t", "2,3,20,1"),
        ", %m, %s, %t"}},
      kPacked);
}

TEST_F(AttentionTest, ReadsAndWritesThroughTranspositions) {
  for (const int queries : {1, 20}) {
    std::string model = "%order = Constant-0() {value: i64[4] {0, 2, 1, 3}}\n";
    for (const char* id : {"q", "k", "v"}) {
      const int rows = *id == 'q' ? queries : 30;
      absl::StrAppend(&model,
                      ParameterLine(absl::StrCat("%", id, "0"),
                                    absl::StrCat("2,", rows, ",3,16")),
                      "%", id, "1 = Relu-0(%", id, "0) {}\n", "%", id,
                      "2 = Transpose-1(%", id, "1, %order) {}\n");
    }
    absl::StrAppend(&model,
                    "%y = ScaledDotProductAttention-13(%q2, %k2, %v2) "
                    "{causal: false}\n"
                    "%z = Transpose-1(%y, %order) {}\n%r = Result-0(%z) {}\n");
    ExpectPlan(model, testing::Not(testing::HasSubstr("copy")));
  }
}

}  // namespace
}  // namespace dovetail::gpu
