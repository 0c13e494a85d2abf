// Times OpenVINO on one model, as `dovetail benchmark` times Dovetail, and
// prints one line of JSON with the same keys. Not built by Bazel: setup.sh
// compiles it against the Python package's libraries.
//
//   openvino_peer MODEL.xml [--threads=N] [--streams=N] [--precision=P]
//                 [--seconds=S] [--pin=0|1] [--input=I=FILE.npy]...
//                 [--cache-dir=FOLDER] [--export=FILE.blob]
//                 [--device=DEVICE] [--requests=N]
//                 [--resize=MODE [--picture-size=HxW] [--rgb]
//                  [--mean=M,...] [--scale=S,...]]
//
// A device made of others, such as HETERO:CPU, gets no properties: the CPU has
// them.
// A model that ends in .blob is imported, mapped as the API allows. --export
// writes what has been compiled and times nothing. --resize and what follows it
// put the steps for u8 NHWC pictures before input 0, as in `dovetail benchmark`.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <openvino/openvino.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string model;
  int threads = 0, streams = 1;
  size_t requests = 0;  // 0: two a stream
  double seconds = 2;
  std::string device = "CPU";
  std::string precision = "default", pin, cache_dir, exported;
  std::map<size_t, std::string> inputs;
  // Steps for pictures, where `resize` is given: a mode or none.
  std::string resize;
  size_t height = 0, width = 0;  // 0: as the model's
  bool rgb = false;
  std::vector<float> mean, scale;
};

std::vector<float> Numbers(const std::string& text) {
  std::vector<float> numbers;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    numbers.push_back(std::stof(word));
  }
  return numbers;
}

// Whether it is one of those for pictures.
bool ParsePictureOption(const std::string& key, const std::string& value,
                        Options& options) {
  if (key == "--resize") {
    options.resize = value;
  } else if (key == "--picture-size") {
    options.height = std::stoul(value);
    options.width = std::stoul(value.substr(value.find('x') + 1));
  } else if (key == "--rgb") {
    options.rgb = true;
  } else if (key == "--mean") {
    options.mean = Numbers(value);
  } else if (key == "--scale") {
    options.scale = Numbers(value);
  } else {
    return false;
  }
  return true;
}

Options ParseOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const size_t equals = argument.find('=');
    const std::string key = argument.substr(0, equals);
    const std::string value =
        equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (key.rfind("--", 0) != 0) {
      options.model = argument;
    } else if (ParsePictureOption(key, value, options)) {
      continue;
    } else if (key == "--threads") {
      options.threads = std::stoi(value);
    } else if (key == "--streams") {
      options.streams = std::stoi(value);
    } else if (key == "--requests") {
      options.requests = std::stoul(value);
    } else if (key == "--device") {
      options.device = value;
    } else if (key == "--seconds") {
      options.seconds = std::stod(value);
    } else if (key == "--precision") {
      options.precision = value;
    } else if (key == "--pin") {
      options.pin = value;
    } else if (key == "--cache-dir") {
      options.cache_dir = value;
    } else if (key == "--export") {
      options.exported = value;
    } else if (key == "--input") {
      const size_t second = value.find('=');
      options.inputs[std::stoul(value)] = value.substr(second + 1);
    } else {
      throw std::runtime_error("unknown option " + key);
    }
  }
  if (options.model.empty()) throw std::runtime_error("which model?");
  return options;
}

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

