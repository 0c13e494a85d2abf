#include <cstdlib>

#include "dovetail/core/properties/config.h"
#include "dovetail/core/properties/property.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/properties/streams_choice.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::AllOf;
using testing::HasSubstr;

PropertySchema TestSchema() {
  PropertySchema schema;
  EXPECT_TRUE(schema.Add(BoolProperty("FLAG", false, "A flag.")).ok());
  EXPECT_TRUE(schema.Add(IntProperty("COUNT", 3, 1, 8, "A count.")).ok());
  EXPECT_TRUE(
      schema.Add(EnumProperty("MODE", {"FAST", "EXACT"}, "FAST", "A mode."))
          .ok());
  EXPECT_TRUE(schema.Add(TextProperty("LABEL", "none", "A text.")).ok());
  EXPECT_TRUE(schema.Add(ReadOnlyProperty("METRIC", "text", "Read.")).ok());
  return schema;
}

std::string MessageOf(const absl::Status& status) {
  return std::string(status.message());
}

TEST(PropertySchemaTest, ChecksGiveCanonicalSpellings) {
  const PropertySchema schema = TestSchema();
  EXPECT_EQ(*schema.Check("FLAG", "true"), "YES");
  EXPECT_EQ(*schema.Check("FLAG", "off"), "NO");
  EXPECT_EQ(*schema.Check("COUNT", " 007"), "7");
  EXPECT_EQ(*schema.Check("MODE", "exact"), "EXACT");
  EXPECT_EQ(*schema.Check("LABEL", "any Text"), "any Text");
}

TEST(PropertySchemaTest, WrongValuesAreNamedWithWhatIsRight) {
  const PropertySchema schema = TestSchema();
  const auto message = [&](const char* name, const char* value) {
    const absl::Status status = schema.Check(name, value).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return MessageOf(status);
  };
  EXPECT_EQ(message("FLAG", "maybe"),
            "property 'FLAG' = 'maybe': want YES or NO");
  EXPECT_EQ(message("COUNT", "9"),
            "property 'COUNT' = '9': want a number from 1 to 8");
  EXPECT_EQ(message("COUNT", "many"),
            "property 'COUNT' = 'many': want a number from 1 to 8");
  EXPECT_EQ(message("MODE", "SLOW"),
            "property 'MODE' = 'SLOW': want one of FAST, EXACT");
  EXPECT_THAT(message("METRIC", "x"), HasSubstr("only be read"));
}

TEST(PropertySchemaTest, UnknownKeysNameTheNearestAndAll) {
  const absl::Status status = TestSchema().Find("CUONT").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(MessageOf(status),
              AllOf(HasSubstr("'CUONT'"), HasSubstr("did you mean 'COUNT'"),
                    HasSubstr("FLAG, COUNT, MODE, LABEL, METRIC")));
}

