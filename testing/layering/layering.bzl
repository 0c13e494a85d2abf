"""Tests of what the build's graph must not contain, over whole paths of dependencies.

tools/build_rules/layers.bzl stops a wrong dependency where it is declared. These look at the finished
graph, and so also at targets that are declared without the rules of cc.bzl.
"""

load("//backends:backends.bzl", "BACKENDS", "only_with_backend")

# Whatever is reachable from these is looked at; all branches of every select() count.
_ROOTS = [
    "//:dovetail",
    "//backends:all_plugins",
]

def other_backends():
    """For no_paths_test: each backend that is no virtual device, with all the others but common."""
    return {
        "^//backends/%s[/:]" % name: "^//backends/(?!(%s|common)[/:])" % name
        for name in BACKENDS
        if not BACKENDS[name].virtual
    }

def no_paths_test(name, forbidden, reason):
    """A test that fails with every path from targets to others that they must not depend on.

    Args:
      name: of the test.
      forbidden: from a regular expression for labels to one for those that they must not depend on.
      reason: is printed above the paths.
    """
    paths = [
        "allpaths(filter(\"%s\", $all), filter(\"%s\", $all))" % pair
        for pair in forbidden.items()
    ]
    native.genquery(
        name = name + "_query",
        testonly = True,
        expression = "let all = deps(%s) in %s" % (" + ".join(_ROOTS), " + ".join(paths)),
        opts = [
            "--noimplicit_deps",
            "--output=graph",
            "--nograph:factored",
        ],
        scope = _ROOTS,
        # The query goes down all branches and so reads @onednn, which other builds need not download.
        target_compatible_with = only_with_backend("cpu"),
    )
    native.sh_test(
        name = name,
        size = "small",
        srcs = ["no_paths_test.sh"],
        args = [
            "$(rootpath :%s_query)" % name,
            "'%s'" % reason,
        ],
        data = [":%s_query" % name],
        target_compatible_with = only_with_backend("cpu"),
    )
