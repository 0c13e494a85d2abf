#include "dovetail/backends/cpu/testing/random_primitives/random_primitive.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace dovetail::cpu {
namespace {

using Numbers = std::vector<int64_t>;

// So many products at most, for the reference computes them, too.
constexpr double kMaxProducts = 3e6;

// Sums of bytes and of f32 differ by their order; those of bf16 by 2^-8 of each
// factor, where weights are small enough for sums of about 1.
constexpr double kTolerance = 5e-4;
constexpr double kBf16Tolerance = 0.05;
// Next to ties, two levels; 0 is stored as 63 at least.
constexpr double kStoredTolerance = 2.01 / 60;

class Dice {
 public:
  explicit Dice(unsigned seed) : generator_(seed) {}

  // Both included. Not by a distribution, which libraries differ in.
  int64_t From(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(generator_() % (high - low + 1));
  }
  bool OneIn(int n) { return From(1, n) == 1; }
  int64_t OneOf(const Numbers& numbers) {
    return numbers[From(0, static_cast<int64_t>(numbers.size()) - 1)];
  }
  const char* TextOf(const std::vector<const char*>& texts) {
    return texts[From(0, static_cast<int64_t>(texts.size()) - 1)];
  }

 private:
  std::mt19937 generator_;
};

std::string List(const Numbers& numbers) {
  return absl::StrCat("[", absl::StrJoin(numbers, ","), "]");
}

std::string Parameter(const char* id, const Numbers& shape, const char* type,
                      const char* name = "") {
  return absl::StrCat(id, " = Parameter-0() {shape: ", List(shape),
                      ", element_type: ", type, "}",
                      *name == '\0' ? "" : "  # ", name, "\n");
}

// What a window does along one axis. Dilation 1: neighbours.
struct Axis {
  int64_t input = 1, kernel = 1, stride = 1, dilation = 1, begin = 0, end = 0;

