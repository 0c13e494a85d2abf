#include "dovetail/testing/conformance/operations/writing/case_writer.h"

#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/ir/reader.h"
#include "dovetail/testing/conformance/operations/case_text.h"
#include "dovetail/testing/conformance/operations/writing/case_file.h"
#include "dovetail/tools/conformance/cases/case_files.h"
#include "dovetail/tools/conformance/cases/case_index.h"

namespace dovetail {
namespace {

using conformance::Case;

// ---- From arrays on disk ----

// As the result's type where no value is lost, else as it is.
absl::StatusOr<Tensor> Narrowed(const Tensor& tensor, ElementType type) {
  if (type == tensor.type() || type == ElementType::kDynamic) return tensor;
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor narrow, ConvertTensor(tensor, type));
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor again,
                            ConvertTensor(narrow, tensor.type()));
  return again.Equals(tensor) ? narrow : tensor;
}

absl::StatusOr<OperationCase::Inference> ReadInference(
    const Case& test_case, int step, const OperationCase& before) {
  OperationCase::Inference inference;
  const auto& parameters = before.model->parameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const std::optional<Tensor> tensor,
        conformance::ReadInput(test_case, i, step, parameters[i]->port().type));
    inference.inputs.push_back(tensor ? *tensor
                                      : before.inferences.back().inputs[i]);
  }
  for (size_t i = 0; i < before.model->results().size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor,
                              conformance::ReadExpected(test_case, i, step));
    DOVETAIL_ASSIGN_OR_RETURN(
        inference.outputs.emplace_back(),
        Narrowed(tensor, before.model->results()[i]->input(0).type()));
  }
  return inference;
}

absl::StatusOr<OperationCase> ReadCase(const Case& test_case) {
  OperationCase result;
  result.name = test_case.name;
  result.operations = absl::StrSplit(test_case.operations, ',');
  result.relative = test_case.tolerance(0).relative;
  result.absolute = test_case.tolerance(0).absolute;
  result.evidence = test_case.evidence;
  DOVETAIL_ASSIGN_OR_RETURN(result.model, ReadIr(test_case.model_path));
  for (int step = 1; conformance::HasStep(test_case, step); ++step) {
    DOVETAIL_ASSIGN_OR_RETURN(OperationCase::Inference inference,
                              ReadInference(test_case, step, result));
    result.inferences.push_back(std::move(inference));
  }
  return result;
}

// The text of a case, from which it can be read as it is.
absl::StatusOr<std::string> LosslessText(const OperationCase& test_case) {
  const std::string text = CaseText(test_case);
  DOVETAIL_ASSIGN_OR_RETURN(const auto again, ParseCases(text));
  if (again.size() != 1 || CaseText(again[0]) != text ||
      again[0].model->parameters().size() !=
          test_case.model->parameters().size()) {
    return Internal("reads back as another case");
  }
  return text;
}

// ---- Files ----

using CaseFiles = std::map<std::string, CaseFile>;  // by name, "softplus"

// "SoftPlus", "soft_plus": the same without what spelling is free in.
std::string Plain(absl::string_view name) {
  return absl::AsciiStrToLower(absl::StrReplaceAll(name, {{"_", ""}}));
}

absl::StatusOr<CaseFiles> ReadFiles(const std::string& folder) {
  CaseFiles files;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder, error)) {
    if (entry.path().extension() != ".txt") continue;
    const std::string key = Plain(entry.path().stem().string());
    DOVETAIL_ASSIGN_OR_RETURN(CaseFile file,
                              CaseFile::Read(entry.path().string()));
    if (!files.emplace(key, std::move(file)).second) {
      return InvalidArgument("there are two files for ",
                             entry.path().stem().string());
    }
  }
  if (error) return NotFound("cannot read ", folder, ": ", error.message());
  return files;
}

absl::Status AddCase(const Case& test_case, CaseFiles& files) {
  DOVETAIL_ASSIGN_OR_RETURN(const OperationCase read, ReadCase(test_case));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string text, LosslessText(read));
  const std::string operation = read.operations[0];
  const std::string type = operation.substr(0, operation.rfind('-'));
  const auto file = files.find(Plain(type));
  if (file == files.end()) {
    return NotFound("no file for ", type,
                    ": begin with an empty cases/<family>/",
                    absl::AsciiStrToLower(type), ".txt");
  }
  file->second.Put(read.name, text);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<int> WriteCases(const std::vector<std::string>& sets,
                               const std::string& filter,
                               const std::string& folder) {
  DOVETAIL_ASSIGN_OR_RETURN(CaseFiles files, ReadFiles(folder));
  int count = 0;
  for (const std::string& set : sets) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Case> cases,
                              conformance::ReadCaseIndex(set, "", filter));
    for (const Case& test_case : cases) {
      const absl::Status status = AddCase(test_case, files);
      if (!status.ok()) return Annotate(status, test_case.name);
    }
    count += static_cast<int>(cases.size());
  }
  for (const auto& [key, file] : files) {
    DOVETAIL_RETURN_IF_ERROR(file.Write());
  }
  return count;
}

}  // namespace dovetail
