#include "dovetail/tools/cli/input/exported_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>
#include <vector>

#include "dovetail/core/base/files/byte_sink.h"
#include "dovetail/core/blob/blob_writer.h"

namespace dovetail::cli {
namespace {

using ::testing::HasSubstr;

std::string PathOf(const std::string& name) {
  return ::testing::TempDir() + "/" + name;
}

std::string WriteFile(const std::string& name, const std::string& bytes) {
  std::ofstream(PathOf(name), std::ios::binary) << bytes;
  return PathOf(name);
}

// A container whose header names a device, unless that is "".
std::string Container(const std::string& device) {
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter blob(&sink);
  if (!device.empty()) {
    EXPECT_TRUE(blob.SetHeader("device", device).ok());
  }
  EXPECT_TRUE(blob.Finish().ok());
  return bytes;
}

TEST(ExportedModelTest, IsToldByItsFirstBytes) {
  const std::string exported = WriteFile("an.exported", Container("NPU"));
  EXPECT_TRUE(IsExportedModel(exported));
  EXPECT_EQ(DeviceOfExport(exported).value_or("none"), "NPU");
  EXPECT_THAT(std::string(CheckIsSource(exported).message()),
              HasSubstr("is an exported model"));
  // Damaged ones are exported models, too, and no others' business.
  const std::string damaged =
      WriteFile("damaged.exported", Container("NPU").substr(0, 20));
  EXPECT_TRUE(IsExportedModel(damaged));
  EXPECT_FALSE(DeviceOfExport(damaged).ok());
}

TEST(ExportedModelTest, NothingElseIsOne) {
  const std::string pipe = PathOf("a.pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path :
       {WriteFile("a.xml", "<?xml version=\"1.0\"?><net/>"),
        WriteFile("empty", ""), PathOf("no_such_file"), PathOf(""), pipe}) {
    EXPECT_FALSE(IsExportedModel(path)) << path;
    EXPECT_TRUE(CheckIsSource(path).ok()) << path;
  }
}

TEST(ExportedModelTest, AContainerOfSomethingElseNamesNoDevice) {
  const std::string other = WriteFile("other.exported", Container(""));
  EXPECT_THAT(std::string(DeviceOfExport(other).status().message()),
              HasSubstr("names no device"));
}

TEST(ExportedModelTest, FlagsThatComeTooLateAreNamed) {
  const std::vector<Flag> flags = {{"shape", "INPUT=DIMS", "", true},
                                   {"threads", "N", ""}};
  const std::vector<std::string> words = {"--threads=2"};
  const std::vector<std::string> late = {"--threads=2", "--shape=0=1"};
  EXPECT_TRUE(CheckNoSourceFlags(*Arguments::Parse(flags, words), "m").ok());
  EXPECT_THAT(
      std::string(
          CheckNoSourceFlags(*Arguments::Parse(flags, late), "m").message()),
      HasSubstr("--shape: 'm' is an exported model"));
}

}  // namespace
}  // namespace dovetail::cli
