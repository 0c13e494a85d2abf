#include "dovetail/core/ops/image/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const InferTester tester(ImageOps());

InputSpec U8(PartialShape shape) {
  return Typed(ElementType::kU8, std::move(shape));
}

TEST(GridSampleTest, HasChannelsOfDataAndExtentsOfGrid) {
  ExpectShapes(tester, {
      {"GridSample-9", {F32({-1, 3, 8, 9}), F32({2, 4, -1, 2})},
       {{"mode", "bicubic"}, {"padding_mode", "border"}}, "f32[2,3,4,?]"},
      {"GridSample-9", {F32(PartialShape()), F32({2, 4, 5, 2})}, {},
       "f32[2,?,4,5]"},
      {"GridSample-9", {F32({1, 3, 8, 9}), F32(PartialShape())}, {},
       "f32[1,3,?,?]"},
  });
  ExpectErrors(tester, {
      {"GridSample-9", {F32({1, 3, 8, 9}), F32({2, 4, 5, 2})}, {},
       "input 1 has 2 as N, want 1"},
      {"GridSample-9", {F32({1, 3, 8, 9}), F32({1, 4, 5, 3})}, {},
       "want 2 coordinates along axis 3"},
      {"GridSample-9", {F32({1, 3, 8}), F32({1, 4, 5, 2})}, {}, "want rank 4"},
      {"GridSample-9", {F32({1, 3, 8, 9}), I64({1, 4, 5, 2})}, {},
       "input 1 has type i64"},
  });
}

TEST(ExtractImagePatchesTest, CountsWindows) {
  const TextAttributes attributes = {
      {"sizes", "3,2"}, {"strides", "2,2"}, {"rates", "1,1"}};
  const auto with = [&](const char* name, const char* value) {
    TextAttributes result = attributes;
    result[name] = value;
    return result;
  };
  const InputSpec data = F32({2, 3, 10, 9});
  ExpectShapes(tester, {
      {"ExtractImagePatches-3", {data}, with("auto_pad", "valid"),
       "f32[2,18,4,4]"},
      {"ExtractImagePatches-3", {data}, with("auto_pad", "same_upper"),
       "f32[2,18,5,5]"},
      {"ExtractImagePatches-3", {data}, with("rates", "2,3"),
       "f32[2,18,3,3]"},
      {"ExtractImagePatches-3", {data}, with("rates", "5,3"),
       "f32[2,18,0,3]"},
      {"ExtractImagePatches-3", {U8({-1, 3, Dimension(5, 10), -1})}, attributes,
       "u8[?,18,2..4,?]"},
  });
  ExpectErrors(tester, {
      {"ExtractImagePatches-3", {data}, {}, "attribute 'sizes' has 0 values"},
      {"ExtractImagePatches-3", {data}, with("strides", "0,1"),
       "attribute 'strides' has the value 0"},
      {"ExtractImagePatches-3", {data}, with("rates", "1"),
       "attribute 'rates' has 1 values"},
      {"ExtractImagePatches-3", {data}, with("auto_pad", "explicit"),
       "want same_upper, same_lower or valid"},
      {"ExtractImagePatches-3", {F32({3, 10, 9})}, attributes, "want rank 4"},
  });
}

TEST(Col2ImTest, MakesAnImage) {
  ExpectShapes(tester, {
      {"Col2Im-15", {F32({2, 12, 9}), Ints({4, 4}), Ints({2, 2})}, {},
       "f32[2,3,4,4]"},
      {"Col2Im-15", {F32({12, 9}), Ints({4, 4}), Ints({2, 2})}, {},
       "f32[3,4,4]"},
      {"Col2Im-15", {F32({-1, -1, 20}), Ints({7, 6}), Ints({3, 2})},
       {{"strides", "1,2"},
        {"dilations", "2,1"},
        {"pads_begin", "1,1"},
        {"pads_end", "1,1"}},
       "f32[?,?,7,6]"},
      {"Col2Im-15", {F32({2, Dimension(5, 12), 9}), Ints({4, 4}), Ints({2, 2})},
       {}, "f32[2,2..3,4,4]"},
      {"Col2Im-15", {F32({2, 12, 9}), I64({2}), I64({2})}, {},
       "f32[2,?,?,?]"},
      {"Col2Im-15", {F32(PartialShape()), Ints({4, 4}), Ints({2, 2})}, {},
       "f32[...]"},
  });
  ExpectErrors(tester, {
      {"Col2Im-15", {F32({2, 13, 9}), Ints({4, 4}), Ints({2, 2})}, {},
       "has 13 rows, want a multiple of 4"},
      {"Col2Im-15", {F32({2, 12, 8}), Ints({4, 4}), Ints({2, 2})}, {},
       "has 8 columns, want 9"},
      {"Col2Im-15", {F32({2, 12, 9}), Ints({4, 4}), Ints({0, 2})}, {},
       "input 2 (kernel_size) holds 0"},
      {"Col2Im-15", {F32({2, 12, 9}), Ints({4, 4, 4}), Ints({2, 2})}, {},
       "input 1 (output_size) has shape [3]"},
      {"Col2Im-15", {F32({2, 12, 9}), Ints({1, 4}), Ints({2, 2})}, {},
       "the padded input has only 1"},
      {"Col2Im-15", {F32({2, 12, 9}), Ints({4, 4}), Ints({2, 2})},
       {{"strides", "0,1"}}, "attribute 'strides' has the value 0"},
  });
}

