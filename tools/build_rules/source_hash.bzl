"""A hash over the sources that targets are made of, as a header with one macro.

The list of files follows from the dependencies, so nobody can forget to add one, and a version that
somebody has to raise is not needed. Only this repository's own files count, by their path in it and their
bytes: the hash is the same where another workspace embeds Dovetail. Include the header in few sources:
each byte that changes in the files compiles them again.
"""

_SourcesInfo = provider(
    doc = "The files of a target and of all it depends on.",
    fields = {"files": "depset of the files that targets list as sources or headers"},
)

def _sources_aspect_impl(_target, ctx):
    files = []
    for attribute in ["srcs", "hdrs", "textual_hdrs"]:
        files += getattr(ctx.rule.files, attribute, [])
    deps = list(getattr(ctx.rule.attr, "deps", []) or [])
    return [_SourcesInfo(files = depset(
        files,
        transitive = [dep[_SourcesInfo].files for dep in deps if _SourcesInfo in dep],
    ))]

_sources_aspect = aspect(
    implementation = _sources_aspect_impl,
    attr_aspects = ["deps"],
)

def _is_under_any(file, folders):
    package = file.owner.package
    for folder in folders:
        if package == folder or package.startswith(folder + "/"):
            return True
    return False

def _counts(ctx, file):
    if not file.is_source or file.owner.workspace_name != ctx.label.workspace_name:
        return False
    if not ctx.attr.headers_under and not ctx.attr.sources_under:
        return True
    if file.extension == "h" and _is_under_any(file, ctx.attr.headers_under):
        return True
    return _is_under_any(file, ctx.attr.sources_under)

def _source_hash_impl(ctx):
    files = depset(
        ctx.files.srcs,
        transitive = [dep[_SourcesInfo].files for dep in ctx.attr.deps],
    )
    counted = {file.path: file for file in files.to_list() if _counts(ctx, file)}
    paths = ctx.actions.args()
    paths.add_all(sorted(counted))
    paths.set_param_file_format("multiline")
    paths.use_param_file("%s", use_always = True)
    ctx.actions.run_shell(
        outputs = [ctx.outputs.out],
        inputs = counted.values(),
        arguments = [ctx.outputs.out.path, ctx.attr.macro, paths],
        # Hashes the lines "<hash>  <path>", with paths as in this repository.
        command = """
set -euo pipefail
hash=$(xargs -d '\\n' sha256sum <"$3" | sed 's|  external/[^/]*/|  |' | LC_ALL=C sort -k2 | sha256sum)
printf '// Made by tools/build_rules/source_hash.bzl.\\n#define %s "%s"\\n' "$2" "${hash:0:16}" >"$1"
""",
        mnemonic = "SourceHash",
        progress_message = "Hashing the sources of %{label}",
    )
    names = ctx.actions.declare_file(ctx.label.name + ".files")
    ctx.actions.write(names, "".join([path + "\n" for path in sorted(counted)]))
    return [OutputGroupInfo(names = depset([names]))]

source_hash = rule(
    doc = "Writes `#define <macro> \"<16 hexadecimal digits>\"`. The output group names lists the files.",
    implementation = _source_hash_impl,
    attrs = {
        "deps": attr.label_list(
            doc = "Whose sources count, with those of all they depend on.",
            aspects = [_sources_aspect],
        ),
        "headers_under": attr.string_list(doc = "Folders whose headers count."),
        "macro": attr.string(mandatory = True),
        "out": attr.output(mandatory = True),
        "sources_under": attr.string_list(
            doc = "Folders of which all files count. Neither these nor headers_under: all files.",
        ),
        "srcs": attr.label_list(
            doc = "Files besides, such as those of a target that depends on this one.",
            allow_files = True,
        ),
    },
)
