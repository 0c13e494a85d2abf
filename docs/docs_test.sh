#!/bin/bash
# Fails when README.md or a text in docs names a file, a label or a --config that the source tree does not have.
# The argument is a file in the root of the source tree.
#
# "mine" is the name of the backend that docs/adding_a_backend.md makes by copying backends/null, so what is said of
# it has to be there for "null".
set -euo pipefail

root=$(dirname "$(realpath "$1")")
cd "$root"
texts=(README.md docs/*.md)
((${#texts[@]} > 1)) || { echo "no texts below $root"; exit 1; }
folders='core|transformations|backends|extensions|testing|tools|examples|docs|third_party'
problems=0
checked=0

problem() { # text, what is wrong
  echo "$1: $2"
  problems=$((problems + 1))
}

as_null() { perl -pe 's/(?<![a-z])mine(?![a-z])/null/g; s/Mine(?![a-z])/Null/g'; }

# Names that a BUILD file declares, by itself or through the macros of this repository.
names_in() { # package
  local build=./$1/BUILD.bazel
  grep -oP '\bname = "\K[^"]+' "$build" || true
  if [[ $1 == backends ]]; then
    printf 'preset\n'
    grep -oP '^    "\K\w+(?=": _backend)' backends/backends.bzl | sed 's/.*/&_plugin\nwith_&/'
  fi
  # dovetail_plugin and backend_test add to the name that they are given.
  grep -A1 -P '^dovetail_plugin\(' "$build" | grep -oP 'name = "\K[^"]+' | sed 's/.*/&_plugin.so\nregistration/' || true
  grep -A1 -P '^backend_test\(' "$build" | grep -oP 'name = "\K[^"]+' |
    while read -r suite; do
      printf '%s_fake\n' "$suite"
      grep -oP '^    "\K\w+(?=": _backend)' backends/backends.bzl | sed "s/.*/${suite}_&\n${suite}_&_loaded/"
    done || true
}

check_label() { # text, label such as //core/plugin or //core/plugin:query
  local package=${2#//} target
  target=${package##*:}
  package=${package%%:*}
  package=${package%/...}
  [[ $package == ... ]] && return
  [[ $2 == *:* ]] || target=${package##*/}
  [[ -d ./$package ]] || { problem "$1" "$2: there is no folder $package"; return; }
  [[ $2 == */... || $2 == *:all ]] && return
  [[ -f ./$package/BUILD.bazel ]] || { problem "$1" "$2: $package has no BUILD.bazel"; return; }
  [[ -f ./$package/$target ]] && return
  grep -qxF "$target" <<<"$(names_in "$package")" || problem "$1" "$2: $package declares no $target"
}

for text in "${texts[@]}"; do
  # Labels; a name with a place to fill in, such as with_<name>, is none.
  while read -r label; do
    check_label "$text" "$label"
    checked=$((checked + 1))
  done < <(grep -oP '(?<![:/])//(?>[a-z][\w-]*(/[\w-]+)*(/\.\.\.|:[\w.-]*\w)?|:[\w.-]*\w)(?![\w<:])' "$text" | as_null | sort -u)

  # Paths from the root, also as C++ includes them.
  while read -r path; do
    [[ -e ./$path ]] || problem "$text" "there is no $path"
    checked=$((checked + 1))
  done < <(grep -oP "(?<![\w/.@-])(dovetail/)?\K($folders)/[\w/.-]*[\w/](?![<*\w])" "$text" | as_null | sort -u)

  # Links, from the text's own folder.
  while read -r link; do
    [[ -e ./$(dirname "$text")/$link ]] || problem "$text" "the link $link leads nowhere"
    checked=$((checked + 1))
  done < <(grep -oP '\]\(\K[^)#:]+(?=[)#])' "$text" | sort -u)

  while read -r config; do
    grep -qE "^build:$config( |\$)" .bazelrc || problem "$text" ".bazelrc has no --config=$config"
    checked=$((checked + 1))
  done < <(grep -oP -- '--config=\K[a-z]\w*' "$text" | sort -u)
done

((checked > 20)) || { echo "only $checked names were found in ${texts[*]}"; exit 1; }
((problems == 0)) || exit 1
