// Fits constants of a Myriad X's description to tables of measured layer times.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "dovetail/backends/vpu/program/program.h"
#include "dovetail/bench/vpu/dump.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/memory/mapped_file.h"

namespace dovetail::vpu {
namespace {

// What the tables say something of; the others are facts, or rest on other
// measurements.
constexpr absl::string_view kKeys[] = {
    "step_cycles_per_pixel", "step_weight_cycles",
    "drain_scale",           "pixel_cycles",
    "hw_stage_cycles",       "output_row_cycles",
    "output_pixel_cycles",   "burst_ns",
    "burst_byte_ns",         "pool_pixel_cycles",
    "pool_input_byte_ns",    "binary_stage_cycles",
    "binary_element_cycles", "unary_stage_cycles",
    "unary_element_cycles",  "unary_ddr_element_cycles",
    "shave_ddr_byte_ns"};
constexpr size_t kCount = std::size(kKeys);

// Errors beyond this are of rules, not of constants, and count ever less.
constexpr double kScale = 0.02;
constexpr int kRounds = 40;

using Vector = std::vector<double>;  // logarithms of constants, or errors

struct Tables {
  std::vector<Dump> dumps;
};

absl::StatusOr<Tables> ReadTables(const std::vector<std::string>& paths) {
  Tables tables;
  for (const std::string& path : paths) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                              MappedFile::Read(path));
    DOVETAIL_ASSIGN_OR_RETURN(
        tables.dumps.emplace_back(),
        ParseDump({static_cast<const char*>(file->data()), file->size()}));
  }
  return tables;
}

absl::StatusOr<Machine> MachineWith(const Vector& constants) {
  DOVETAIL_ASSIGN_OR_RETURN(Machine machine, DefaultMachine());
  for (size_t i = 0; i < kCount; ++i) {
    DOVETAIL_RETURN_IF_ERROR(SetMachineValue(
        kKeys[i], absl::StrFormat("%.17g", std::exp(constants[i])), machine));
  }
  return machine;
}

// The logarithm of modelled over measured time of each layer.
absl::StatusOr<Vector> ErrorsOf(const Tables& tables, const Vector& constants) {
  DOVETAIL_ASSIGN_OR_RETURN(const Machine machine, MachineWith(constants));
  Vector errors;
  for (const Dump& dump : tables.dumps) {
    DOVETAIL_ASSIGN_OR_RETURN(const Program program,
                              Program::Compile(machine, dump.network));
    for (size_t i = 0; i < dump.network.size(); ++i) {
      const double us =
          machine.microseconds(static_cast<double>(program.layers()[i].cycles));
      if (us <= 0 || dump.microseconds[i] <= 0) continue;
      errors.push_back(std::log(us / dump.microseconds[i]));
    }
  }
  return errors;
}

// Cauchy's loss of all errors together.
double LossOf(const Vector& errors) {
  double loss = 0;
  for (const double error : errors) {
    loss += std::log1p(error * error / kScale / kScale);
  }
  return loss;
}

