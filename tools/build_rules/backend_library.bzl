"""A backend outside of this repository in both forms: linked into a program, or a plugin that a program loads.

The backends of this repository have plugin.bzl and a row in backends/backends.bzl instead.
"""

load(":library_forms.bzl", "library_forms")

_FORM = struct(
    build_macro = "DOVETAIL_PLUGIN_BUILD",
    shared_macro = "DOVETAIL_PLUGIN_LIBRARY",
    symbol = "dovetail_plugin_manifest",
)

def dovetail_backend_library(name, srcs, hdrs = [], deps = [], **kwargs):
    """:<name>, which a program links, and <name>.so, which it loads, both compiled from the same sources.

    One of the sources has a DOVETAIL_PLUGIN (core/plugin/registry/manifest.h).

    Args:
      name: of the library.
      srcs: as in cc_library.
      hdrs: as in cc_library.
      deps: as in cc_library; //:backend is among them anyway.
      **kwargs: copts, testonly, visibility of both forms; others for the linked one, as in cc_library.
    """
    library_forms(name, _FORM, srcs, hdrs, deps + [Label("//:backend")], alwayslink = True, **kwargs)
