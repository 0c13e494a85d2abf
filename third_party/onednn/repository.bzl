"""The repository @onednn: oneDNN, built from source for the CPU backend.

    build --repo_env=DOVETAIL_ONEDNN_SOURCE=/path/to/oneDNN-3.7.2    a source tree of one's own
    build --repo_env=DOVETAIL_ONEDNN=system                          the installed library

With neither, the pinned archive is downloaded, once, and only by a build that asks for a target of this
repository: --config=interpreter_only does not.
"""

load(":activations.bzl", "ACTIVATIONS", "ACTIVATIONS_DECLARATION")
load(":sources.bzl", "LEFT_OUT", "LOCAL_NAMES", "UNITS")

_VERSION = (3, 7, 2)

_ARCHIVE = struct(
    urls = [
        "http://deb.debian.org/debian/pool/main/o/onednn/onednn_3.7.2+ds.orig.tar.xz",
        "https://snapshot.debian.org/file/8c76d92ddd9b524c6d5feca51ca01aa0c2bc4908",
    ],
    sha256 = "0cc51ca26c1af6a2bb1e71e378e7046f3ceb3e71791ee9d4e246d50f904a6ea6",
    strip_prefix = "oneDNN-3.7.2",
)

# What dnnl_config.h.in leaves to be set, other than to 0 or to nothing.
_CONFIGURATION = {
    "DNNL_CPU_RUNTIME": "DNNL_RUNTIME_THREADPOOL",
    "DNNL_CPU_THREADING_RUNTIME": "DNNL_RUNTIME_THREADPOOL",
    "DNNL_GPU_RUNTIME": "DNNL_RUNTIME_NONE",
    "DNNL_GPU_VENDOR": "DNNL_VENDOR_NONE",
    "BUILD_INFERENCE": "1",
    # Primitives.
    "BUILD_BINARY": "1",
    "BUILD_CONVOLUTION": "1",
    "BUILD_DECONVOLUTION": "1",
    "BUILD_ELTWISE": "1",
    "BUILD_INNER_PRODUCT": "1",
    "BUILD_LAYER_NORMALIZATION": "1",
    "BUILD_MATMUL": "1",
    "BUILD_POOLING": "1",
    "BUILD_REDUCTION": "1",
    "BUILD_REORDER": "1",
    "BUILD_RESAMPLING": "1",
    "BUILD_RNN": "1",
    "BUILD_SOFTMAX": "1",
    # Processors.
    "BUILD_AMX": "1",
    "BUILD_AVX2": "1",
    "BUILD_AVX512": "1",
    "BUILD_GEMM_AVX2": "1",
    "BUILD_GEMM_AVX512": "1",
}

# Replacements in files of oneDNN, each checked to be possible: file under src/, and pairs of old and new.
_PATCHES = {
    # Nothing older than AVX2: processors without it keep to the interpreter. As released, switching on an
    # instruction set switches on all that came before it.
    "cpu/platform.hpp": [(
        "#define __BUILD_SSE41 __BUILD_AVX2 || BUILD_SSE41",
        "#define __BUILD_SSE41 BUILD_SSE41",
    )],
    "cpu/gemm/gemm.hpp": [(
        "#define __BUILD_GEMM_SSE41 (__BUILD_GEMM_AVX2 || BUILD_GEMM_SSE41)",
        "#define __BUILD_GEMM_SSE41 (BUILD_GEMM_SSE41)",
    )],
    # A convolution of 1x1 that a depthwise one follows refers to the SSE4.1 variant of the latter in any
    # case, though it never gets there on a processor with AVX2.
    "cpu/x64/jit_uni_dw_conv_kernel_utils.cpp": [(
        "REG_SSE41_ISA(template struct jit_uni_dw_conv_fwd_kernel<sse41, f32>);",
        "template struct jit_uni_dw_conv_fwd_kernel<sse41, f32>;",
    )],
    "cpu/x64/jit_uni_dw_convolution.cpp": [(
        "REG_SSE41_ISA(template struct jit_uni_dw_convolution_fwd_t<sse41, f32>);",
        "template struct jit_uni_dw_convolution_fwd_t<sse41, f32>;",
    )],
    "cpu/x64/gemm/gemm_info.cpp": [(
        "#if __BUILD_GEMM_AVX2\n                } else if (mayiuse(avx)) {",
        "#if __BUILD_GEMM_SSE41\n                } else if (mayiuse(avx)) {",
    )],
    "cpu/x64/injectors/jit_uni_eltwise_injector.hpp": [ACTIVATIONS_DECLARATION],
    "cpu/x64/injectors/jit_uni_eltwise_injector.cpp": ACTIVATIONS,
}