// Of a positive definite matrix.
Vector Solve(std::vector<Vector> a, Vector b) {
  for (size_t k = 0; k < b.size(); ++k) {
    for (size_t i = k + 1; i < b.size(); ++i) {
      const double factor = a[i][k] / a[k][k];
      for (size_t j = k; j < b.size(); ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (size_t k = b.size(); k-- > 0;) {
    for (size_t j = k + 1; j < b.size(); ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

// One column a constant.
absl::StatusOr<std::vector<Vector>> Derivatives(const Tables& tables,
                                                const Vector& constants,
                                                const Vector& errors) {
  constexpr double kStep = 1e-3;
  std::vector<Vector> columns;
  for (size_t k = 0; k < kCount; ++k) {
    Vector moved = constants;
    moved[k] += kStep;
    DOVETAIL_ASSIGN_OR_RETURN(Vector column, ErrorsOf(tables, moved));
    for (size_t i = 0; i < column.size(); ++i) {
      column[i] = (column[i] - errors[i]) / kStep;
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

// The step of weighted least squares, less the more it is damped.
Vector StepOf(const std::vector<Vector>& columns, const Vector& errors,
              double damping) {
  std::vector<Vector> a(kCount, Vector(kCount));
  Vector b(kCount);
  for (size_t i = 0; i < errors.size(); ++i) {
    const double weight = 1 / (1 + errors[i] * errors[i] / kScale / kScale);
    for (size_t k = 0; k < kCount; ++k) {
      b[k] -= weight * columns[k][i] * errors[i];
      for (size_t j = 0; j < kCount; ++j) {
        a[k][j] += weight * columns[k][i] * columns[j][i];
      }
    }
  }
  for (size_t k = 0; k < kCount; ++k) a[k][k] += damping;
  return Solve(std::move(a), std::move(b));
}

// Levenberg and Marquardt's.
absl::StatusOr<Vector> Fit(const Tables& tables, Vector constants) {
  DOVETAIL_ASSIGN_OR_RETURN(Vector errors, ErrorsOf(tables, constants));
  double damping = 0.1;
  for (int round = 0; round < kRounds && damping < 1e6; ++round) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Vector> columns,
                              Derivatives(tables, constants, errors));
    const Vector step = StepOf(columns, errors, damping);
    Vector moved = constants;
    for (size_t k = 0; k < kCount; ++k) {
      moved[k] += std::clamp(step[k], -0.2, 0.2);
    }
    DOVETAIL_ASSIGN_OR_RETURN(Vector next, ErrorsOf(tables, moved));
    if (LossOf(next) >= LossOf(errors)) {
      damping *= 4;
      continue;
    }
    damping /= 2;
    constants = std::move(moved);
    errors = std::move(next);
  }
  return constants;
}

absl::StatusOr<Vector> Defaults() {
  DOVETAIL_ASSIGN_OR_RETURN(const Machine machine, DefaultMachine());
  Vector constants;
  for (const absl::string_view key : kKeys) {
    DOVETAIL_ASSIGN_OR_RETURN(const double value, MachineValue(machine, key));
    constants.push_back(std::log(value));
  }
  return constants;
}

absl::Status Run(const std::vector<std::string>& paths) {
  DOVETAIL_ASSIGN_OR_RETURN(const Tables tables, ReadTables(paths));
  DOVETAIL_ASSIGN_OR_RETURN(const Vector before, Defaults());
  DOVETAIL_ASSIGN_OR_RETURN(const Vector after, Fit(tables, before));
  DOVETAIL_ASSIGN_OR_RETURN(const Vector first, ErrorsOf(tables, before));
  DOVETAIL_ASSIGN_OR_RETURN(const Vector last, ErrorsOf(tables, after));
  for (size_t k = 0; k < kCount; ++k) {
    std::cout << absl::StrFormat("%-26s %10.4g  (the description has %.4g)\n",
                                 kKeys[k], std::exp(after[k]),
                                 std::exp(before[k]));
  }
  std::cout << absl::StrFormat("loss over %d layers: %.2f, was %.2f\n",
                               last.size(), LossOf(last), LossOf(first));
  return absl::OkStatus();
}

}  // namespace
}  // namespace dovetail::vpu

// fit [TABLE.tsv …]: tables are the two of calibration in $DOVETAIL_SHARED/vpu,
// or those given.
int main(int argc, char** argv) {
  std::vector<std::string> paths(argv + 1, argv + argc);
  const char* const shared = std::getenv("DOVETAIL_SHARED");
  const std::string folder =
      absl::StrCat(shared ? shared : ".", "/vpu/perlayer_");
  if (paths.empty()) {
    paths = {folder + "resnet_v1_50_tf.tsv", folder + "inception_v1_tf.tsv"};
  }
  const absl::Status status = dovetail::vpu::Run(paths);
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
