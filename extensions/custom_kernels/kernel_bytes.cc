#include "dovetail/extensions/custom_kernels/kernel_bytes.h"

#include <limits>
#include <utility>

#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

// Each part once, for writer and reader alike.
template <typename Bytes>
void Visit(CustomSource& source, Bytes& bytes) {
  bytes(source.name);
  bytes(source.text);
}

template <typename Bytes>
void Visit(CustomDefine& define, Bytes& bytes) {
  bytes(define.name);
  bytes(define.param);
  bytes(define.fallback);
  bytes(define.type);
}

template <typename Bytes>
void Visit(CustomTensor& tensor, Bytes& bytes) {
  bytes(tensor.kind, CustomTensor::Kind::kLocal);
  bytes(tensor.arg_index);
  bytes(tensor.port_index);
  bytes(tensor.format, CustomFormat::kAny);
  bytes(tensor.size);
  bytes(tensor.element_type);
}

template <typename Bytes>
void Visit(CustomScalar& scalar, Bytes& bytes) {
  bytes(scalar.arg_index);
  bytes(scalar.type);
  bytes(scalar.param);
  bytes(scalar.element);
  bytes(scalar.value);
}

template <typename Bytes>
void Visit(std::string& text, Bytes& bytes) {
  bytes(text);
}

template <typename Bytes>
void Visit(CustomKernel& kernel, Bytes& bytes) {
  bytes(kernel.layer);
  bytes(kernel.entry);
  bytes(kernel.sources);
  Visit(kernel.binary, bytes);
  bytes(kernel.defines);
  bytes(kernel.tensors);
  bytes(kernel.scalars);
  bytes(kernel.compiler_options);
  bytes(kernel.work_sizes.input);
  bytes(kernel.work_sizes.global);
  bytes(kernel.work_sizes.local);
  bytes(kernel.where);
}

class Writer {
 public:
  void operator()(std::string& text) { bytes.Text(text); }
  void operator()(int& number) { bytes.Signed(number); }
  template <typename Enum>
  void operator()(Enum& value, Enum) {
    bytes.Signed(static_cast<int>(value));
  }
  template <typename T>
  void operator()(std::vector<T>& list) {
    bytes.Number(list.size());
    for (T& one : list) Visit(one, *this);
  }

  ByteWriter bytes;
};

class Reader {
 public:
  explicit Reader(absl::string_view text) : bytes(text) {}

  void operator()(std::string& text) {
    if (!status.ok()) return;
    const auto read = bytes.Text();
    status = read.status();
    if (read.ok()) text = std::string(*read);
  }
  void operator()(int& number) {
    number = static_cast<int>(Between(std::numeric_limits<int>::min(),
                                      std::numeric_limits<int>::max()));
  }
  template <typename Enum>
  void operator()(Enum& value, Enum last) {
    value = static_cast<Enum>(Between(0, static_cast<int64_t>(last)));
  }
  template <typename T>
  void operator()(std::vector<T>& list) {
    if (!status.ok()) return;
    const auto count = bytes.Count(8);
    status = count.status();
    for (size_t i = 0; status.ok() && i < *count; ++i) {
      list.emplace_back();
      Visit(list.back(), *this);
    }
  }

  ByteReader bytes;
  absl::Status status;

 private:
  int64_t Between(int64_t low, int64_t high) {
    if (!status.ok()) return 0;
    const auto read = bytes.Signed();
    status = read.status();
    if (!read.ok()) return 0;
    if (low <= *read && *read <= high) return *read;
    status = DataLoss("custom kernels: ", *read, " where ", low, " to ", high,
                      " may be");
    return 0;
  }
};

}  // namespace

std::string WriteKernelBytes(const std::vector<CustomKernel>& kernels) {
  std::vector<CustomKernel> all = kernels;
  Writer writer;
  writer(all);
  return writer.bytes.Take();
}

absl::StatusOr<std::vector<CustomKernel>> ReadKernelBytes(
    absl::string_view bytes) {
  Reader reader(bytes);
  std::vector<CustomKernel> kernels;
  reader(kernels);
  DOVETAIL_RETURN_IF_ERROR(reader.status);
  DOVETAIL_RETURN_IF_ERROR(reader.bytes.Finish());
  return kernels;
}

}  // namespace dovetail
