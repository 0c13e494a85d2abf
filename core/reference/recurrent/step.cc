#include "dovetail/core/reference/recurrent/step.h"

#include "dovetail/core/reference/recurrent/functions.h"

namespace dovetail {
namespace {

// The parts of a gate for one element.
template <typename T>
class Gates {
 public:
  Gates(const CellRules& rules, const StepData<T>& data)
      : rules_(rules), data_(data) {}

  T Bias(int block, int64_t i) const {
    return data_.bias == nullptr ? T(0)
                                 : data_.bias[block * rules_.size + i];
  }
  T FromData(int gate, int64_t i) const {
    return data_.x[gate * rules_.size + i];
  }
  T FromState(int gate, int64_t i) const {
    return data_.h[gate * rules_.size + i];
  }
  T Sum(int gate, int64_t i) const {
    return FromData(gate, i) + FromState(gate, i) + Bias(gate, i);
  }
  T Peephole(int block, int64_t i) const {
    return data_.peepholes == nullptr
               ? T(0)
               : data_.peepholes[block * rules_.size + i];
  }
  T Apply(int function, T sum) const {
    return Activate(rules_.activations[function],
                    Clipped(sum, rules_.attributes->clip));
  }

 private:
  const CellRules& rules_;
  const StepData<T>& data_;
};

}  // namespace

template <typename T>
void RnnStep(const CellRules& rules, const StepData<T>& data) {
  const Gates<T> gates(rules, data);
  for (int64_t i = 0; i < rules.size; ++i) {
    data.state[i] = gates.Apply(0, gates.Sum(0, i));
  }
}

template <typename T>
void LstmStep(const CellRules& rules, const StepData<T>& data) {
  const Gates<T> gates(rules, data);
  // The gates are where the attribute says, as the specification has it;
  // OpenVINO's CPU plugin reads all formats as "fico".
  const LstmGates order = GatesOf(rules.attributes->weights_format);
  for (int64_t i = 0; i < rules.size; ++i) {
    const T before = data.cell[i];
    const T input = gates.Apply(
        0, gates.Sum(order.i, i) + gates.Peephole(0, i) * before);
    const T forget =
        rules.attributes->input_forget
            ? 1 - input
            : gates.Apply(
                  0, gates.Sum(order.f, i) + gates.Peephole(2, i) * before);
    const T candidate = gates.Apply(1, gates.Sum(order.c, i));
    const T cell = forget * before + input * candidate;
    const T output =
        gates.Apply(0, gates.Sum(order.o, i) + gates.Peephole(1, i) * cell);
    data.cell[i] = cell;
    // The cell's state itself is not clipped.
    data.state[i] = output * Activate(rules.activations[2], cell);
  }
}

template <typename T>
void GruGates(const CellRules& rules, const StepData<T>& data, T* z,
              T* reset_state) {
  const Gates<T> gates(rules, data);
  for (int64_t i = 0; i < rules.size; ++i) {
    z[i] = gates.Apply(0, gates.Sum(0, i));
    reset_state[i] = gates.Apply(0, gates.Sum(1, i)) * data.state[i];
  }
}

template <typename T>
void GruFinish(const CellRules& rules, const StepData<T>& data, const T* z,
               const T* h_new) {
  const Gates<T> gates(rules, data);
  for (int64_t i = 0; i < rules.size; ++i) {
    const T next =
        gates.Apply(1, gates.FromData(2, i) + h_new[i] + gates.Bias(2, i));
    data.state[i] = (1 - z[i]) * next + z[i] * data.state[i];
  }
}

template <typename T>
void GruLinearStep(const CellRules& rules, const StepData<T>& data) {
  const Gates<T> gates(rules, data);
  for (int64_t i = 0; i < rules.size; ++i) {
    const T z = gates.Apply(0, gates.Sum(0, i));
    const T reset = gates.Apply(0, gates.Sum(1, i));
    const T recurrent = reset * (gates.FromState(2, i) + gates.Bias(3, i));
    const T next =
        gates.Apply(1, gates.FromData(2, i) + recurrent + gates.Bias(2, i));
    data.state[i] = (1 - z) * next + z * data.state[i];
  }
}

template void RnnStep(const CellRules&, const StepData<float>&);
template void RnnStep(const CellRules&, const StepData<double>&);
template void LstmStep(const CellRules&, const StepData<float>&);
template void LstmStep(const CellRules&, const StepData<double>&);
template void GruGates(const CellRules&, const StepData<float>&, float*,
                       float*);
template void GruGates(const CellRules&, const StepData<double>&, double*,
                       double*);
template void GruFinish(const CellRules&, const StepData<float>&, const float*,
                        const float*);
template void GruFinish(const CellRules&, const StepData<double>&,
                        const double*, const double*);
template void GruLinearStep(const CellRules&, const StepData<float>&);
template void GruLinearStep(const CellRules&, const StepData<double>&);

}  // namespace dovetail
