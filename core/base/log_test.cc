#include "dovetail/core/base/log.h"

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

class LogTest : public testing::Test {
 protected:
  LogTest() {
    SetLogSink([this](LogLevel level, absl::string_view message) {
      lines_.emplace_back(level, message);
    });
  }
  ~LogTest() override {
    SetLogSink(nullptr);
    SetLogLevel(LogLevel::kNone);
  }

  std::vector<std::pair<LogLevel, std::string>> lines_;
};

TEST_F(LogTest, IsOffAtFirst) {
  EXPECT_EQ(GetLogLevel(), LogLevel::kNone);
  EXPECT_FALSE(IsLogged(LogLevel::kError));
}

TEST_F(LogTest, EachLevelIncludesThoseBefore) {
  SetLogLevel(LogLevel::kWarning);
  DOVETAIL_LOG(kError, "an error");
  DOVETAIL_LOG(kWarning, "entry ", 3, " is stale");
  DOVETAIL_LOG(kInfo, "more");
  EXPECT_EQ(lines_, (std::vector<std::pair<LogLevel, std::string>>{
                        {LogLevel::kError, "an error"},
                        {LogLevel::kWarning, "entry 3 is stale"}}));
}

TEST_F(LogTest, WhatIsOffIsNotComputed) {
  int computed = 0;
  const auto compute = [&computed] { return ++computed; };
  DOVETAIL_LOG(kError, compute());
  EXPECT_EQ(computed, 0);
  SetLogLevel(LogLevel::kTrace);
  DOVETAIL_LOG(kTrace, compute());
  EXPECT_EQ(computed, 1);
}

TEST_F(LogTest, ThreadsDoNotMixTheirMessages) {
  SetLogLevel(LogLevel::kInfo);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int k = 0; k < 100; ++k) DOVETAIL_LOG(kInfo, "message ", 7);
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(lines_.size(), 400u);
  for (const auto& [level, message] : lines_) EXPECT_EQ(message, "message 7");
}

TEST_F(LogTest, StderrIsTheSinkWhenThereIsNoOther) {
  SetLogLevel(LogLevel::kInfo);
  SetLogSink(nullptr);
  testing::internal::CaptureStderr();
  DOVETAIL_LOG(kInfo, "told");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "[dovetail INFO] told\n");
}

TEST_F(LogTest, ASinkMayLog) {
  SetLogLevel(LogLevel::kInfo);
  SetLogSink([](LogLevel, absl::string_view) {
    DOVETAIL_LOG(kWarning, "from the sink");
  });
  testing::internal::CaptureStderr();
  DOVETAIL_LOG(kInfo, "told");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "[dovetail WARNING] from the sink\n");
}

TEST(LogLevelTest, NamesAreOpenVinos) {
  for (const LogLevel level :
       {LogLevel::kNone, LogLevel::kError, LogLevel::kWarning, LogLevel::kInfo,
        LogLevel::kDebug, LogLevel::kTrace}) {
    EXPECT_EQ(*ParseLogLevel(LogLevelName(level)), level);
  }
  const absl::Status status = ParseLogLevel("LOUD").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("LOG_TRACE"), std::string::npos) << status;
}

TEST(LogDeathTest, TheEnvironmentTurnsItOn) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  setenv("DOVETAIL_LOG_LEVEL", "LOG_INFO", 1);
  EXPECT_EXIT(
      {
        DOVETAIL_LOG(kInfo, "from the start");
        std::exit(0);
      },
      testing::ExitedWithCode(0), "from the start");
  setenv("DOVETAIL_LOG_LEVEL", "LOUD", 1);
  EXPECT_EXIT(std::exit(0), testing::ExitedWithCode(0), "'LOUD' is no level");
  unsetenv("DOVETAIL_LOG_LEVEL");
}

}  // namespace
}  // namespace dovetail
