#!/bin/bash
# Installs what Dovetail needs on Debian 12 beyond a bare system: Bazel, a compiler and the libraries of
# third_party/. Takes no time when nothing is missing.
#
#   tools/setup.sh            what building and testing need
#   tools/setup.sh --clang    clang too, for --config=clang
set -euo pipefail

packages=(
  g++
  bazel-bootstrap
  bazel-rules-java
  bazel-skylib
  libabsl-dev
  libbenchmark-dev
  libgmock-dev
  libgtest-dev
  libhwy-dev
  libpng-dev
  libpugixml-dev
  libturbojpeg0-dev
  libxxhash-dev
  nlohmann-json3-dev
  ocl-icd-libopencl1
  opencl-headers
  pocl-opencl-icd
)

case "${1-}" in
  "") ;;
  --clang) packages+=(clang lld) ;;
  *)
    echo "usage: tools/setup.sh [--clang]" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "setup: this is neither Debian nor a system like it; please install the likes of: ${packages[*]}" >&2
  exit 1
fi

# dpkg-query fails when it knows nothing of one of them, but lists the others all the same.
declare -A installed=()
while read -r package state; do
  [[ "$state" == installed ]] && installed[$package]=1
done < <(dpkg-query --show --showformat '${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)

missing=()
for package in "${packages[@]}"; do
  [[ -n "${installed[$package]-}" ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  echo "setup: nothing to install"
  exit 0
fi

as_root=(env DEBIAN_FRONTEND=noninteractive)
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "setup: please run as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo "${as_root[@]}")
fi

install_missing() {
  "${as_root[@]}" apt-get install --yes --quiet=2 --no-install-recommends "${missing[@]}"
}

echo "setup: installing ${missing[*]}"
# The lists of packages are fetched only when the ones at hand are absent or too old to be of use.
if ! apt-cache show "${missing[@]}" >/dev/null 2>&1 || ! install_missing; then
  "${as_root[@]}" apt-get update --quiet=2
  install_missing
fi
