#include "dovetail/core/base/status.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

absl::Status Fail(bool fail) {
  return fail ? InvalidArgument("value ", 7, " is odd") : absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<int>> Make(bool fail) {
  DOVETAIL_RETURN_IF_ERROR(Fail(fail));
  return std::make_unique<int>(5);
}

absl::StatusOr<int> Sum(bool fail) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<int> a, Make(false));
  int sum = *a;
  std::unique_ptr<int> b;
  DOVETAIL_ASSIGN_OR_RETURN(b, Make(fail));
  return sum + *b;
}

TEST(Status, MacrosPassErrorsOn) {
  EXPECT_EQ(*Sum(false), 10);
  EXPECT_EQ(Sum(true).status(),
            absl::InvalidArgumentError("value 7 is odd"));
}

TEST(Status, ReturnIfErrorIsOneStatement) {
  const auto branch = [](bool first) -> absl::Status {
    if (first)
      DOVETAIL_RETURN_IF_ERROR(Fail(true));
    else
      DOVETAIL_RETURN_IF_ERROR(Fail(false));
    return absl::OkStatus();
  };
  EXPECT_FALSE(branch(true).ok());
  EXPECT_TRUE(branch(false).ok());
}

TEST(Status, MakersSetTheCode) {
  EXPECT_EQ(InvalidArgument("x").code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(OutOfRange("x").code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(NotFound("x").code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(Unimplemented("x").code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(FailedPrecondition("x").code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(AlreadyExists("x").code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(Unavailable("x").code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(ResourceExhausted("x").code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(DataLoss("x").code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(Internal("x", 1, "y").message(), "x1y");
}

TEST(Status, AnnotatePutsTheContextFirst) {
  EXPECT_TRUE(Annotate(absl::OkStatus(), "layer 3").ok());
  EXPECT_EQ(Annotate(NotFound("no file"), "layer 3"),
            absl::NotFoundError("layer 3: no file"));
}

}  // namespace
}  // namespace dovetail
