#include "dovetail/tools/profiling/chrome_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "dovetail/tools/profiling/trace_check.h"

namespace dovetail::profiling {
namespace {

using Json = nlohmann::json;

ProfilingRecord Record(const char* name, int64_t start_ns,
                       int64_t duration_ns) {
  ProfilingRecord record;
  record.name = name;
  record.type = "Relu";
  record.kernel = "kernel";
  record.status = ProfilingRecord::Status::kExecuted;
  record.start_ns = start_ns;
  record.duration_ns = duration_ns;
  record.counters = {{"cycles", 7}};
  return record;
}

// One inference: a stage, two layers of a stream, one of another device, one
// without a start, and one that overlaps.
std::deque<Inference> SampleInferences() {
  Inference inference{1000, 9000, {}};
  auto& records = inference.records;
  records.push_back(Record("infer", 1500, 8000));
  records.back().kind = ProfilingRecord::Kind::kStage;
  records.push_back(Record("first \"quoted\"", 2000, 1000));
  records.push_back(Record("loop", 3000, 4000));
  records.push_back(Record("body", 4000, 1000));
  records.push_back(Record("elsewhere", 4500, 100));
  records.back().device = "OTHER";
  records.back().lane = "queue 1";
  records.push_back(Record("timeless", 0, 100));
  return {inference};
}

TEST(ChromeTraceTest, IsAsTheFormatAsks) {
  const Json trace = Json::parse(ChromeTrace(SampleInferences(), "CPU"));
  EXPECT_THAT(TraceProblems(trace), testing::IsEmpty());
  EXPECT_EQ(trace.at("displayTimeUnit"), "ms");
}

TEST(ChromeTraceTest, RowsAreOfThreadsStagesStreamsAndDevices) {
  const Json trace = Json::parse(ChromeTrace(SampleInferences(), "CPU"));
  std::vector<std::string> processes, threads;
  for (const Json& event : trace.at("traceEvents")) {
    if (event.at("name") == "process_name") {
      processes.push_back(event.at("args").at("name"));
    } else if (event.at("name") == "thread_name") {
      threads.push_back(event.at("args").at("name"));
    }
  }
  EXPECT_THAT(processes, testing::ElementsAre("host", "CPU", "OTHER"));
  EXPECT_THAT(threads, testing::ElementsAre("inferences", "stages", "layers",
                                            "layers (2)", "queue 1"));
}

TEST(ChromeTraceTest, ARecordIsInEachOfItsLanesWhichAreInOrder) {
  Inference inference{1000, 9000, {}};
  inference.records.push_back(Record("both", 2000, 1000));
  inference.records.back().lane = "SHAVE 10, SHAVE 9";
  inference.records.push_back(Record("one", 3000, 1000));
  inference.records.back().lane = "NCE 0";
  inference.records.push_back(Record("sent", 1000, 1000));
  inference.records.back().kind = ProfilingRecord::Kind::kStage;
  inference.records.back().lane = "link";
  inference.hidden.push_back(Record("beside", 3000, 500));
  inference.hidden.back().lane = "DMA";
  std::vector<std::string> rows;
  const std::deque<Inference> inferences = {inference};
  for (const Row& row : RowsOf(inferences, "VPU")) {
    rows.push_back(row.process + ": " + row.name);
    EXPECT_EQ(row.spans.size(), 1u);
  }
  EXPECT_THAT(rows, testing::ElementsAre("host: inferences", "host: link",
                                         "VPU: DMA", "VPU: NCE 0",
                                         "VPU: SHAVE 9", "VPU: SHAVE 10"));
}

TEST(ChromeTraceTest, EventsOfARowDoNotOverlap) {
  const Json trace = Json::parse(ChromeTrace(SampleInferences(), "CPU"));
  std::map<int, double> ends;
  int count = 0;
  for (const Json& event : trace.at("traceEvents")) {
    if (event.at("ph") != "X") continue;
    ++count;
    double& end = ends[event.at("tid").get<int>()];
    EXPECT_GE(event.at("ts").get<double>(), end) << event;
    end = event.at("ts").get<double>() + event.at("dur").get<double>();
  }
  EXPECT_EQ(count, 6);  // the one without a start has no place
}

TEST(ChromeTraceTest, TimesAreMicrosecondsFromTheFirstInferenceOn) {
  const Json trace = Json::parse(ChromeTrace(SampleInferences(), "CPU"));
  for (const Json& event : trace.at("traceEvents")) {
    if (event.at("name") != "first \"quoted\"") continue;
    EXPECT_DOUBLE_EQ(event.at("ts").get<double>(), 1);
    EXPECT_DOUBLE_EQ(event.at("dur").get<double>(), 1);
    EXPECT_EQ(event.at("args").at("cycles"), 7);
    return;
  }
  FAIL() << "the layer is missing";
}

}  // namespace
}  // namespace dovetail::profiling