  int64_t reach() const { return (kernel - 1) * dilation + 1; }
  int64_t output() const {
    return (input + begin + end - reach()) / stride + 1;
  }
};

Axis RandomAxis(Dice& dice, bool may_dilate) {
  Axis axis;
  axis.kernel = dice.OneIn(4) ? dice.OneOf({7, 9, 13, 14, 15, 17, 23, 31})
                              : dice.OneOf({1, 1, 2, 3, 3, 4, 5});
  axis.stride = dice.OneIn(3) ? dice.From(2, 4) : 1;
  axis.dilation = may_dilate && dice.OneIn(5) ? dice.From(2, 3) : 1;
  axis.begin = dice.From(0, axis.kernel / 2);
  axis.end = dice.OneIn(2) ? axis.begin : dice.From(0, axis.kernel / 2);
  const int64_t least =
      std::max<int64_t>(1, axis.reach() - axis.begin - axis.end);
  axis.input =
      std::max(least, dice.OneIn(3) ? dice.From(30, 70) : dice.From(1, 20));
  return axis;
}

// The numbers that `of` says of each axis.
template <typename Of>
Numbers Each(const std::vector<Axis>& axes, Of of) {
  Numbers numbers;
  for (const Axis& axis : axes) numbers.push_back(of(axis));
  return numbers;
}

std::string WindowText(const std::vector<Axis>& axes) {
  return absl::StrCat(
      "strides: ", List(Each(axes, [](const Axis& a) { return a.stride; })),
      ", pads_begin: ", List(Each(axes, [](const Axis& a) { return a.begin; })),
      ", pads_end: ", List(Each(axes, [](const Axis& a) { return a.end; })),
      ", auto_pad: explicit");
}

std::string Dilations(const std::vector<Axis>& axes) {
  return absl::StrCat(
      ", dilations: ",
      List(Each(axes, [](const Axis& a) { return a.dilation; })));
}

Numbers Joined(Numbers first, const Numbers& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<Axis> RandomAxes(Dice& dice, bool may_dilate) {
  std::vector<Axis> axes(dice.OneOf({1, 2, 2, 2, 2, 2, 2, 3}));
  for (Axis& axis : axes) axis = RandomAxis(dice, may_dilate);
  return axes;
}

int64_t Channels(Dice& dice) {
  return dice.OneOf({1, 2, 3, 4, 5, 8, 12, 15, 16, 17, 24, 32, 33, 48, 64});
}

struct Convolution {
  int64_t batch = 1, groups = 1, inputs = 1, outputs = 1;  // of a group
  std::vector<Axis> axes;
  bool transposed = false, grouped = false;

  double products() const {
    double count = static_cast<double>(batch * groups * inputs * outputs);
    for (const Axis& axis : axes) {
      count *= static_cast<double>(axis.kernel *
                                   (transposed ? axis.input : axis.output()));
    }
    return count;
  }
};

Convolution RandomConvolution(Dice& dice) {
  Convolution c;
  c.batch = dice.OneIn(4) ? dice.From(2, 3) : 1;
  c.transposed = dice.OneIn(3);
  switch (dice.From(0, 2)) {
    case 0:
      c.inputs = Channels(dice);
      c.outputs = Channels(dice);
      break;
    case 1:
      c.grouped = true;
      c.groups = dice.From(1, 5);
      c.inputs = dice.OneOf({1, 2, 3, 4, 8, 16, 20});
      c.outputs = dice.OneOf({1, 2, 3, 4, 8, 16, 20});
      break;
    default:
      c.grouped = true;
      c.groups = dice.OneIn(4) ? 80 : Channels(dice);
  }
  c.axes = RandomAxes(dice, /*may_dilate=*/true);
  return c;
}

// Small enough, from the first seed that gives one.
Convolution SmallConvolution(Dice& dice) {
  for (;;) {
    Convolution c = RandomConvolution(dice);
    if (c.products() <= kMaxProducts) return c;
  }
}

// A transposed convolution has the shapes of one the other way round: its data
// is what that one gives. What an axis lacks to be that long is added.
Numbers OutputPadding(const Convolution& c) {
  return Each(c.axes, [](const Axis& a) {
    return (a.input + a.begin + a.end - a.reach()) % a.stride;
  });
}

std::string Operator(const Convolution& c) {
  return absl::StrCat(c.grouped ? "Group" : "", "Convolution",
                      c.transposed ? "BackpropData" : "", "-1");
}

Numbers DataShape(const Convolution& c) {
  return Joined({c.batch, c.groups * c.inputs},
                Each(c.axes, [&](const Axis& a) {
                  return c.transposed ? a.output() : a.input;
                }));
}

Numbers WeightsShape(const Convolution& c) {
  Numbers shape = c.transposed ? Numbers{c.inputs, c.outputs}
                               : Numbers{c.outputs, c.inputs};
  if (c.grouped) shape.insert(shape.begin(), c.groups);
  return Joined(shape, Each(c.axes, [](const Axis& a) { return a.kernel; }));
}

// Of what the convolution gives.
Numbers ResultShape(const Convolution& c) {
  return Joined({c.batch, c.groups * c.outputs},
                Each(c.axes, [&](const Axis& a) {
                  return c.transposed ? a.input : a.output();
                }));
}

// Appends a chain of nodes.
class Chain {
 public:
  void Add(const char* id, const std::string& node) {
    absl::StrAppend(&text, id, " = ", node, "\n");
    last = id;
  }
  std::string End() const {
    return absl::StrCat(text, "%r = Result-0(", last, ") {}\n");
  }

  std::string text, last = "%c";
};

// Sums of bytes of about 1, perhaps with bytes added, and stored as bytes.
std::string QuantizedFollowers(Dice& dice, const Convolution& c) {
  double terms = static_cast<double>(c.inputs);
  for (const Axis& a : c.axes) terms *= static_cast<double>(a.kernel);
  Numbers of_channels = {1, c.groups * c.outputs};
  of_channels.resize(2 + c.axes.size(), 1);
  Chain chain;
  absl::StrAppend(&chain.text, "%s = Constant-0() {value: f32[] {",
                  1 / (5000 * std::sqrt(terms)), "}}\n",
                  Parameter("%b", of_channels, "f32", "constant bias"));
  chain.Add("%n", "Multiply-1(%c, %s) {}");
  if (dice.OneIn(2)) chain.Add("%n1", "Add-1(%n, %b) {}");
  if (dice.OneIn(2)) {
    const char* const limits =
        dice.TextOf({"-1, max: 2", "0, max: 1e30", "-9, max: 9"});
    chain.Add("%n2",
              absl::StrCat("Clamp-0(", chain.last, ") {min: ", limits, "}"));
  }
  const bool is_signed = dice.OneIn(3);
  absl::StrAppend(&chain.text, "%il = Constant-0() {value: f32[] {",
                  is_signed ? -6 : -4, "}}\n%ih = Constant-0() {value: f32[] {",
                  is_signed ? 2 : 4, "}}\n");
  if (dice.OneIn(2)) {
    if (dice.OneIn(2)) {
      chain.Add("%g", absl::StrCat("FakeQuantize-0(", chain.last,
                                   ", %il, %ih, %il, %ih) {levels: 256}"));
    }
    absl::StrAppend(&chain.text, Parameter("%q", ResultShape(c), "u8"),
                    "%qf = Convert-0(%q) {destination_type: f32}\n",
                    "%qs = Constant-0() {value: f32[] {0.01}}\n",
                    "%qm = Multiply-1(%qf, %qs) {}\n");
    chain.Add("%n3", absl::StrCat("Add-1(", chain.last, ", %qm) {}"));
  }
  absl::StrAppend(
      &chain.text, "%ol = Constant-0() {value: f32[] {", is_signed ? -128 : 0,
      "}}\n%oh = Constant-0() {value: f32[] {", is_signed ? 127 : 255, "}}\n");
  chain.Add("%f", absl::StrCat("FakeQuantize-0(", chain.last,
                               ", %il, %ih, %ol, %oh) {levels: 256}"));
  chain.Add("%y", absl::StrCat("Convert-0(%f) {destination_type: ",
                               is_signed ? "i8" : "u8", "}"));
  return chain.End();
}

// %p of what is before it and of %q, which has its shape; or nothing: %c.
std::string Followers(Dice& dice, const Convolution& c) {
  Numbers of_channels = {1, c.groups * c.outputs};
  of_channels.resize(2 + c.axes.size(), 1);
  Chain chain;
  if (dice.OneIn(2)) {
    absl::StrAppend(&chain.text,
                    Parameter("%b", of_channels, "f32", "constant bias"));
    chain.Add("%f1", absl::StrCat(dice.TextOf({"Add-1", "Add-1", "Multiply-1"}),
                                  "(", chain.last, ", %b) {}"));
  }
  if (dice.OneIn(2)) {
    chain.Add("%f2", absl::StrCat(dice.TextOf({"Relu-0", "Sigmoid-0",
                                               "HSwish-4", "Abs-0", "Tanh-0"}),
                                  "(", chain.last, ") {}"));
  }
  if (dice.OneIn(4)) {
    absl::StrAppend(&chain.text, Parameter("%q", ResultShape(c), "f32"));
    chain.Add("%f3", absl::StrCat("Add-1(", chain.last, ", %q) {}"));
  }
  if (c.axes.size() == 2 && dice.OneIn(4)) {
    absl::StrAppend(&chain.text,
                    "%order = Constant-0() {value: i64[4] {0, 2, 3, 1}}\n");
    chain.Add("%f4", absl::StrCat("Transpose-1(", chain.last, ", %order) {}"));
  }
  return chain.End();
}

enum class Arithmetic { kF32, kBf16, kBytes };

// %d and %k: the data and weights as floats.
std::string Operands(Dice& dice, const Convolution& c, Arithmetic arithmetic) {
  if (arithmetic != Arithmetic::kBytes) {
    return absl::StrCat(
        Parameter("%d", DataShape(c), "f32"),
        Parameter("%k", WeightsShape(c), "f32",
                  arithmetic == Arithmetic::kF32 ? "constant weights"
                                                 : "constant_small weights"));
  }
  const bool has_zero = dice.OneIn(3);
  std::string text = absl::StrCat(
      Parameter("%x", DataShape(c), dice.TextOf({"u8", "u8", "i8"})),
      Parameter("%w", WeightsShape(c), "i8", "constant_small weights"),
      has_zero ? "%xf" : "%d", " = Convert-0(%x) {destination_type: f32}\n",
      "%k = Convert-0(%w) {destination_type: f32}\n");
  if (has_zero) {
    absl::StrAppend(&text, "%z = Constant-0() {value: f32[] {7}}\n",
                    "%d = Subtract-1(%xf, %z) {}\n");
  }
  return text;
}

// `stores_bytes` says whether what is computed of bytes is.
std::string ConvolutionText(Dice& dice, Arithmetic arithmetic,
                            bool& stores_bytes) {
  const Convolution c = SmallConvolution(dice);
  std::string window = WindowText(c.axes) + Dilations(c.axes);
  if (c.transposed) {
    absl::StrAppend(&window, ", output_padding: ", List(OutputPadding(c)));
  }
  const std::string text =
      absl::StrCat(Operands(dice, c, arithmetic), "%c = ", Operator(c),
                   "(%d, %k) {", window, "}\n");
  stores_bytes = arithmetic == Arithmetic::kBytes && dice.OneIn(2);
  return text +
         (stores_bytes ? QuantizedFollowers(dice, c) : Followers(dice, c));
}

// Of a parameter, or of what a convolution stores in a layout of its own.
std::string PoolingText(Dice& dice) {
  std::vector<Axis> axes;
  int64_t channels = 0;
  double reads = 0;
  do {
    axes = RandomAxes(dice, /*may_dilate=*/false);
    channels = Channels(dice);
    reads = static_cast<double>(channels);
    for (Axis& axis : axes) {
      axis.begin = std::min(axis.begin, axis.kernel - 1);
      axis.end = std::min(axis.end, axis.kernel - 1);
      reads *= static_cast<double>(axis.kernel * axis.output());
    }
  } while (reads > kMaxProducts);
  const Numbers shape =
      Joined({1, channels}, Each(axes, [](const Axis& a) { return a.input; }));
  std::string text = Parameter("%x", shape, "f32");
  std::string data = "%x";
  if (dice.OneIn(2)) {
    Numbers weights = {channels, channels};
    weights.resize(2 + axes.size(), 1);
    const std::vector<Axis> one(axes.size());
    absl::StrAppend(&text, Parameter("%w", weights, "f32", "constant_small"),
                    "%d = Convolution-1(%x, %w) {", WindowText(one),
                    Dilations(one), "}\n");
    data = "%d";
  }
  const std::string window = absl::StrCat(
      WindowText(axes), ", rounding_type: ", dice.TextOf({"floor", "ceil"}),
      ", kernel: ", List(Each(axes, [](const Axis& a) { return a.kernel; })));
  const std::string pool =
      dice.OneIn(2)
          ? absl::StrCat("MaxPool-1(", data, ") {", window, "}")
          : absl::StrCat("AvgPool-1(", data, ") {", window,
                         ", exclude-pad: ", dice.TextOf({"true", "false"}),
                         "}");
  return absl::StrCat(text, "%c = ", pool, "\n%r = Result-0(%c) {}\n");
}

// %m of %d and %k: of constant weights, or of two computed factors in several
// products.
struct Product {
  int64_t batch = 1, rows = 1, depth = 1, columns = 1;
  bool transposed = false, has_weights = true;

  Numbers data() const { return {batch, rows, depth}; }
  Numbers factor() const {
    Numbers shape =
        transposed ? Numbers{columns, depth} : Numbers{depth, columns};
    if (!has_weights) shape.insert(shape.begin(), batch);
    return shape;
  }
  std::string text() const {
    return absl::StrCat(
        "%m = MatMul-0(%d, %k) {transpose_a: false, transpose_b: ",
        transposed ? "true" : "false", "}\n");
  }
};

Product RandomProduct(Dice& dice) {
  Product product;
  product.rows = dice.OneOf({1, 2, 5, 7, 16, 33, 60});
  product.depth = dice.OneIn(3) ? dice.From(100, 600) : dice.From(1, 70);
  product.columns = dice.OneIn(3) ? dice.From(64, 80) : dice.From(1, 50);
  product.transposed = dice.OneIn(2);
  product.batch = dice.From(1, 2);
  return product;
}

// Activations and biases, which end in %r.
std::string ProductFollowers(Dice& dice, const Product& product,
                             std::string last) {
  std::string text;
  if (dice.OneIn(2)) {
    absl::StrAppend(&text,
                    Parameter("%b", {product.columns}, "f32", "constant bias"),
                    "%a = Add-1(", last, ", %b) {}\n");
    last = "%a";
  }
  if (dice.OneIn(2)) {
    absl::StrAppend(&text,
                    "%g = ", dice.TextOf({"Gelu-7(", "Relu-0(", "Sigmoid-0("}),
                    last, ") {}\n");
    last = "%g";
  }
  return absl::StrCat(text, "%r = Result-0(", last, ") {}\n");
}

std::string ProductText(Dice& dice, Arithmetic arithmetic) {
  const Product product = RandomProduct(dice);
  return absl::StrCat(
      Parameter("%d", product.data(), "f32"),
      Parameter("%k", product.factor(), "f32",
                arithmetic == Arithmetic::kF32 ? "constant weights"
                                               : "constant_small weights"),
      product.text(), ProductFollowers(dice, product, "%m"));
}

// Of bytes, with sums of about 1 behind a scale, one or one a column.
std::string IntegerProductText(Dice& dice) {
  Product product = RandomProduct(dice);
  product.has_weights = dice.OneIn(2);
  const bool has_zero = dice.OneIn(2), by_columns = dice.OneIn(2);
  std::string text = absl::StrCat(
      Parameter("%x", product.data(), dice.TextOf({"u8", "u8", "i8"})),
      Parameter("%w", product.factor(), "i8",
                product.has_weights ? "constant_small weights" : ""),
      has_zero ? "%xf" : "%d", " = Convert-0(%x) {destination_type: f32}\n",
      "%k = Convert-0(%w) {destination_type: f32}\n");
  if (has_zero) {
    absl::StrAppend(&text, "%z = Constant-0() {value: f32[] {7}}\n",
                    "%d = Subtract-1(%xf, %z) {}\n");
  }
  const double scale =
      1 / (5000 * std::sqrt(static_cast<double>(product.depth)));
  absl::StrAppend(&text, product.text(), "%s = Constant-0() {value: f32[] {",
                  scale, "}}\n%n = Multiply-1(%m, %s) {}\n");
  if (!by_columns) return text + ProductFollowers(dice, product, "%n");
  absl::StrAppend(&text,
                  Parameter("%cs", {product.columns}, "f32", "constant scale"),
                  "%n2 = Multiply-1(%n, %cs) {}\n");
  return text + ProductFollowers(dice, product, "%n2");
}

}  // namespace

RandomPrimitive MakeRandomPrimitive(unsigned seed, bool has_bf16) {
  Dice dice(seed);
  RandomPrimitive primitive;
  const Arithmetic arithmetic = static_cast<Arithmetic>(dice.From(0, 2));
  if (arithmetic == Arithmetic::kBf16 && has_bf16) {
    primitive.options.settings.compute_type = ElementType::kBf16;
  }
  primitive.options.settings.threads = static_cast<int>(dice.From(1, 4));
  primitive.options.seed = seed;
  primitive.tolerance =
      arithmetic == Arithmetic::kBf16 ? kBf16Tolerance : kTolerance;
  const int64_t kind = dice.From(0, 9);
  if (kind == 0) {
    primitive.text = PoolingText(dice);
  } else if (kind == 1) {
    primitive.text = arithmetic == Arithmetic::kBytes
                         ? IntegerProductText(dice)
                         : ProductText(dice, arithmetic);
  } else {
    bool stores_bytes = false;
    primitive.text = ConvolutionText(dice, arithmetic, stores_bytes);
    if (stores_bytes) primitive.tolerance = kStoredTolerance;
  }
  return primitive;
}

}  // namespace dovetail::cpu
