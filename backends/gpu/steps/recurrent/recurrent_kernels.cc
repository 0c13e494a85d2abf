#include "dovetail/backends/gpu/steps/recurrent/recurrent_kernels.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/vector_text.h"

namespace dovetail::gpu {
namespace {

// $V: the type of vectors, $L: lanes, $G: gates, $R: rows, $S: vectors of
// scratch for a block.
std::string Marked(absl::string_view body, const RecurrentText& text) {
  return absl::StrReplaceAll(body, {{"$V", FloatVector(text.lanes)},
                                    {"$L", absl::StrCat(text.lanes)},
                                    {"$G", absl::StrCat(text.gates)},
                                    {"$R", absl::StrCat(text.rows)},
                                    {"$S", absl::StrCat(kStateVectors)}});
}

std::string Load(const RecurrentText& text, absl::string_view address) {
  return absl::StrCat("load_lanes", text.lanes, "(", address, ", ", text.lanes,
                      ")");
}

std::string Store(const RecurrentText& text, absl::string_view value,
                  absl::string_view address) {
  return absl::StrCat("store_lanes", text.lanes, "(", value, ", ", address,
                      ", ", text.lanes, ");\n");
}

// The function number `number` of the cell, of a sum that is cut to the clip.
std::string Activated(const RecurrentText& text, int number,
                      const std::string& sum, bool is_clipped = true) {
  const std::string x = is_clipped && text.has_clip
                            ? absl::StrCat("clipped(", sum, ", clip)")
                            : sum;
  const CellActivation& activation = text.activations[number];
  switch (activation.function) {
    case CellFunction::kSigmoid:
      return absl::StrCat("1.0f / (1.0f + exp(-(", x, ")))");
    case CellFunction::kTanh:
      return absl::StrCat("tanh(", x, ")");
    case CellFunction::kRelu:
      return absl::StrCat("negative_is_0(", x, ")");
    case CellFunction::kHardSigmoid:
      return absl::StrFormat("fmax(fmin(%af * (%s) + %af, 1.0f), 0.0f)",
                             static_cast<float>(activation.alpha), x,
                             static_cast<float>(activation.beta));
  }
  return x;
}

constexpr char kStart[] = R"(
  const int batch = get_global_id(0), direction = get_global_id(1);
  const int first = batch * directions + direction;
  const int padded = blocks * $L;
  __global float* now = state + first * $S * padded;
  __global float* next = now + padded;
  __global float* other = next + padded;
  __global float* z = other + padded;
  __global float* reset = z + padded;
  for (int i = 0; i < padded; ++i) {
    now[i] = i < size ? h0[first * size + i] : 0.0f;
  }
)";

constexpr char kFirstCell[] = R"(
  for (int i = 0; i < padded; ++i) {
    other[i] = i < size ? c0[first * size + i] : 0.0f;
  }
)";

constexpr char kStepsStart[] = R"(
  const int is_reverse = reverse || direction == 1;
  for (int step = 0; step < length; ++step) {
    const int t = is_reverse ? length - 1 - step : step;
    const __global float* sum =
        sums + ((batch * time + t) * directions + direction) * padded * $G;
)";

// The products of `state` for `count` gates from number `first` on, with two
// sums for each, as one waits for itself.
std::string Products(const RecurrentText& text, int first, int count,
                     absl::string_view state) {
  const std::string type = FloatVector(text.lanes);
  std::string sums, even, odd, total;
  for (int g = first; g < first + count; ++g) {
    const std::string at = absl::StrCat("ri + ", g * text.lanes);
    const std::string later =
        absl::StrCat("ri + ", (text.gates + g) * text.lanes);
    absl::StrAppend(&sums, "      ", type, " a", g, " = (", type, ")(0.0f), e",
                    g, " = a", g, ";\n");
    absl::StrAppend(&even, "        a", g, " = fma((", type, ")(s0), ",
                    Load(text, at), ", a", g, ");\n");
    absl::StrAppend(&odd, "        e", g, " = fma((", type, ")(s1), ",
                    Load(text, later), ", e", g, ");\n");
    absl::StrAppend(&total, "      a", g, " += e", g, ";\n");
  }
  return absl::Substitute(
      R"(      const __global float* ri =
          r + (direction * blocks + block) * size * $0;
$1      int k = 0;
      for (; k + 1 < size; k += 2, ri += 2 * $0) {
        const float s0 = $2[k], s1 = $2[k + 1];
$3$4      }
      if (k < size) {
        const float s0 = $2[k];
$3      }
$5)",
      text.gates * text.lanes, sums, state, even, odd, total);
}