double ResidentMegabytes() {
  std::ifstream file("/proc/self/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

// The elements of a version 1 .npy file of the tensor's size; bytes of a
// picture become floats where the model wants these.
void ReadNpy(const std::string& path, ov::Tensor tensor) {
  std::ifstream file(path, std::ios::binary);
  char start[10];
  if (!file.read(start, sizeof(start))) {
    throw std::runtime_error("cannot read " + path);
  }
  uint16_t length = 0;
  std::memcpy(&length, start + 8, sizeof(length));
  std::string header(length, ' ');
  file.read(header.data(), length);
  const bool bytes = header.find("u1'") != std::string::npos;
  if (bytes && tensor.get_element_type() == ov::element::f32) {
    std::vector<unsigned char> values(tensor.get_size());
    file.read(reinterpret_cast<char*>(values.data()), values.size());
    std::copy(values.begin(), values.end(), tensor.data<float>());
  } else {
    file.read(static_cast<char*>(tensor.data()), tensor.get_byte_size());
  }
  if (!file) throw std::runtime_error(path + " does not fit the input");
}

void SetInputs(const Options& options, ov::CompiledModel& model,
               ov::InferRequest& request) {
  for (size_t i = 0; i < model.inputs().size(); ++i) {
    ov::Shape shape;
    for (const auto& dimension : model.input(i).get_partial_shape()) {
      shape.push_back(dimension.is_static() ? dimension.get_length() : 1);
    }
    ov::Tensor tensor(model.input(i).get_element_type(), shape);
    std::memset(tensor.data(), 0, tensor.get_byte_size());
    const auto given = options.inputs.find(i);
    if (given != options.inputs.end()) ReadNpy(given->second, tensor);
    request.set_input_tensor(i, tensor);
  }
}

ov::AnyMap Properties(const Options& options) {
  ov::AnyMap properties = {ov::num_streams(options.streams)};
  if (options.threads > 0) {
    properties.insert(ov::inference_num_threads(options.threads));
  }
  if (options.precision == "f32") {
    properties.insert(ov::hint::inference_precision(ov::element::f32));
  } else if (options.precision == "bf16") {
    properties.insert(ov::hint::inference_precision(ov::element::bf16));
  }
  if (!options.pin.empty()) {
    properties.insert(ov::hint::enable_cpu_pinning(options.pin == "1"));
  }
  return properties;
}

ov::preprocess::ResizeAlgorithm ResizeMode(const std::string& name) {
  using ov::preprocess::ResizeAlgorithm;
  const std::map<std::string, ResizeAlgorithm> modes = {
      {"linear", ResizeAlgorithm::RESIZE_LINEAR},
      {"cubic", ResizeAlgorithm::RESIZE_CUBIC},
      {"nearest", ResizeAlgorithm::RESIZE_NEAREST},
      {"pillow-bilinear", ResizeAlgorithm::RESIZE_BILINEAR_PILLOW},
      {"pillow-bicubic", ResizeAlgorithm::RESIZE_BICUBIC_PILLOW},
  };
  const auto found = modes.find(name);
  if (found == modes.end()) throw std::runtime_error("unknown mode " + name);
  return found->second;
}

// In the order of `dovetail benchmark`: resized as u8, then mean and scale.
std::shared_ptr<ov::Model> WithPictureSteps(
    const std::shared_ptr<ov::Model>& model, const Options& options) {
  ov::preprocess::PrePostProcessor whole(model);
  ov::preprocess::InputInfo& input = whole.input(0);
  input.model().set_layout("NCHW");
  input.tensor().set_element_type(ov::element::u8).set_layout("NHWC");
  if (options.height > 0) {
    input.tensor().set_spatial_static_shape(options.height, options.width);
  }
  ov::preprocess::PreProcessSteps& steps = input.preprocess();
  if (!options.rgb) steps.reverse_channels();
  if (options.resize != "none") steps.resize(ResizeMode(options.resize));
  if (!options.mean.empty() || !options.scale.empty()) {
    steps.convert_element_type(ov::element::f32);
  }
  if (!options.mean.empty()) steps.mean(options.mean);
  if (!options.scale.empty()) steps.scale(options.scale);
  return whole.build();
}

// By the call that lets a cache skip reading the model, where there is one.
ov::CompiledModel Load(ov::Core& core, const Options& options) {
  const std::string ending = ".blob";
  const ov::AnyMap properties = Properties(options);
  if (options.model.size() > ending.size() &&
      options.model.compare(options.model.size() - ending.size(), ending.size(),
                            ending) == 0) {
    return core.import_model(ov::read_tensor_data(options.model), "CPU",
                             properties);
  }
  if (!options.resize.empty()) {
    return core.compile_model(
        WithPictureSteps(core.read_model(options.model), options),
        options.device, properties);
  }
  if (options.device != "CPU") {
    core.set_property("CPU", properties);
    return core.compile_model(core.read_model(options.model), options.device);
  }
  if (options.cache_dir.empty()) {
    return core.compile_model(core.read_model(options.model), "CPU",
                              properties);
  }
  core.set_property(ov::cache_dir(options.cache_dir));
  return core.compile_model(options.model, "CPU", properties);
}

std::vector<double> Latencies(ov::InferRequest& request, double seconds) {
  std::vector<double> latencies;
  const Clock::time_point start = Clock::now();
  do {
    const Clock::time_point begin = Clock::now();
    request.infer();
    latencies.push_back(MillisecondsSince(begin));
  } while (MillisecondsSince(start) < seconds * 1000);
  std::sort(latencies.begin(), latencies.end());
  return latencies;
}

// Inferences a second of all requests together, `first` one of them: batches
// are of requests that were made one after the other.
double Throughput(const Options& options, ov::CompiledModel& model,
                  const ov::InferRequest& first) {
  std::vector<ov::InferRequest> requests = {first};
  const size_t count =
      options.requests > 0 ? options.requests : 2 * options.streams;
  for (size_t i = 1; i < count; ++i) {
    requests.push_back(model.create_infer_request());
    SetInputs(options, model, requests.back());
  }
  // At once, since batches wait for all requests.
  for (ov::InferRequest& request : requests) request.start_async();
  for (ov::InferRequest& request : requests) request.wait();
  int64_t done = 0;
  const Clock::time_point start = Clock::now();
  for (ov::InferRequest& request : requests) request.start_async();
  while (MillisecondsSince(start) < options.seconds * 1000) {
    for (ov::InferRequest& request : requests) {
      request.wait();
      ++done;
      request.start_async();
    }
  }
  for (ov::InferRequest& request : requests) {
    request.wait();
    ++done;
  }
  return static_cast<double>(done) * 1000 / MillisecondsSince(start);
}

void Run(const Options& options) {
  const double before = ResidentMegabytes();
  const Clock::time_point start = Clock::now();
  ov::Core core;
  ov::CompiledModel model = Load(core, options);
  const double load = MillisecondsSince(start);
  if (!options.exported.empty()) {
    std::ofstream file(options.exported, std::ios::binary);
    model.export_model(file);
    if (!file.flush()) throw std::runtime_error("cannot write the export");
    return;
  }
  ov::InferRequest request = model.create_infer_request();
  SetInputs(options, model, request);
  const Clock::time_point begin = Clock::now();
  request.infer();
  const double first = MillisecondsSince(begin);
  const double memory = ResidentMegabytes() - before;
  const std::vector<double> latencies = Latencies(request, options.seconds);
  const auto percentile = [&](double part) {
    return latencies[static_cast<size_t>(part * (latencies.size() - 1) + 0.5)];
  };
  std::printf(
      "{\"load_ms\": %.3f, \"first_ms\": %.3f, \"latency_min_ms\": %.4f, "
      "\"latency_median_ms\": %.4f, \"latency_p99_ms\": %.4f, "
      "\"throughput_ips\": %.3f, \"rss_mb\": %.1f}\n",
      load, first, latencies.front(), percentile(0.5), percentile(0.99),
      Throughput(options, model, request), memory);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Run(ParseOptions(argc, argv));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "openvino_peer: " << error.what() << "\n";
    return 1;
  }
}
