"""Repository rules for libraries of the system and for small stand-ins."""

def _system_library_impl(repository_ctx):
    repository_ctx.file("WORKSPACE", "workspace(name = \"%s\")\n" % repository_ctx.name)
    repository_ctx.symlink(repository_ctx.attr.build_file, "BUILD.bazel")

system_library = repository_rule(
    doc = """A library that the distribution has installed.

Its targets carry link options only: the headers stand in the compiler's default include path, where
Bazel lets any action read them. That keeps thousands of files of /usr/include out of every action.""",
    implementation = _system_library_impl,
    attrs = {
        "build_file": attr.label(
            doc = "The BUILD file that gives the library its targets.",
            mandatory = True,
            allow_single_file = True,
        ),
    },
)

def _overlay_repository_impl(repository_ctx):
    repository_ctx.file("WORKSPACE", "workspace(name = \"%s\")\n" % repository_ctx.name)
    for source, path in repository_ctx.attr.files.items():
        repository_ctx.symlink(source, path)

overlay_repository = repository_rule(
    doc = "A repository made of a few files of this one.",
    implementation = _overlay_repository_impl,
    attrs = {
        "files": attr.label_keyed_string_dict(
            doc = "From the file here to its path in the new repository.",
            mandatory = True,
            allow_files = True,
        ),
    },
)