def _defined(line, name):
    """What a line of dnnl_config.h.in that defines a name becomes."""
    value = _CONFIGURATION.get(name)
    if line.startswith("#cmakedefine01"):
        return "#define %s %s" % (name, value or "0")
    return "#define %s %s" % (name, value) if value else "#undef " + name

def _configured(text):
    """The text of dnnl_config.h, made of that of dnnl_config.h.in."""
    known = {}
    lines = []
    for line in text.split("\n"):
        words = line.split(" ")
        if words[0] in ("#cmakedefine", "#cmakedefine01"):
            known[words[1]] = True
            line = _defined(line, words[1])
        lines.append(line)
    unknown = [name for name in _CONFIGURATION if name not in known]
    if unknown:
        fail("oneDNN's dnnl_config.h.in does not have %s" % ", ".join(unknown))
    return "\n".join(lines)

def _write_headers(repository_ctx):
    """Writes the headers that oneDNN's own build would generate."""
    folder = "include/oneapi/dnnl/"
    values = {
        "@DNNL_VERSION_MAJOR@": str(_VERSION[0]),
        "@DNNL_VERSION_MINOR@": str(_VERSION[1]),
        "@DNNL_VERSION_PATCH@": str(_VERSION[2]),
        "@DNNL_VERSION_HASH@": "N/A",
    }
    for name in ["dnnl_version.h", "dnnl_version_hash.h"]:
        text = repository_ctx.read(folder + name + ".in")
        for placeholder, value in values.items():
            text = text.replace(placeholder, value)
        repository_ctx.file("generated/" + folder + name, text, executable = False)
    repository_ctx.file(
        "generated/%sdnnl_config.h" % folder,
        _configured(repository_ctx.read(folder + "dnnl_config.h.in")),
        executable = False,
    )

def _write_patched(repository_ctx):
    """Writes changed copies of some sources, which the compiler finds before the originals."""
    for path, replacements in _PATCHES.items():
        text = repository_ctx.read("src/" + path)
        for old, new in replacements:
            if old not in text:
                fail("oneDNN's src/%s does not have the text to replace: %s" % (path, old))
            text = text.replace(old, new)
        repository_ctx.file("patched/" + path, text, executable = False)

def _without(path, text, beginnings):
    """The lines of a file, less the entries and statements that begin as told."""
    used = {}
    lines = []
    in_statement = False
    for line in text.split("\n"):
        found = [beginning for beginning in beginnings if line.strip().startswith(beginning)]
        used.update({beginning: True for beginning in found})
        if found or in_statement:
            # A statement goes on to its semicolon, an entry of a list is a line.
            in_statement = (in_statement or found[0].startswith("template")) and not line.endswith(";")
        else:
            lines.append(line)
    unused = [beginning for beginning in beginnings if beginning not in used]
    if unused:
        fail("oneDNN's src/%s does not have what is to be left out: %s" % (path, ", ".join(unused)))
    return lines

def _unit(repository_ctx, name):
    """The text of a translation unit."""
    local_names = LOCAL_NAMES.get(name, [])
    lines = []
    for number, path in enumerate(UNITS[name]):
        lines += ["#define %s %s_%d" % (local, local, number) for local in local_names]
        if path in LEFT_OUT:
            lines += _without(path, repository_ctx.read("src/" + path), LEFT_OUT[path])
        else:
            lines.append('#include "%s"' % path)
        lines += ["#undef " + local for local in local_names]
    return "\n".join(lines + [""])

def _write_units(repository_ctx):
    for name in UNITS:
        repository_ctx.file("units/%s.cpp" % name, _unit(repository_ctx, name), executable = False)

