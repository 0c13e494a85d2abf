// Answers what is in pictures, from several threads, on the best device that
// there is: one path a line comes in, one answer a line goes out, in the order
// in which they are ready.
//
//   picture_server MODEL.xml [DEVICE [THREADS]] < PATHS
//
// The model classifies pictures and takes [N,C,H,W]. With AUTO, the default,
// the first answers come from the CPU while a better device is compiled for.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/preprocess/preprocessor.h"
#include "dovetail/dovetail.h"
#include "dovetail/extensions/image/image.h"

namespace {

using dovetail::Tensor;

// The model with steps before it that take u8 pictures of any size.
absl::StatusOr<dovetail::Model> TakingPictures(dovetail::Model model) {
  dovetail::Preprocessor preprocessor(std::move(model));
  preprocessor.input(0).model().set_layout("NCHW");
  preprocessor.input(0)
      .tensor()
      .set_element_type(dovetail::ElementType::kU8)
      .set_layout("NHWC")
      .set_spatial_dynamic();
  return std::move(preprocessor).Build();  // resizes by itself
}

class Server {
 public:
  explicit Server(dovetail::CompiledModel model) : model_(std::move(model)) {}

  // One of the threads: until there are no more paths.
  void Serve() {
    auto request = model_.NewRequest();
    std::string path;
    while (NextPath(path)) {
      const auto answer =
          request.ok() ? Answer(path, *request) : request.status();
      std::lock_guard<std::mutex> lock(mutex_);
      failed_ |= !answer.ok();
      std::cout << path << ": "
                << (answer.ok() ? *answer : answer.status().ToString())
                << std::endl;
    }
  }

  bool failed() const { return failed_; }

 private:
  bool NextPath(std::string& path) {
    std::lock_guard<std::mutex> lock(mutex_);
    return static_cast<bool>(std::getline(std::cin, path));
  }

  absl::StatusOr<std::string> Answer(const std::string& path,
                                     dovetail::InferRequest& request) const {
    const auto channels = model_.inputs()[0].shape[3];
    DOVETAIL_ASSIGN_OR_RETURN(
        const Tensor picture,
        dovetail::ReadImage(path, channels == dovetail::Dimension(1)
                                      ? dovetail::ImageMode::kGrey
                                      : dovetail::ImageMode::kRgb));
    dovetail::Shape shape = picture.shape();
    shape.insert(0, 1);
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor input, picture.Reshape(shape));
    DOVETAIL_RETURN_IF_ERROR(request.SetInput(0, input));
    DOVETAIL_RETURN_IF_ERROR(request.Infer());
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor output, request.Output(0));
    const auto scores = output.span<float>();
    const auto best = std::max_element(scores.begin(), scores.end());
    DOVETAIL_ASSIGN_OR_RETURN(const std::string device,
                              model_.GetProperty("EXECUTION_DEVICES"));
    return absl::StrCat("class ", best - scores.begin(), ", ", *best, ", by ",
                        device);
  }

  const dovetail::CompiledModel model_;
  std::mutex mutex_;  // guards the streams and what follows
  bool failed_ = false;
};

absl::StatusOr<bool> Run(const std::string& path, const std::string& device,
                         int threads) {
  dovetail::Core core;
  DOVETAIL_ASSIGN_OR_RETURN(auto model, core.ReadModel(path));
  DOVETAIL_ASSIGN_OR_RETURN(const dovetail::Model whole,
                            TakingPictures(std::move(*model)));
  DOVETAIL_ASSIGN_OR_RETURN(
      dovetail::CompiledModel compiled,
      core.Compile(whole, device, {{"PERFORMANCE_HINT", "THROUGHPUT"}}));
  Server server(std::move(compiled));
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) {
    all.emplace_back([&server] { server.Serve(); });
  }
  for (std::thread& thread : all) thread.join();
  return !server.failed();
}

}  // namespace

int main(int argc, char** argv) {
  int threads = 4;
  const bool is_right = argc >= 2 && argc <= 4 &&
                        (argc < 4 || (absl::SimpleAtoi(argv[3], &threads) &&
                                      threads > 0 && threads <= 256));
  if (!is_right) {
    std::cerr << "usage: picture_server MODEL.xml [DEVICE [THREADS]] < PATHS\n";
    return 2;
  }
  const auto all_answered = Run(argv[1], argc > 2 ? argv[2] : "AUTO", threads);
  if (all_answered.ok()) return *all_answered ? 0 : 1;
  std::cerr << "picture_server: " << all_answered.status().message() << "\n";
  return 2;
}
