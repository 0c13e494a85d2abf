// Models made at random survive printing and parsing, and texts damaged at
// random do no harm.
#include <limits>
#include <random>

#include "absl/strings/str_cat.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/graph/text.h"
#include "dovetail/core/ops/text/parse.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const OpInfo* FindTestOp(absl::string_view type, int version) {
  for (const OpInfo& op : TestOps()) {
    if (op.type == type && op.version == version) return &op;
  }
  return nullptr;
}

class ModelMaker {
 public:
  explicit ModelMaker(uint32_t seed) : random_(seed) {}

  Model Make(int depth = 0) {
    Model model(Word());
    std::vector<Value> values = {Parameter(model), Constant(model)};
    const int count = Below(12);
    for (int i = 0; i < count; ++i) AddNode(model, values, depth);
    AddTestNode(model, "Result", {Pick(values)}, Word());
    for (const auto& node : model.nodes()) {
      for (int i = 0; i < node->output_count(); ++i) {
        if (Below(4) == 0) node->port(i).names.insert(Word());
      }
    }
    return model;
  }

 private:
  int Below(int count) { return static_cast<int>(random_() % count); }
  Value Pick(const std::vector<Value>& values) {
    return values[Below(static_cast<int>(values.size()))];
  }

  // Names that a printer could stumble over.
  std::string Word() {
    static const char* const kWords[] = {
        "x", "conv/1", "a b", " led", "\"q\"", "#", "a  # b", "new\nline",
        "ümlaut", "\\", "{", "0", "tab\t", "%1"};
    return kWords[Below(std::size(kWords))];
  }

  double Number() {
    static const double kNumbers[] = {
        0, -0.0, 1, -1, 0.1, 1e-40, 1e300, 255, 1 / 3.0,
        std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::quiet_NaN()};
    return kNumbers[Below(std::size(kNumbers))];
  }

  Tensor RandomTensor() {
    const auto types = AllElementTypes();
    const ElementType type = types[Below(static_cast<int>(types.size()))];
    const Shape shape = Below(2) == 0 ? Shape{Below(4)} : Shape{2, Below(5)};
    const Tensor tensor = *Tensor::Allocate(type, shape);
    for (int64_t i = 0; i < tensor.element_count(); ++i) {
      if (type == ElementType::kString) {
        tensor.mutable_data<std::string>()[i] = Word();
      } else {
        tensor.SetElement(i, Number());
      }
    }
    return tensor;
  }

  Value Parameter(Model& model) {
    const PartialShape shapes[] = {PartialShape{2, 3},
                                   PartialShape{4, Dimension()},
                                   PartialShape{Dimension(1, 8)}};
    return AddTestParameter(model, shapes[Below(3)], Word())->output();
  }
  Value Constant(Model& model) {
    return AddTestConstant(model, RandomTensor(), Word())->output();
  }

  std::unique_ptr<Attributes> Everything() {
    auto all = std::make_unique<EverythingAttributes>();
    all->flag = Below(2) == 0;
    all->count = static_cast<int64_t>(random_()) * -1000003;
    all->seed = random_();
    all->factor = Number();
    all->text = Word();
    all->counts.assign(Below(3), Below(100) - 50);
    all->factors.assign(Below(3), Number());
    all->texts.assign(Below(3), Word());
    all->type = ElementType::kDynamic;
    if (Below(2) == 0) all->shape = PartialShape{1, Dimension(3, 9)};
    if (Below(2) == 0) all->tensor = RandomTensor();
    all->flavour = Below(2) == 0 ? Flavour::kSweet : Flavour::kSour;
    return all;
  }

  void AddNode(Model& model, std::vector<Value>& values, int depth) {
    switch (Below(depth < 3 ? 7 : 6)) {
      case 0:
        values.push_back(Parameter(model));
        return;
      case 1:
        values.push_back(Constant(model));
        return;
      case 2:
        values.push_back(AddTestNode(model, "Everything", {Pick(values)},
                                     Word(), Everything())->output());
        return;
      case 3:
        AddTestNode(model, "Assign", {Pick(values)}, Word(),
                    TestVariable(Word()));
        return;
      case 4:
        AddSplit(model, values);
        return;
      case 5:
        values.push_back(
            AddTestNode(model, "Relu", {Pick(values)}, Word())->output());
        return;
      default:
        AddLoop(model, values, depth);
    }
  }

  void AddSplit(Model& model, std::vector<Value>& values) {
    const Value input = AddTestParameter(model, {6, 2}, Word())->output();
    Node* split = AddTestNode(model, "Split", {input}, Word());
    values.push_back(split->output(0));
    values.push_back(split->output(1));
  }

  void AddLoop(Model& model, std::vector<Value>& values, int depth) {
    auto body = std::make_unique<Body>();
    body->model = std::make_unique<Model>(Make(depth + 1));
    body->inputs = {{0, 0, std::nullopt}};
    if (Below(2) == 0)
      body->inputs[0].slicing = Slicing{Below(3), -1, 0, -1, 2};
    body->outputs = {{0, 0, std::nullopt}};
    if (Below(2) == 0) body->back_edges = {{0, 0}};
    if (Below(2) == 0) body->execution_condition_result = 0;
    Node* loop = model.AddUninferred(TestOp("Loop"), {Pick(values)}, nullptr,
                                     Word());
    loop->bodies().push_back(std::move(body));
    ASSERT_TRUE(loop->Infer().ok());
    values.push_back(loop->output());
  }

  std::mt19937 random_;
};

std::string Print(const Model& model) {
  TextOptions options;
  options.max_elements = std::numeric_limits<int64_t>::max();
  return ModelText(model, options);
}

TEST(ParseFuzzTest, RandomModelsComeBack) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const Model model = ModelMaker(seed).Make();
    ASSERT_TRUE(model.Verify().ok());
    const std::string text = Print(model);
    const auto parsed = ParseModelText(text, FindTestOp);
    ASSERT_TRUE(parsed.ok()) << parsed.status() << "\n" << text;
    ASSERT_EQ(Print(*parsed), text);
    ASSERT_TRUE(Model::Compare(model, *parsed).ok())
        << Model::Compare(model, *parsed) << "\n" << text;
    ASSERT_EQ(model.Hash(), parsed->Hash());
  }
}

TEST(ParseFuzzTest, DamagedTextsAreAnswered) {
  std::mt19937 random(1);
  static constexpr char kBytes[] = "{}[]()%:,\"\\#-0123456789abcxyz \n\x80";
  int refused = 0;
  for (uint32_t seed = 0; seed < 100; ++seed) {
    const std::string text = Print(ModelMaker(seed).Make());
    for (int i = 0; i < 30; ++i) {
      std::string damaged = text;
      for (int k = 0; k <= i % 4; ++k) {
        const size_t at = random() % damaged.size();
        const char byte = kBytes[random() % (sizeof(kBytes) - 1)];
        switch (random() % 3) {
          case 0: damaged[at] = byte; break;
          case 1: damaged.insert(at, 1, byte); break;
          default: damaged.erase(at, 1 + random() % 8);
        }
      }
      const auto parsed = ParseModelText(damaged, FindTestOp);
      if (parsed.ok()) {  // what is taken is sound
        ASSERT_TRUE(parsed->Verify().ok()) << damaged;
      } else {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace dovetail