std::string FromData(const RecurrentText& text, int gate) {
  return Load(text, absl::StrCat("sum + (block * ", text.gates, " + ", gate,
                                 ") * ", text.lanes));
}

std::string Sum(const RecurrentText& text, int gate) {
  return absl::StrCat("a", gate, " + ", FromData(text, gate));
}

constexpr char kBlocks[] =
    "    for (int block = 0; block < blocks; ++block) {\n";
constexpr char kEnd[] = "    }\n";

std::string At(absl::string_view name, int lanes) {
  return absl::StrCat(name, " + block * ", lanes);
}

std::string Define(const RecurrentText& text, absl::string_view name,
                   const std::string& value) {
  return absl::StrCat("      const ", FloatVector(text.lanes), " ", name, " = ",
                      value, ";\n");
}

std::string RnnStep(const RecurrentText& text) {
  return absl::StrCat(kBlocks, Products(text, 0, 1, "now"),
                      Define(text, "v", Activated(text, 0, Sum(text, 0))),
                      "      ", Store(text, "v", At("next", text.lanes)), kEnd);
}

// Gates f, i, c, o.
std::string LstmStep(const RecurrentText& text) {
  const std::string cell = At("other", text.lanes);
  return absl::StrCat(
      kBlocks, Products(text, 0, 4, "now"),
      Define(text, "f", Activated(text, 0, Sum(text, 0))),
      Define(text, "i", Activated(text, 0, Sum(text, 1))),
      Define(text, "g", Activated(text, 1, Sum(text, 2))),
      Define(text, "o", Activated(text, 0, Sum(text, 3))),
      Define(text, "cell", absl::StrCat("f * ", Load(text, cell), " + i * g")),
      "      ", Store(text, "cell", cell),
      Define(text, "v",
             absl::StrCat("o * (", Activated(text, 2, "cell", false), ")")),
      "      ", Store(text, "v", At("next", text.lanes)), kEnd);
}

constexpr char kMix[] = "(1.0f - u) * n + u * ";

// Gates z, r, n.
std::string GruStep(const RecurrentText& text) {
  const std::string now = Load(text, At("now", text.lanes));
  return absl::StrCat(
      kBlocks, Products(text, 0, 2, "now"),
      Define(text, "u", Activated(text, 0, Sum(text, 0))), "      ",
      Store(text, "u", At("z", text.lanes)),
      Define(text, "v",
             absl::StrCat("(", Activated(text, 0, Sum(text, 1)), ") * ", now)),
      "      ", Store(text, "v", At("reset", text.lanes)), kEnd, kBlocks,
      Products(text, 2, 1, "reset"),
      Define(text, "n", Activated(text, 1, Sum(text, 2))),
      Define(text, "u", Load(text, At("z", text.lanes))),
      Define(text, "v", absl::StrCat(kMix, now)), "      ",
      Store(text, "v", At("next", text.lanes)), kEnd);
}

