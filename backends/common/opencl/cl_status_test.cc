#include "dovetail/backends/common/opencl/cl_status.h"

#include "gtest/gtest.h"

namespace dovetail::opencl {
namespace {

TEST(ClStatusTest, SuccessIsOk) {
  EXPECT_TRUE(ClStatus(CL_SUCCESS, "clFinish").ok());
}

TEST(ClStatusTest, NamesCallAndCode) {
  const absl::Status status = ClStatus(CL_OUT_OF_RESOURCES, "clFinish");
  EXPECT_EQ(status.message(), "clFinish: CL_OUT_OF_RESOURCES (-5)");
}

TEST(ClStatusTest, SaysWhatKindOfErrorItIs) {
  const auto code = [](cl_int code) { return ClStatus(code, "call").code(); };
  EXPECT_EQ(code(CL_OUT_OF_RESOURCES), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(code(CL_MEM_OBJECT_ALLOCATION_FAILURE),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(code(CL_DEVICE_NOT_AVAILABLE), absl::StatusCode::kUnavailable);
  EXPECT_EQ(code(CL_DEVICE_NOT_FOUND), absl::StatusCode::kUnavailable);
  EXPECT_EQ(code(CL_INVALID_WORK_GROUP_SIZE),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(CL_BUILD_PROGRAM_FAILURE), absl::StatusCode::kInternal);
}

TEST(ClStatusTest, TakesCodesOfVendors) {
  const absl::Status status = ClStatus(-9999, "clFinish");
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_EQ(status.message(), "clFinish: an unknown code (-9999)");
}

}  // namespace
}  // namespace dovetail::opencl