TEST(PropertySchemaTest, NamesAreUnique) {
  PropertySchema schema = TestSchema();
  EXPECT_EQ(schema.Add(TextProperty("MODE", "", "")).code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(schema.Add(TextProperty("", "", "")).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(schema.specs().size(), 5u);
}

TEST(ConfigTest, DefaultsFirst) {
  const auto config = Config::Resolve(TestSchema(), {});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->entries().size(), 4u);  // METRIC cannot be set
  EXPECT_EQ(config->GetInt("COUNT"), 3);
  EXPECT_FALSE(config->GetBool("FLAG"));
  EXPECT_EQ(config->GetString("MODE"), "FAST");
  EXPECT_FALSE(config->IsSet("COUNT"));
  EXPECT_EQ(config->GetString("NO SUCH"), "");
  EXPECT_EQ(config->GetInt("NO SUCH"), 0);
  EXPECT_EQ(config->Find("METRIC").status().code(),
            absl::StatusCode::kNotFound);
}

TEST(ConfigTest, TheNearestLayerWins) {
  PropertyLayers layers;
  ASSERT_EQ(setenv("DOVETAIL_COUNT", "1", 1), 0);
  const auto origin = [&] {
    const auto config = Config::Resolve(TestSchema(), layers);
    EXPECT_TRUE(config.ok()) << config.status();
    const Config::Entry entry = config->Find("COUNT").value();
    return std::string(PropertyOriginName(entry.origin)) + " " + entry.value;
  };
  EXPECT_EQ(origin(), "environment 1");
  layers.global["COUNT"] = "2";
  EXPECT_EQ(origin(), "global 2");
  layers.device["COUNT"] = "4";
  EXPECT_EQ(origin(), "device 4");
  layers.model["COUNT"] = "5";
  EXPECT_EQ(origin(), "model 5");
  layers.call["COUNT"] = "6";
  EXPECT_EQ(origin(), "call 6");
  layers = {};
  layers.read_environment = false;
  EXPECT_EQ(origin(), "default 3");
  ASSERT_EQ(unsetenv("DOVETAIL_COUNT"), 0);
}

TEST(ConfigTest, UnknownKeysPassOnlyWhereTheyMayBeForOthers) {
  const PropertyMap unknown = {{"OTHER", "1"}};
  PropertyLayers layers;
  layers.global = unknown;
  EXPECT_TRUE(Config::Resolve(TestSchema(), layers).ok());
  for (PropertyMap PropertyLayers::*layer :
       {&PropertyLayers::call, &PropertyLayers::model,
        &PropertyLayers::device}) {
    PropertyLayers wrong;
    wrong.*layer = unknown;
    EXPECT_EQ(Config::Resolve(TestSchema(), wrong).status().code(),
              absl::StatusCode::kNotFound);
  }
}

TEST(ConfigTest, ErrorsSayWhereTheValueComesFrom) {
  PropertyLayers layers;
  layers.global["COUNT"] = "0";
  EXPECT_THAT(MessageOf(Config::Resolve(TestSchema(), layers).status()),
              AllOf(HasSubstr("set for all devices"), HasSubstr("'0'")));
  ASSERT_EQ(setenv("DOVETAIL_MODE", "odd", 1), 0);
  EXPECT_THAT(MessageOf(Config::Resolve(TestSchema(), {}).status()),
              AllOf(HasSubstr("DOVETAIL_MODE"), HasSubstr("'odd'")));
  ASSERT_EQ(unsetenv("DOVETAIL_MODE"), 0);
}

TEST(StandardPropertiesTest, AllHaveNamesTypesAndDescriptions) {
  namespace p = properties;
  std::vector<PropertySpec> specs = p::DeviceMetrics();
  for (PropertySpec spec :
       {p::PerformanceHint(), p::PerformanceHintNumRequests(),
        p::ExecutionModeHint(), p::NumStreams(4), p::InferenceNumThreads(),
        p::InferencePrecisionHint({"f32"}), p::PerfCount(),
        p::EnableCpuPinning(), p::SchedulingCoreType(),
        p::EnableHyperThreading(), p::EnableMmap(), p::CacheDir(),
        p::DeviceId(), p::PrintPasses()}) {
    specs.push_back(std::move(spec));
  }
  specs.push_back(p::KvCachePrecision());
  specs.push_back(p::DynamicQuantizationGroupSize(32));
  PropertySchema schema;
  for (const PropertySpec& spec : specs) {
    SCOPED_TRACE(spec.name);
    EXPECT_FALSE(spec.type.empty());
    EXPECT_FALSE(spec.description.empty());
    EXPECT_TRUE(schema.Add(spec).ok());
    if (spec.mutability == Mutability::kReadOnly) continue;
    // A default is a value like any other, in its canonical spelling.
    EXPECT_EQ(schema.Check(spec.name, spec.default_value).value(),
              spec.default_value);
  }
}

TEST(StandardPropertiesTest, NumStreams) {
  PropertySchema schema;
  ASSERT_TRUE(schema.Add(properties::NumStreams(4)).ok());
  EXPECT_EQ(*schema.Check("NUM_STREAMS", "auto"), "AUTO");
  EXPECT_EQ(*schema.Check("NUM_STREAMS", "4"), "4");
  EXPECT_EQ(*schema.Check("NUM_STREAMS", "numa"), "NUMA");
  EXPECT_FALSE(schema.Check("NUM_STREAMS", "5").ok());
  EXPECT_FALSE(schema.Check("NUM_STREAMS", "0").ok());
}

TEST(StandardPropertiesTest, WhatIsFixedSaysWhy) {
  const auto schema = PropertySchema::Make(
      {properties::KvCachePrecision(),
       properties::DynamicQuantizationGroupSize(/*default_size=*/0)});
  ASSERT_TRUE(schema.ok());
  EXPECT_EQ(*schema->Check("KV_CACHE_PRECISION", "DYNAMIC"), "dynamic");
  EXPECT_EQ(*schema->Check("DYNAMIC_QUANTIZATION_GROUP_SIZE", "0"), "0");
  EXPECT_THAT(MessageOf(schema->Check("KV_CACHE_PRECISION", "u8").status()),
              AllOf(HasSubstr("'u8'"), HasSubstr("want dynamic"),
                    HasSubstr("types of the model")));
  EXPECT_THAT(
      MessageOf(
          schema->Check("DYNAMIC_QUANTIZATION_GROUP_SIZE", "32").status()),
      AllOf(HasSubstr("want 0"), HasSubstr("as the model says")));
}

TEST(StandardPropertiesTest, SizesOfGroupsAreNumbersUpToAWholeRow) {
  const auto schema =
      PropertySchema::Make({properties::DynamicQuantizationGroupSize(32)});
  ASSERT_TRUE(schema.ok());
  for (const char* size : {"0", "1", "32", "18446744073709551615"}) {
    EXPECT_EQ(*schema->Check("DYNAMIC_QUANTIZATION_GROUP_SIZE", size), size);
  }
  EXPECT_EQ(*schema->Check("DYNAMIC_QUANTIZATION_GROUP_SIZE", " 064"), "64");
  for (const char* size : {"", "-1", "32.5", "all", "18446744073709551616"}) {
    EXPECT_THAT(
        MessageOf(
            schema->Check("DYNAMIC_QUANTIZATION_GROUP_SIZE", size).status()),
        AllOf(HasSubstr(size),
              HasSubstr("want a number from 0 to 18446744073709551615")));
  }
}

// ---- The names of 2021 ----

PropertySchema SchemaWithOldNames() {
  namespace p = properties;
  PropertySchema schema;
  for (PropertySpec& spec : p::DeviceMetrics()) {
    EXPECT_TRUE(schema.Add(spec).ok());
  }
  for (const PropertySpec& spec :
       {p::NumStreams(8), p::InferenceNumThreads(), p::EnableCpuPinning(),
        p::InferencePrecisionHint({"dynamic", "f32", "bf16"})}) {
    EXPECT_TRUE(schema.Add(spec).ok());
  }
  p::AddOldNames(schema);
  return schema;
}

TEST(OldNamesTest, ValuesAreTranslatedBothWays) {
  const PropertySchema schema = SchemaWithOldNames();
  const struct {
    const char *old_name, *old_value, *name, *value, *told;
  } cases[] = {
      {"CPU_THROUGHPUT_STREAMS", "CPU_THROUGHPUT_AUTO", "NUM_STREAMS", "AUTO",
       "CPU_THROUGHPUT_AUTO"},
      {"CPU_THROUGHPUT_STREAMS", "CPU_THROUGHPUT_NUMA", "NUM_STREAMS", "NUMA",
       "CPU_THROUGHPUT_NUMA"},
      {"CPU_THROUGHPUT_STREAMS", "3", "NUM_STREAMS", "3", "3"},
      {"CPU_THREADS_NUM", "2", "INFERENCE_NUM_THREADS", "2", "2"},
      {"CPU_BIND_THREAD", "yes", "ENABLE_CPU_PINNING", "YES", "YES"},
      {"CPU_BIND_THREAD", "HYBRID_AWARE", "ENABLE_CPU_PINNING", "YES", "YES"},
      {"CPU_BIND_THREAD", "NO", "ENABLE_CPU_PINNING", "NO", "NO"},
      {"AFFINITY", "CORE", "ENABLE_CPU_PINNING", "YES", "CORE"},
      {"AFFINITY", "NONE", "ENABLE_CPU_PINNING", "NO", "NONE"},
      {"ENFORCE_BF16", "YES", "INFERENCE_PRECISION_HINT", "bf16", "YES"},
      {"ENFORCE_BF16", "NO", "INFERENCE_PRECISION_HINT", "f32", "NO"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(std::string(c.old_name) + "=" + c.old_value);
    EXPECT_EQ(schema.Canonical(c.old_name), c.name);
    const auto value = schema.Check(c.old_name, c.old_value);
    ASSERT_TRUE(value.ok()) << value.status();
    EXPECT_EQ(*value, c.value);
    EXPECT_EQ(schema.Told(c.old_name, *value), c.told);
    EXPECT_EQ(schema.Told(c.name, *value), c.value);
  }
  EXPECT_EQ(schema.Told("ENFORCE_BF16", "dynamic"), "NO");
}

TEST(OldNamesTest, ValuesThatCannotBeHonouredAreRefused) {
  const PropertySchema schema = SchemaWithOldNames();
  for (const char* name : {"CPU_BIND_THREAD", "AFFINITY", "ENFORCE_BF16"}) {
    const absl::Status status = schema.Check(name, "NUMA").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(MessageOf(status), AllOf(HasSubstr(name), HasSubstr("NUMA"),
                                         HasSubstr("want one of")));
  }
}

TEST(OldNamesTest, MetricsHaveTheirOldForms) {
  const PropertySchema schema = SchemaWithOldNames();
  const std::string all = "NUM_STREAMS:RW FULL_DEVICE_NAME:RO PERF_COUNT:RW";
  EXPECT_EQ(schema.Told("SUPPORTED_METRICS", all), "FULL_DEVICE_NAME");
  EXPECT_EQ(schema.Told("SUPPORTED_CONFIG_KEYS", all),
            "NUM_STREAMS PERF_COUNT");
  EXPECT_EQ(schema.Told("IMPORT_EXPORT_SUPPORT", "FP32 EXPORT_IMPORT"), "YES");
  EXPECT_EQ(schema.Told("IMPORT_EXPORT_SUPPORT", "FP32"), "NO");
}

TEST(OldNamesTest, AKeyByTwoNamesMustHaveOneValue) {
  PropertyLayers layers;
  layers.call = {{"CPU_THREADS_NUM", "2"}, {"INFERENCE_NUM_THREADS", "3"}};
  const auto config = Config::Resolve(SchemaWithOldNames(), layers);
  EXPECT_EQ(config.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(MessageOf(config.status()),
              AllOf(HasSubstr("CPU_THREADS_NUM"),
                    HasSubstr("INFERENCE_NUM_THREADS"), HasSubstr("same key")));
  layers.call["INFERENCE_NUM_THREADS"] = "2";
  EXPECT_TRUE(Config::Resolve(SchemaWithOldNames(), layers).ok());
}

StreamsChoice Choose(const PropertyMap& values, int cpus) {
  PropertySchema schema;
  EXPECT_TRUE(schema.Add(properties::PerformanceHint()).ok());
  EXPECT_TRUE(schema.Add(properties::PerformanceHintNumRequests()).ok());
  EXPECT_TRUE(schema.Add(properties::NumStreams(64)).ok());
  EXPECT_TRUE(schema.Add(properties::InferenceNumThreads()).ok());
  PropertyLayers layers;
  layers.call = values;
  const auto config = Config::Resolve(schema, layers);
  EXPECT_TRUE(config.ok()) << config.status();
  return ChooseStreams(*config, cpus);
}

void ExpectChoice(const StreamsChoice& choice, int streams, int threads) {
  EXPECT_EQ(choice.streams, streams);
  EXPECT_EQ(choice.threads_per_stream, threads);
}

TEST(ChooseStreamsTest, LatencyIsOneStreamOfAllThreads) {
  ExpectChoice(Choose({}, 8), 1, 8);
  ExpectChoice(Choose({{"INFERENCE_NUM_THREADS", "3"}}, 8), 1, 3);
  ExpectChoice(Choose({}, 0), 1, 1);
}

TEST(ChooseStreamsTest, ThroughputIsManyStreams) {
  ExpectChoice(Choose({{"PERFORMANCE_HINT", "THROUGHPUT"}}, 2), 2, 1);
  ExpectChoice(Choose({{"PERFORMANCE_HINT", "THROUGHPUT"}}, 8), 4, 2);
  ExpectChoice(Choose({{"PERFORMANCE_HINT", "THROUGHPUT"}}, 32), 8, 4);
  ExpectChoice(Choose({{"PERFORMANCE_HINT", "THROUGHPUT"},
                       {"PERFORMANCE_HINT_NUM_REQUESTS", "2"}},
                      32),
               2, 16);
}

TEST(ChooseStreamsTest, NumbersBeatHints) {
  ExpectChoice(
      Choose({{"PERFORMANCE_HINT", "THROUGHPUT"}, {"NUM_STREAMS", "1"}}, 8), 1,
      8);
  ExpectChoice(
      Choose({{"NUM_STREAMS", "4"}, {"INFERENCE_NUM_THREADS", "2"}}, 8), 4, 1);
}

TEST(ChooseStreamsTest, NumaIsAStreamForEachNode) {
  const auto choose = [](int cpus, int nodes) {
    PropertySchema schema;
    EXPECT_TRUE(schema.Add(properties::NumStreams(64)).ok());
    PropertyLayers layers;
    layers.call = {{"NUM_STREAMS", "NUMA"}};
    return ChooseStreams(Config::Resolve(schema, layers).value(), cpus, nodes);
  };
  ExpectChoice(choose(8, 1), 1, 8);
  ExpectChoice(choose(8, 2), 2, 4);
  ExpectChoice(choose(2, 4), 2, 1);  // less threads than nodes
}

TEST(ChooseStreamsTest, WorksWithoutTheKeys) {
  ExpectChoice(ChooseStreams(Config(), 4), 1, 4);
}

}  // namespace
}  // namespace dovetail