std::string GruLinearStep(const RecurrentText& text) {
  const std::string now = Load(text, At("now", text.lanes));
  const std::string bias = Load(
      text, absl::StrCat("b2 + (direction * blocks + block) * ", text.lanes));
  const std::string sum =
      absl::StrCat(FromData(text, 2), " + q * (a2 + ", bias, ")");
  return absl::StrCat(kBlocks, Products(text, 0, 3, "now"),
                      Define(text, "u", Activated(text, 0, Sum(text, 0))),
                      Define(text, "q", Activated(text, 0, Sum(text, 1))),
                      Define(text, "n", Activated(text, 1, sum)),
                      Define(text, "v", absl::StrCat(kMix, now)), "      ",
                      Store(text, "v", At("next", text.lanes)), kEnd);
}

std::string Step(const RecurrentText& text) {
  switch (text.kind) {
    case CellKind::kRnn:
      return RnnStep(text);
    case CellKind::kLstm:
      return LstmStep(text);
    case CellKind::kGru:
      return GruStep(text);
    case CellKind::kGruLinear:
      return GruLinearStep(text);
  }
  return "";
}

constexpr char kStepsEnd[] = R"(
    __global float* const swap = now;
    now = next;
    next = swap;
)";

constexpr char kWriteStep[] = R"(
    for (int i = 0; i < size; ++i) y[(first * time + t) * size + i] = now[i];
)";

constexpr char kWriteRest[] = R"(
  for (int i = length * size; i < time * size; ++i) {
    y[first * time * size + i] = 0.0f;
  }
)";

constexpr char kWriteState[] = R"(
  for (int i = 0; i < size; ++i) {
    h[first * size + i] = length > 0 ? now[i] : 0.0f;
  }
)";

constexpr char kWriteCell[] = R"(
  for (int i = 0; i < size; ++i) {
    c[first * size + i] = length > 0 ? other[i] : 0.0f;
  }
)";

}  // namespace

std::string DataProductsBody(const RecurrentText& text) {
  std::string start, products, end;
  for (int r = 0; r < text.rows; ++r) {
    absl::StrAppend(&products, "      { const $V a = ($V)(xi[", r,
                    " * depth]);");
    for (int g = 0; g < text.gates; ++g) {
      const std::string sum = absl::StrCat("c", r, "_", g);
      absl::StrAppend(
          &start, "    $V ", sum, " = ",
          Load(text, absl::StrCat("b + (item * $G + ", g, ") * $L")), ";\n");
      absl::StrAppend(&products, " ", sum, " = fma(a, w", g, ", ", sum, ");");
      absl::StrAppend(
          &end, "    ",
          Store(text, sum,
                absl::StrCat("to + (", r, " * items * $G + ", g, ") * $L")));
    }
    absl::StrAppend(&products, " }\n");
  }
  std::string weights;
  for (int g = 0; g < text.gates; ++g) {
    absl::StrAppend(&weights, "      const $V w", g, " = ",
                    Load(text, absl::StrCat("wi + ", g, " * $L")), ";\n");
  }
  return Marked(
      absl::StrCat(R"(
    const int row = min((int)get_global_id(0) * $R, rows - $R);
    const int item = get_global_id(1);
    const __global float* xi = x + row * depth;
    const __global float* wi = w + item * depth * $G * $L;
    __global float* to = sums + (row * items + item) * $G * $L;
)",
                   start,
                   "    for (int k = 0; k < depth; ++k, ++xi, wi += $G * $L) "
                   "{\n",
                   weights, products, "    }\n", end),
      text);
}

std::string StepsBody(const RecurrentText& text) {
  const bool is_lstm = text.kind == CellKind::kLstm;
  return Marked(
      absl::StrCat(
          kStart, is_lstm ? kFirstCell : "",
          text.has_lengths
              ? "  const int length = clamp((int)lengths[batch], 0, time);\n"
              : "  const int length = time;\n",
          kStepsStart, Step(text), kStepsEnd, text.has_steps ? kWriteStep : "",
          "  }\n", text.has_steps ? kWriteRest : "", kWriteState,
          is_lstm ? kWriteCell : ""),
      text);
}

}  // namespace dovetail::gpu