def _check_source(repository_ctx, where):
    """Fails unless the repository's folder has the sources of the version that the units are made for."""
    needed = ["CMakeLists.txt", "include/oneapi/dnnl/dnnl_config.h.in", "src/cpu/cpu_engine.cpp"]
    for path in needed:
        if not repository_ctx.path(path).exists:
            fail("%s is no source tree of oneDNN: it has no %s" % (where, path))
    wanted = "%d.%d.%d" % _VERSION
    if 'PROJECT_VERSION "%s"' % wanted not in repository_ctx.read("CMakeLists.txt"):
        fail("%s is another version of oneDNN than %s, the one that can be built here" % (where, wanted))

def _from_source(repository_ctx):
    own = repository_ctx.os.environ.get("DOVETAIL_ONEDNN_SOURCE", "")
    if own:
        where = "DOVETAIL_ONEDNN_SOURCE=" + own
        if not own.startswith("/"):
            fail(where + " is not an absolute path")
        if not repository_ctx.path(own).exists:
            fail(where + " does not exist")
        for entry in ["CMakeLists.txt", "LICENSE", "THIRD-PARTY-PROGRAMS", "include", "src"]:
            repository_ctx.symlink(own + "/" + entry, entry)
    else:
        where = "the downloaded archive"
        repository_ctx.download_and_extract(
            url = _ARCHIVE.urls,
            sha256 = _ARCHIVE.sha256,
            stripPrefix = _ARCHIVE.strip_prefix,
            type = "tar.xz",
        )
    _check_source(repository_ctx, where)
    _write_headers(repository_ctx)
    _write_patched(repository_ctx)
    _write_units(repository_ctx)
    repository_ctx.symlink(repository_ctx.attr.build_file, "BUILD.bazel")

def _macro(text, name):
    """The value that a header's text gives to a macro, or "" when it gives none."""
    for line in text.split("\n"):
        words = [word for word in line.split(" ") if word]
        if len(words) >= 3 and words[0] == "#define" and words[1] == name:
            return words[2]
    return ""

def _installed(repository_ctx):
    """The installed library, when it can serve."""
    folder = "/usr/include/oneapi/dnnl/"
    for name in ["dnnl_version.h", "dnnl_config.h"]:
        if not repository_ctx.path(folder + name).exists:
            fail("DOVETAIL_ONEDNN=system, but there is no %s%s: is oneDNN installed?" % (folder, name))
    version = repository_ctx.read(folder + "dnnl_version.h")
    major = int(_macro(version, "DNNL_VERSION_MAJOR") or "0")
    minor = int(_macro(version, "DNNL_VERSION_MINOR") or "0")
    if (major, minor) < (3, 4):
        fail("DOVETAIL_ONEDNN=system, but the installed oneDNN is %d.%d; 3.4 or later is needed" %
             (major, minor))
    runtime = _macro(repository_ctx.read(folder + "dnnl_config.h"), "DNNL_CPU_RUNTIME")
    if runtime != "DNNL_RUNTIME_THREADPOOL":
        fail(("DOVETAIL_ONEDNN=system, but the installed oneDNN has %s for threads of its own; one " +
              "that was built with DNNL_CPU_RUNTIME=THREADPOOL is needed") % (runtime or "no runtime"))
    repository_ctx.symlink(repository_ctx.attr.system_build_file, "BUILD.bazel")

def _onednn_repository_impl(repository_ctx):
    repository_ctx.file("WORKSPACE", "workspace(name = \"%s\")\n" % repository_ctx.name)
    choice = repository_ctx.os.environ.get("DOVETAIL_ONEDNN", "")
    if choice == "system":
        _installed(repository_ctx)
    elif choice in ("", "source"):
        _from_source(repository_ctx)
    else:
        fail("DOVETAIL_ONEDNN=%s: it is source or system" % choice)

onednn_repository = repository_rule(
    doc = "oneDNN, with the target //:onednn.",
    implementation = _onednn_repository_impl,
    attrs = {
        "build_file": attr.label(
            default = Label("//third_party/onednn:onednn.BUILD"),
            doc = "The BUILD file of a build from source.",
            allow_single_file = True,
        ),
        "system_build_file": attr.label(
            default = Label("//third_party/onednn:onednn_system.BUILD"),
            doc = "The BUILD file for the installed library.",
            allow_single_file = True,
        ),
    },
    environ = ["DOVETAIL_ONEDNN", "DOVETAIL_ONEDNN_SOURCE"],
)
