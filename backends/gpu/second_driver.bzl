"""The tests of devices that run with another driver, too, where there is one."""

_TESTS = [
    "//backends/gpu/codegen/expressions:expressions_test",
    "//backends/gpu/custom/layers:decode_test",
    "//backends/gpu/custom/layers:elementwise_test",
    "//backends/gpu/custom/layers:network_test",
    "//backends/gpu/custom/layers:pillars_test",
    "//backends/gpu/custom/layers:point_cloud_test",
    "//backends/gpu/custom/layers:pose_test",
    "//backends/gpu/custom/layers:unknown_operation_test",
    "//backends/gpu/custom:arguments_test",
    "//backends/gpu/custom:configuration_test",
    "//backends/gpu/custom:errors_test",
    "//backends/gpu/custom:forms_test",
    "//backends/gpu/custom:sources_test",
    "//backends/gpu/driver:device_list_test",
    "//backends/gpu/driver:handle_test",
    "//backends/gpu/memory:buffer_test",
    "//backends/gpu/program:build_error_test",
    "//backends/gpu/program:cl_program_test",
    "//backends/gpu/program:program_cache_test",
    "//backends/gpu/queue:queue_test",
    "//backends/gpu/steps/detection:non_max_suppression_test",
    "//backends/gpu/steps/epilogue:product_epilogue_test",
    "//backends/gpu:faults_test",
    "//backends/gpu:gpu_runtime_test",
    "//backends/gpu:joined_launches_test",
]

# Of kernels in many forms, which that driver takes minutes to compile.
_LONG_TESTS = [
    "//backends/gpu/compiler:reorder_test",
    "//backends/gpu/steps/attention:attention_test",
    "//backends/gpu/steps/convolution:convolution_test",
    "//backends/gpu/steps/elementwise:conversions_test",
    "//backends/gpu/steps/elementwise:elementwise_test",
    "//backends/gpu/steps/elementwise:integers_test",
    "//backends/gpu/steps/indexing:indexing_test",
    "//backends/gpu/steps/lanes:lanes_test",
    "//backends/gpu/steps/linear:matmul_test",
    "//backends/gpu/steps/movement:movement_test",
    "//backends/gpu/steps/recurrent:recurrent_test",
    "//backends/gpu/steps/roi:roi_test",
    "//backends/gpu/steps:half_storage_test",
]

def second_driver_test(name, is_long = False):
    """Runs them, one after the other: see second_driver_test.sh.

    Args:
      name: of the test.
      is_long: whether it runs the long ones, and on demand only.
    """
    tests = _LONG_TESTS if is_long else _TESTS
    native.sh_test(
        name = name,
        size = "enormous" if is_long else "large",
        srcs = ["second_driver_test.sh"],
        args = ["$(rootpath %s)" % test for test in tests],
        data = tests,
        tags = ["manual"] if is_long else [],
    )
