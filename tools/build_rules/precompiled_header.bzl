"""Headers that are compiled once for all the sources.

Reading Abseil's headers and those of the standard library takes longer than compiling a usual source of
this repository: with them precompiled, all of it is built in less than half the time.

The compiler's options have to be the same where such a header is made and where it is used: gcc 12 crashes
over another -O. So there is one for each level that is in use, and targets with other options of their own
do without. cc.bzl includes one in every source of this repository, but not of one
that embeds it, nor with --//tools/build_rules:precompile=false. There, a source that lacks an #include does
not compile; //examples:embedding_test builds some that way, --config=clang all of them.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def _command_line(ctx, toolchain, header, out):
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    options = ctx.fragments.cpp
    variables = cc_common.create_compile_variables(
        cc_toolchain = toolchain,
        feature_configuration = features,
        output_file = out.path,
        source_file = header.path,
        use_pic = True,
        user_compile_flags = options.copts + options.cxxopts + ctx.attr.copts,
    )
    arguments = ["-x", "c++-header"] + cc_common.get_memory_inefficient_command_line(
        action_name = CPP_COMPILE_ACTION_NAME,
        feature_configuration = features,
        variables = variables,
    )
    tool = cc_common.get_tool_for_action(
        action_name = CPP_COMPILE_ACTION_NAME,
        feature_configuration = features,
    )
    environment = cc_common.get_environment_variables(
        action_name = CPP_COMPILE_ACTION_NAME,
        feature_configuration = features,
        variables = variables,
    )
    return tool, arguments, environment

def _precompiled_header_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)

    # gcc looks for the compiled header where the plain one is.
    header = ctx.outputs.out
    ctx.actions.symlink(output = header, target_file = ctx.file.hdr)
    compiled = ctx.actions.declare_file(header.basename + ".gch", sibling = header)
    tool, arguments, environment = _command_line(ctx, toolchain, header, compiled)
    ctx.actions.run(
        arguments = arguments,
        env = environment,
        executable = tool,
        inputs = depset([header], transitive = [toolchain.all_files]),
        mnemonic = "CppPrecompile",
        outputs = [compiled],
        progress_message = "Precompiling " + header.short_path,
    )
    files = depset([header, compiled])
    return [
        DefaultInfo(files = files),
        CcInfo(compilation_context = cc_common.create_compilation_context(headers = files)),
    ]

precompiled_header = rule(
    doc = """Compiles a header that is outside of this workspace's control, or includes only such.

Targets that depend on it have to include it by -include before anything else.""",
    implementation = _precompiled_header_impl,
    attrs = {
        "copts": attr.string_list(doc = "Compiler options, the same as those of the targets that use it."),
        "hdr": attr.label(doc = "The header.", mandatory = True, allow_single_file = [".h"]),
        "out": attr.output(doc = "The header to include.", mandatory = True),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
