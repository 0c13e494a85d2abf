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
