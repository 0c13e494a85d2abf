#include "dovetail/core/base/testing/captured_log.h"

#include "dovetail/core/base/log.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(CapturedLogTest, KeepsMessagesOfItsLevelsInOrder) {
  const CapturedLog log(LogLevel::kWarning);
  DOVETAIL_LOG(kWarning, "a stale entry");
  DOVETAIL_LOG(kInfo, "an entry");
  DOVETAIL_LOG(kError, "no entry");
  EXPECT_THAT(log.Messages(),
              ElementsAre(Pair(LogLevel::kWarning, "a stale entry"),
                          Pair(LogLevel::kError, "no entry")));
  EXPECT_THAT(log.MessagesWith("stale"),
              ElementsAre(Pair(LogLevel::kWarning, "a stale entry")));
}

TEST(CapturedLogTest, GivesLevelAndStderrBack) {
  SetLogLevel(LogLevel::kError);
  { const CapturedLog log(LogLevel::kTrace); }
  EXPECT_EQ(GetLogLevel(), LogLevel::kError);
  testing::internal::CaptureStderr();
  DOVETAIL_LOG(kError, "told");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "[dovetail ERROR] told\n");
  SetLogLevel(LogLevel::kNone);
}

}  // namespace
}  // namespace dovetail
