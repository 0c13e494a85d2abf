"""Operations of one's own in both forms: linked into a program, or a library that a program loads.

For workspaces that embed Dovetail, too: the labels are those of this repository wherever it is.
"""

load(":library_forms.bzl", "library_forms")

_FORM = struct(
    build_macro = "DOVETAIL_OP_LIBRARY_BUILD",
    shared_macro = "DOVETAIL_OP_LIBRARY_SHARED",
    symbol = "dovetail_op_library",
)

def dovetail_op_library(name, srcs, hdrs = [], deps = [], **kwargs):
    """:<name>, which a program links, and <name>.so, which it loads, both compiled from the same sources.

    One of the sources has a DOVETAIL_OP_LIBRARY (extensions/custom_op/custom_op.h).

    Args:
      name: of the library, best also that of the extension.
      srcs: as in cc_library.
      hdrs: as in cc_library; one declares the function that DOVETAIL_OP_LIBRARY defines.
      deps: as in cc_library; //extensions/custom_op is among them anyway.
      **kwargs: copts, testonly, visibility of both forms; others for the linked one, as in cc_library.
    """
    library_forms(name, _FORM, srcs, hdrs, deps + [Label("//extensions/custom_op")], **kwargs)
