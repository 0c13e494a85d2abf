#include "dovetail/core/ops/binary/attribute_bytes.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/attributes/each_attribute.h"
#include "dovetail/core/ops/binary/tensor_bytes.h"

namespace dovetail {
namespace {

// ---- One value ----

absl::Status Put(bool value, ByteWriter& writer) {
  writer.Byte(value);
  return absl::OkStatus();
}
absl::Status Put(int64_t value, ByteWriter& writer) {
  writer.Signed(value);
  return absl::OkStatus();
}
absl::Status Put(uint64_t value, ByteWriter& writer) {
  writer.Number(value);
  return absl::OkStatus();
}
absl::Status Put(double value, ByteWriter& writer) {
  writer.Real(value);
  return absl::OkStatus();
}
absl::Status Put(const std::string& value, ByteWriter& writer) {
  writer.Text(value);
  return absl::OkStatus();
}
absl::Status Put(ElementType value, ByteWriter& writer) {
  WriteElementType(value, writer);
  return absl::OkStatus();
}
absl::Status Put(const PartialShape& value, ByteWriter& writer) {
  WritePartialShape(value, writer);
  return absl::OkStatus();
}
template <typename T>
absl::Status Put(const std::vector<T>& values, ByteWriter& writer) {
  writer.Number(values.size());
  for (const T& value : values) {
    DOVETAIL_RETURN_IF_ERROR(Put(value, writer));
  }
  return absl::OkStatus();
}

absl::Status Get(ByteReader& reader, bool& value) {
  DOVETAIL_ASSIGN_OR_RETURN(const uint8_t byte, reader.Byte());
  if (byte > 1) return DataLoss("is neither true nor false");
  value = byte == 1;
  return absl::OkStatus();
}
absl::Status Get(ByteReader& reader, int64_t& value) {
  DOVETAIL_ASSIGN_OR_RETURN(value, reader.Signed());
  return absl::OkStatus();
}
absl::Status Get(ByteReader& reader, uint64_t& value) {
  DOVETAIL_ASSIGN_OR_RETURN(value, reader.Number());
  return absl::OkStatus();
}
absl::Status Get(ByteReader& reader, double& value) {
  DOVETAIL_ASSIGN_OR_RETURN(value, reader.Real());
  return absl::OkStatus();
}
absl::Status Get(ByteReader& reader, std::string& value) {
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view text, reader.Text());
  value = std::string(text);
  return absl::OkStatus();
}
absl::Status Get(ByteReader& reader, ElementType& value) {
  DOVETAIL_ASSIGN_OR_RETURN(value, ReadElementType(reader));
  return absl::OkStatus();
}
absl::Status Get(ByteReader& reader, PartialShape& value) {
  DOVETAIL_ASSIGN_OR_RETURN(value, ReadPartialShape(reader));
  return absl::OkStatus();
}
template <typename T>
absl::Status Get(ByteReader& reader, std::vector<T>& values) {
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, reader.Count());
  values.clear();
  for (size_t i = 0; i < count; ++i) {
    T value;
    DOVETAIL_RETURN_IF_ERROR(Get(reader, value));
    values.push_back(std::move(value));
  }
  return absl::OkStatus();
}

// Tensors alone may have their elements elsewhere.
template <typename T>
absl::Status Put(const T& value, ByteWriter& writer, ConstantsWriter*) {
  return Put(value, writer);
}
absl::Status Put(const Tensor& value, ByteWriter& writer,
                 ConstantsWriter* constants) {
  return WriteTensor(value, writer, constants);
}
template <typename T>
absl::Status Get(ByteReader& reader, T& value, ConstantsReader*) {
  return Get(reader, value);
}
absl::Status Get(ByteReader& reader, Tensor& value,
                 ConstantsReader* constants) {
  DOVETAIL_ASSIGN_OR_RETURN(value, ReadTensor(reader, constants));
  return absl::OkStatus();
}

// ---- All of a struct ----

// What both directions have in common.
template <typename Derived>
class Noting : public EachAttribute<Derived> {
 protected:
  void Note(absl::string_view name, const absl::Status& status) {
    status_.Update(Annotate(status, absl::StrCat("attribute ", name)));
  }
  absl::Status status_;
};

class Writer : public Noting<Writer> {
 public:
  explicit Writer(ConstantsWriter* constants) : constants_(constants) {}

  template <typename T>
  void Each(absl::string_view name, const T& value) {
    ByteWriter bytes;
    Note(name, Put(value, bytes, constants_));
    values_.emplace_back(std::string(name), bytes.Take());
  }

  absl::Status Finish(ByteWriter& writer) const {
    writer.Number(values_.size());
    for (const auto& [name, bytes] : values_) {
      writer.Text(name);
      writer.Text(bytes);
    }
    return status_;
  }

 protected:
  void VisitEnum(absl::string_view name, int& value,
                 absl::Span<const EnumName> names) override {
    for (const EnumName& candidate : names) {
      if (candidate.value != value) continue;
      Each(name, std::string(candidate.name));
      return;
    }
    Note(name, Internal("has the value ", value, ", which has no name"));
  }

 private:
  ConstantsWriter* constants_;
  std::vector<std::pair<std::string, std::string>> values_;
};

class Reader : public Noting<Reader> {
 public:
  explicit Reader(ConstantsReader* constants) : constants_(constants) {}

  absl::Status Take(ByteReader& reader) {
    DOVETAIL_ASSIGN_OR_RETURN(const size_t count, reader.Count());
    for (size_t i = 0; i < count; ++i) {
      DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view name, reader.Text());
      DOVETAIL_ASSIGN_OR_RETURN(values_[std::string(name)], reader.Text());
    }
    return absl::OkStatus();
  }

  template <typename T>
  void Each(absl::string_view name, T& value) {
    const auto it = values_.find(std::string(name));
    if (it == values_.end()) {
      Note(name, DataLoss("is not there"));
      return;
    }
    ByteReader bytes(it->second);
    Note(name, Get(bytes, value, constants_));
    Note(name, bytes.Finish());
    values_.erase(it);
  }

  absl::Status Finish() const {
    if (!status_.ok() || values_.empty()) return status_;
    return DataLoss("there is no attribute '", values_.begin()->first, "'");
  }

 protected:
  void VisitEnum(absl::string_view name, int& value,
                 absl::Span<const EnumName> names) override {
    std::string text;
    Each(name, text);
    for (const EnumName& candidate : names) {
      if (candidate.name != text) continue;
      value = candidate.value;
      return;
    }
    Note(name, DataLoss("has no value '", text, "'"));
  }

 private:
  ConstantsReader* constants_;
  std::map<std::string, absl::string_view> values_;
};

}  // namespace

absl::Status WriteAttributes(const Attributes& attributes,
                             ByteWriter& byte_writer,
                             ConstantsWriter* constants) {
  Writer writer(constants);
  // A clone: Visit may write what it shows.
  attributes.Clone()->Visit(writer);
  return writer.Finish(byte_writer);
}

absl::Status ReadAttributes(ByteReader& byte_reader, Attributes& attributes,
                            ConstantsReader* constants) {
  Reader reader(constants);
  DOVETAIL_RETURN_IF_ERROR(reader.Take(byte_reader));
  attributes.Visit(reader);
  return reader.Finish();
}

}  // namespace dovetail
