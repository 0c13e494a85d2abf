#include "dovetail/core/ops/binary/constants_section.h"

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/files/byte_sink.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/ops/binary/model_bytes.h"
#include "dovetail/core/tensor/memory/mapped_file.h"
#include "dovetail/core/tensor/tensor.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const OpInfo* FindTestOp(absl::string_view type, int version) {
  for (const OpInfo& op : TestOps()) {
    if (op.type == type && op.version == version) return &op;
  }
  return nullptr;
}

Tensor Numbers(ElementType type, int64_t count) {
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(i % 2);
  return Tensor::FromDoubles(type, {count}, values).value();
}

Model ModelOf(const std::vector<Tensor>& constants) {
  Model model;
  for (const Tensor& constant : constants) {
    AddTestNode(model, "Result", {AddTestConstant(model, constant)->output()});
  }
  return model;
}

absl::Status Write(const Model& model, WeightsPlace place, ByteSink& sink) {
  BlobWriter blob(&sink);
  ConstantsWriter constants(&blob, place);
  ByteWriter bytes;
  absl::Status status = WriteModel(model, bytes, &constants);
  status.Update(constants.Finish());
  status.Update(blob.AddSection("model", bytes.bytes()));
  status.Update(blob.Finish());
  return status;
}

absl::StatusOr<std::unique_ptr<Model>> Read(const BlobReader& blob) {
  const auto bytes = blob.Section("model");
  if (!bytes.ok()) return bytes.status();
  ByteReader reader(bytes->view());
  ConstantsReader constants(blob);
  return ReadModel(reader, FindTestOp, &constants);
}

const Tensor& ConstantOf(const Model& model, int number) {
  const Node* constant = model.results()[number]->input(0).node;
  return constant->As<ConstantAttributes>()->value;
}

class ConstantsSection : public testing::Test {
 protected:
  ConstantsSection()
      : folder_(testing::TempDir() + "constants_" +
                testing::UnitTest::GetInstance()->current_test_info()->name()),
        blob_(folder_ + "/model.blob"),
        weights_(folder_ + "/model.bin") {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }

  void WriteBlob(const Model& model, WeightsPlace place) {
    std::string bytes;
    StringSink sink(&bytes);
    const absl::Status status = Write(model, place, sink);
    EXPECT_TRUE(status.ok()) << status;
    std::ofstream(blob_, std::ios::binary) << bytes;
  }

  BlobReader Blob() const {
    auto blob = BlobReader::Open(blob_);
    EXPECT_TRUE(blob.ok()) << blob.status();
    return *std::move(blob);
  }

  // The path of the file that the tensor is a view of.
  static std::string FileOf(const Tensor& tensor) {
    const auto range =
        MappedFile::RangeOf(tensor.raw_data(), tensor.byte_size());
    return range.has_value() ? range->file.path : "no file";
  }

  // A constant that is a view of 4096 bytes of a file, mapped when `settled`.
  Tensor MappedConstant(const std::string& path, bool settled = true) {
    while (settled && !IdentifyFile(path)->settled) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    auto file = MappedFile::Open(path);
    EXPECT_TRUE(file.ok()) << file.status();
    const char* data = static_cast<const char*>((*file)->data());
    return Tensor::Share(ElementType::kF32, {1024}, data + 64, 4096,
                         *std::move(file))
        .value();
  }

  void WriteWeights(char fill) {
    std::ofstream(weights_, std::ios::binary) << std::string(8000, fill);
  }

  std::string folder_, blob_, weights_;
};

TEST_F(ConstantsSection, LargeConstantsComeBackAsViewsOfTheContainer) {
  std::vector<Tensor> constants;
  for (ElementType type : AllElementTypes()) {
    if (type != ElementType::kString) constants.push_back(Numbers(type, 5000));
  }
  constants.push_back(Tensor::Allocate(ElementType::kString, {300}).value());
  constants.push_back(Numbers(ElementType::kF32, 63));  // small
  const Model model = ModelOf(constants);
  WriteBlob(model, WeightsPlace::kInside);
  const auto read = Read(Blob());
  ASSERT_TRUE(read.ok()) << read.status();
  const absl::Status same = Model::Compare(model, **read);
  EXPECT_TRUE(same.ok()) << same;
  for (size_t i = 0; i + 2 < constants.size(); ++i) {
    const Tensor& constant = ConstantOf(**read, i);
    EXPECT_EQ(FileOf(constant), blob_);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(constant.raw_data()) % 64, 0u);
  }
  EXPECT_EQ(FileOf(ConstantOf(**read, constants.size() - 1)), "no file");
}

TEST_F(ConstantsSection, WhatIsSharedIsWrittenOnce) {
  const Tensor one = Numbers(ElementType::kF32, 1000);
  const Model model = ModelOf({one, one, one.Reshape({10, 100}).value()});
  WriteBlob(model, WeightsPlace::kInside);
  EXPECT_EQ(*Blob().SectionSize("constants"), 4000u);
  const auto read = Read(Blob());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(Model::Compare(model, **read).ok());
  EXPECT_EQ(ConstantOf(**read, 0).raw_data(), ConstantOf(**read, 2).raw_data());
}

