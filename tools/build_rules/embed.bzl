"""Text files as constants of a program."""

def embedded_texts(name, header, namespace, texts, visibility = None):
    """Makes <name>.cc, which defines what `header` declares.

    Args:
      name: of the target.
      header: as it is included.
      namespace: of the constants.
      texts: {file: constant}. Each is a `const char kName[]`; no file may hold `)text"`.
      visibility: as everywhere.
    """
    commands = ["echo '#include \"%s\"'" % header, "echo 'namespace %s {'" % namespace]
    for text, constant in texts.items():
        commands += [
            "printf 'const char %s[] = R\"text('" % constant,
            "cat $(location %s)" % text,
            "echo ')text\";'",
        ]
    commands.append("echo '}'")
    native.genrule(
        name = name,
        srcs = list(texts.keys()),
        outs = [name + ".cc"],
        cmd = "(" + "; ".join(commands) + ") > $@",
        visibility = visibility,
    )

def embedded_file(name, file, symbol, visibility = None):
    """A library with the bytes of a file, which `extern "C" const char` of two names give access to.

    Args:
      name: of the target.
      file: any, such as a program.
      symbol: the name of its begin; its end is <symbol>_end.
      visibility: as everywhere.
    """
    native.genrule(
        name = name + "_assembly",
        srcs = [file],
        outs = [name + ".S"],
        cmd = "printf '%%s\\n' '.section .rodata' '.balign 16' '.global %s' '%s:' " % (symbol, symbol) +
              "'.incbin \"$(execpath %s)\"' '.global %s_end' '%s_end:' " % (file, symbol, symbol) +
              "'.section .note.GNU-stack,\"\",%progbits' > $@ && " +
              # A file that .incbin names is no input that the assembler reports, so it alone would change nothing.
              "echo \"/* $$(sha256sum < $(execpath %s)) */\" >> $@" % file,
        visibility = ["//visibility:private"],
    )
    native.cc_library(
        name = name,
        srcs = [name + ".S"],
        linkstatic = True,
        textual_hdrs = [file],
        visibility = visibility,
    )
