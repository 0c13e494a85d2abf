// The model of every case is the same after it has been written and read: as
// an IR, as bytes, as text.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/base/bytes.h"
#include "dovetail/core/graph/text.h"
#include "dovetail/core/ops/binary/model_bytes.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/extensions/ir/reader.h"
#include "dovetail/extensions/ir/writer.h"
#include "dovetail/testing/conformance/operations/case_file_test.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

class FormsTest : public CaseFileTest {
 protected:
  static void ExpectSame(const Model& model, const Model& again,
                         const std::string& what) {
    const absl::Status status = Model::Compare(model, again);
    EXPECT_TRUE(status.ok()) << what << ": " << status;
    EXPECT_EQ(model.Hash(), again.Hash()) << what;
  }
};

// The weights of an IR as the reader takes them.
Tensor Bytes(const std::string& bytes) {
  if (bytes.empty()) return Tensor();
  return Tensor::FromValues<uint8_t>(
             {static_cast<int64_t>(bytes.size())},
             {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()})
      .value();
}

TEST_P(FormsTest, Ir) {
  for (const OperationCase& test_case : Load()) {
    const auto files = WriteIrToMemory(*test_case.model);
    ASSERT_TRUE(files.ok()) << test_case.name << ": " << files.status();
    const auto again = ReadIrFromMemory(files->xml, Bytes(files->weights));
    ASSERT_TRUE(again.ok()) << test_case.name << ": " << again.status();
    ExpectSame(*test_case.model, **again, test_case.name);
  }
}

TEST_P(FormsTest, Binary) {
  for (const OperationCase& test_case : Load()) {
    ByteWriter writer;
    const absl::Status written = WriteModel(*test_case.model, writer);
    ASSERT_TRUE(written.ok()) << test_case.name << ": " << written;
    const std::string bytes = writer.Take();
    ByteReader reader(bytes);
    const auto again = ReadModel(reader);
    ASSERT_TRUE(again.ok()) << test_case.name << ": " << again.status();
    ExpectSame(*test_case.model, **again, test_case.name);
  }
}

TEST_P(FormsTest, Text) {
  for (const OperationCase& test_case : Load()) {
    const std::string text =
        ModelText(*test_case.model, {.max_elements = 1 << 20});
    const auto again = ParseModelText(text);
    ASSERT_TRUE(again.ok()) << test_case.name << ": " << again.status();
    ExpectSame(*test_case.model, *again, test_case.name);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, FormsTest, EachCaseFile(), CaseFileName);

}  // namespace
}  // namespace dovetail