TEST_F(ConstantsSection, PartsOfTensorsArePacked) {
  const Tensor whole =
      Numbers(ElementType::kF32, 1001).Reshape({7, 143}).value();
  const Tensor part = whole.Roi({0, 0}, {7, 100}).value();
  ASSERT_FALSE(part.is_contiguous());
  WriteBlob(ModelOf({part, part}), WeightsPlace::kInside);
  const auto read = Read(Blob());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(ConstantOf(**read, 1).Equals(part));
}

// Counts what comes straight from the tensor's memory, and the rest.
class WatchingSink : public ByteSink {
 public:
  explicit WatchingSink(const Tensor& tensor)
      : begin_(static_cast<const char*>(tensor.raw_data())),
        end_(begin_ + tensor.byte_size()) {}

  absl::Status Append(absl::string_view bytes) override {
    const bool straight = bytes.data() >= begin_ && bytes.data() < end_;
    (straight ? straight_ : other_) += static_cast<int64_t>(bytes.size());
    return absl::OkStatus();
  }
  int64_t straight() const { return straight_; }
  int64_t other() const { return other_; }

 private:
  const char *begin_, *end_;
  int64_t straight_ = 0, other_ = 0;
};

TEST_F(ConstantsSection, NoConstantIsCopiedToBeWritten) {
  const Tensor large = Numbers(ElementType::kF32, 3'000'000);
  WatchingSink sink(large);
  EXPECT_TRUE(Write(ModelOf({large}), WeightsPlace::kInside, sink).ok());
  EXPECT_EQ(sink.straight(), large.byte_size());
  EXPECT_LE(sink.other(), 2000);
}

TEST_F(ConstantsSection, WeightsMayStayInTheirFile) {
  WriteWeights('w');
  const Model model =
      ModelOf({MappedConstant(weights_), Numbers(ElementType::kF32, 100)});
  WriteBlob(model, WeightsPlace::kInTheirFile);
  EXPECT_EQ(Blob().section_names(),
            (std::vector<std::string>{"constants", "model", "weights.0"}));
  EXPECT_EQ(*Blob().SectionSize("constants"), 400u);
  {
    const auto read = Read(Blob());
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_TRUE(Model::Compare(model, **read).ok());
    EXPECT_EQ(FileOf(ConstantOf(**read, 0)), weights_);
    EXPECT_EQ(FileOf(ConstantOf(**read, 1)), blob_);
  }
  // The whole is inside where it is to go anywhere.
  WriteBlob(model, WeightsPlace::kInside);
  EXPECT_EQ(FileOf(ConstantOf(**Read(Blob()), 0)), blob_);

  WriteBlob(model, WeightsPlace::kInTheirFile);
  WriteWeights('x');
  EXPECT_EQ(Read(Blob()).status().code(),
            absl::StatusCode::kFailedPrecondition);
  std::filesystem::remove(weights_);
  EXPECT_EQ(Read(Blob()).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(ConstantsSection, FilesThatMayChangeAreNotReferredTo) {
  WriteWeights('w');
  std::filesystem::last_write_time(
      weights_,
      std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  WriteBlob(ModelOf({MappedConstant(weights_, /*settled=*/false)}),
            WeightsPlace::kInTheirFile);
  EXPECT_FALSE(Blob().HasSection("weights.0"));
  EXPECT_EQ(*Blob().SectionSize("constants"), 4096u);
  // Nor is a container, which a cache may drop.
  WriteBlob(ModelOf({MappedConstant(blob_)}), WeightsPlace::kInTheirFile);
  EXPECT_FALSE(Blob().HasSection("weights.0"));
}

TEST_F(ConstantsSection, ReadingNonsenseIsAnError) {
  WriteWeights('w');
  const Model model =
      ModelOf({MappedConstant(weights_), Numbers(ElementType::kU8, 300)});
  WriteBlob(model, WeightsPlace::kInTheirFile);
  const BlobReader blob = Blob();
  const std::string bytes(blob.Section("model")->view());
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (int flip : {1, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      ByteReader reader(damaged);
      ConstantsReader constants(blob);
      const auto read = ReadModel(reader, FindTestOp, &constants);
      EXPECT_TRUE(read.ok() || absl::IsDataLoss(read.status()) ||
                  absl::IsNotFound(read.status()))
          << i << ": " << read.status();
    }
  }
  ByteReader without(bytes);
  EXPECT_TRUE(absl::IsDataLoss(ReadModel(without, FindTestOp).status()));
}

TEST_F(ConstantsSection, TheErrorOfTheContainerIsTold) {
  std::string container;
  StringSink sink(&container);
  BlobWriter blob(&sink);
  ASSERT_TRUE(blob.BeginSection("open").ok());
  ConstantsWriter constants(&blob, WeightsPlace::kInside);
  ByteWriter bytes;
  EXPECT_EQ(
      WriteModel(ModelOf({Numbers(ElementType::kF32, 100)}), bytes, &constants)
          .code(),
      absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace dovetail
