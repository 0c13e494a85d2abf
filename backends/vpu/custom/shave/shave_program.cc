#include "dovetail/backends/vpu/custom/shave/shave_program.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/vpu/custom/source/counted_source.h"
#include "dovetail/backends/vpu/custom/source/prelude.h"
#include "dovetail/backends/vpu/custom/source/signature.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/custom_kernels/includes.h"

namespace dovetail::vpu {
namespace {

// The name that worker_main.cc looks for.
constexpr char kEntry[] = "dovetail_run_group";
constexpr char kFirst[] =
    "  if (get_local_id(0) + get_local_id(1) + get_local_id(2) == 0) ";
constexpr char kBarrier[] =
    "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n";
// A compiler that takes longer has lost itself.
constexpr int64_t kCompileMs = 120000;

// Of a compiled kernel what it holds; of sources only the text.
absl::StatusOr<ShaveKernelFile> FileOf(const ShaveKernel& kernel) {
  ShaveKernelFile file;
  file.entry = kernel.entry;
  for (const CustomSource& source : kernel.sources) {
    if (!IsShaveKernelFile(source.text)) {
      absl::StrAppend(&file.text, LineDirective(1, source.name), source.text,
                      "\n");
      continue;
    }
    DOVETAIL_ASSIGN_OR_RETURN(file, ReadShaveKernelFile(source.text));
    if (file.entry == kernel.entry) return file;
    return InvalidArgument(source.name, " is kernel '", file.entry, "', not '",
                           kernel.entry, "'");
  }
  return file;
}

// A call of a side kernel, which one item of the group makes; none where the
// source has no such function.
absl::StatusOr<std::string> SideCall(const std::string& source,
                                     const std::string& entry,
                                     const Signature& signature) {
  const std::optional<Signature> side = FindSignature(source, entry);
  if (!side.has_value()) return "";
  if (side->names.size() != signature.names.size()) {
    return InvalidArgument("its side kernel ", entry, " has ",
                           side->names.size(), " parameters; want the same ",
                           signature.names.size());
  }
  return absl::StrCat(kFirst, entry, "(", absl::StrJoin(signature.names, ", "),
                      ");\n", kBarrier);
}

absl::StatusOr<std::string> GroupText(const std::string& source,
                                      const std::string& entry,
                                      const Signature& signature) {
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::string before,
      SideCall(source, absl::StrCat("__dma_preload_", entry), signature));
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::string behind,
      SideCall(source, absl::StrCat("__dma_postwrite_", entry), signature));
  return absl::StrCat(
      LineDirective(1, "dovetail"), "kernel void ", kEntry, "(",
      signature.parameters, signature.parameters.empty() ? "" : ", ",
      "global ulong* dovetail_memory) {\n  dovetail_begin(dovetail_memory);\n",
      before, "  ", entry, "(", absl::StrJoin(signature.names, ", "), ");\n",
      kBarrier, behind, "}\n");
}

}  // namespace

absl::StatusOr<std::shared_ptr<const ShaveProgram>> ShaveProgram::Build(
    const ShaveKernel& kernel) {
  std::shared_ptr<ShaveProgram> program(new ShaveProgram);
  DOVETAIL_ASSIGN_OR_RETURN(ShaveWorker::Turn turn,
                            ShaveWorker::Shared().TakeTurn());
  DOVETAIL_ASSIGN_OR_RETURN(program->file_, FileOf(kernel));
  ShaveKernelFile& file = program->file_;
  const std::optional<Signature> signature =
      FindSignature(file.text, kernel.entry);
  if (!signature.has_value()) {
    return InvalidArgument("no source has a function 'void ", kernel.entry,
                           "(...)'");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const std::string group,
                            GroupText(file.text, kernel.entry, *signature));
  program->parameters_ = signature->names;
  program->counted_ = absl::StrCat(kPrelude, CountedSource(file.text), group);
  program->plain_ = absl::StrCat(kPrelude, file.text, group);
  if (file.compiler != turn.compiler()) file.binary.clear();
  file.entry = kernel.entry;
  file.compiler = turn.compiler();
  if (!file.binary.empty() && !program->Ready(turn).ok()) file.binary.clear();
  DOVETAIL_RETURN_IF_ERROR(program->Ready(turn));
  return std::shared_ptr<const ShaveProgram>(std::move(program));
}

absl::Status ShaveProgram::Ready(ShaveWorker::Turn& turn) const {
  if (process_ == turn.process()) return absl::OkStatus();
  ByteWriter body;
  body.Number(id_);
  body.Byte(file_.binary.empty() ? 0 : 1);
  if (file_.binary.empty()) {
    body.Text(counted_);
    body.Text(plain_);
  } else {
    body.Text(file_.binary);
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      const WorkerAnswer answer,
      turn.Ask(Question::kBuild, body.bytes(), kCompileMs));
  if (answer.end == WorkerAnswer::End::kFault) {
    return InvalidArgument("the driver's compiler crashed over it: ",
                           SignalText(answer.fault));
  }
  if (answer.end == WorkerAnswer::End::kTimeOut) {
    return InvalidArgument("the driver's compiler takes longer than two ",
                           "minutes over it");
  }
  process_ = turn.process();
  return absl::OkStatus();
}

absl::StatusOr<std::string> ShaveProgram::File() const {
  DOVETAIL_ASSIGN_OR_RETURN(ShaveWorker::Turn turn,
                            ShaveWorker::Shared().TakeTurn());
  DOVETAIL_RETURN_IF_ERROR(Ready(turn));
  ByteWriter body;
  body.Number(id_);
  DOVETAIL_ASSIGN_OR_RETURN(
      const WorkerAnswer answer,
      turn.Ask(Question::kBinary, body.bytes(), kCompileMs));
  if (answer.end != WorkerAnswer::End::kDone) {
    return Internal("the driver gives no binary of it");
  }
  ShaveKernelFile file = file_;
  file.binary = answer.bytes;
  return WriteShaveKernelFile(file);
}

}  // namespace dovetail::vpu