TEST(YoloTest, InfersShapes) {
  const TextAttributes version2 = {{"axis", "1"},    {"end_axis", "3"},
                                   {"coords", "4"},  {"classes", "3"},
                                   {"num", "2"},     {"do_softmax", "true"},
                                   {"anchors", "1"}, {"mask", ""}};
  TextAttributes version3 = version2;
  version3["do_softmax"] = "false";
  version3["mask"] = "3,4,5";
  ExpectShapes(tester, {
      {"ReorgYolo-0", {F32({1, 8, 4, 6})}, {{"stride", "2"}}, "f32[1,32,2,3]"},
      {"ReorgYolo-0", {F32({-1, 8, Dimension(4, 9), -1})}, {{"stride", "2"}},
       "f32[?,32,2..4,?]"},
      {"ReorgYolo-0", {F32({1, 26, 4, 6})}, {{"stride", "2"}},
       "f32[1,104,2,3]"},
      {"RegionYolo-0", {F32({-1, 16, 3, 4})}, version2, "f32[?,192]"},
      {"RegionYolo-0", {F32({2, 24, 3, 4})}, version3, "f32[2,24,3,4]"},
      {"RegionYolo-0", {F32(PartialShape())}, version3, "f32[?,24,?,?]"},
  });
  TextAttributes without_mask = version3;
  without_mask["mask"] = "";
  TextAttributes bad_axis = version2;
  bad_axis["end_axis"] = "4";
  TextAttributes bad_coords = version2;
  bad_coords["coords"] = "-1";
  ExpectErrors(tester, {
      {"ReorgYolo-0", {F32({1, 8, 4, 6})}, {{"stride", "0"}},
       "attribute 'stride' is 0"},
      {"ReorgYolo-0", {F32({1, 3, 4, 6})}, {{"stride", "2"}},
       "want at least 4 channels (axis 1)"},
      {"ReorgYolo-0", {F32({1, 8, 4, 5})}, {{"stride", "2"}},
       "want a multiple of 2 along axis 3"},
      {"RegionYolo-0", {F32({1, 17, 3, 4})}, version2,
       "want 16 channels: 8 for each of 2 boxes"},
      {"RegionYolo-0", {F32({1, 24, 3, 4})}, without_mask,
       "attribute 'mask' is empty"},
      {"RegionYolo-0", {F32({1, 16, 3, 4})}, bad_axis, "attribute 'end_axis'"},
      {"RegionYolo-0", {F32({1, 16, 3, 4})}, bad_coords,
       "attribute 'coords' is -1"},
      {"RegionYolo-0", {I32({1, 16, 3, 4})}, version2, "input 0 has type i32"},
  });
}

TEST(ColorConversionTest, InfersShapes) {
  ExpectShapes(tester, {
      {"NV12toRGB-8", {U8({1, 6, 8, 1})}, {}, "u8[1,4,8,3]"},
      {"NV12toBGR-8", {F32({-1, Dimension(4, 13), -1, 1})}, {},
       "f32[?,4..8,?,3]"},
      {"NV12toRGB-8", {U8({-1, 4, -1, 1}), U8({2, -1, 3, 2})}, {},
       "u8[2,4,6,3]"},
      {"I420toRGB-8", {U8({1, 6, 8, 1})}, {}, "u8[1,4,8,3]"},
      {"I420toBGR-8",
       {U8({1, 4, 8, 1}), U8({1, 2, 4, 1}), U8(PartialShape())}, {},
       "u8[1,4,8,3]"},
      {"I420toRGB-8", {U8(PartialShape())}, {}, "u8[?,?,?,3]"},
      {"RGBtoNV12-17", {U8({2, 4, 8, 3})}, {}, "u8[2,6,8,1]"},
      {"BGRtoNV12-17", {F32({2, 4, Dimension(2, 9), 3})},
       {{"single_plane", "false"}}, "f32[2,4,2..9,1] f32[2,2,1..4,2]"},
  });
  ExpectErrors(tester, {
      {"NV12toRGB-8", {U8({1, 7, 8, 1})}, {}, "a multiple of 3"},
      {"NV12toRGB-8", {U8({1, 6, 7, 1})}, {},
       "want a width that is a multiple of 2"},
      {"NV12toRGB-8", {U8({1, 6, 8, 3})}, {}, "want 1 channels along axis 3"},
      {"NV12toRGB-8", {I32({1, 6, 8, 1})}, {},
       "want a floating-point type or u8"},
      {"NV12toRGB-8", {U8({1, 4, 6, 1}), F32({1, 2, 3, 2})}, {},
       "has type f32"},
      {"NV12toRGB-8", {U8({1, 4, 6, 1}), U8({1, 2, 4, 2})}, {},
       "input 1 (UV) has shape [1,2,4,2], which is for an image of shape"},
      {"I420toRGB-8", {U8({1, 4, 6, 1}), U8({1, 2, 3, 1})}, {},
       "there are 2 inputs, want 1 or 3"},
      {"I420toRGB-8",
       {U8({1, 4, 6, 1}), U8({1, 2, 3, 1}), U8({2, 2, 3, 1})}, {},
       "input 2 (V) has shape [2,2,3,1]"},
      {"RGBtoNV12-17", {U8({1, 3, 8, 3})}, {},
       "want a height that is a multiple of 2"},
      {"RGBtoNV12-17", {U8({1, 4, 8, 1})}, {}, "want 3 channels along axis 3"},
  });
}

}  // namespace
}  // namespace dovetail
