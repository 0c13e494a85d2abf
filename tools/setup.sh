#!/bin/bash
# Installs what Dovetail needs on Debian 12 beyond a bare system: Bazel, a compiler and the libraries of
# third_party/. Takes no time when nothing is missing.
#
#   tools/setup.sh            what building and testing need
#   tools/setup.sh --clang    clang too, for --config=clang
#   tools/setup.sh --intel-opencl [FOLDER]
#                             Intel's OpenCL for processors too, in FOLDER ($HOME/.cache/dovetail/intel-opencl),
#                             and prints the variables that make a program use it
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

# Intel's OpenCL, and the libraries that it needs and does not bring along.
intel_packages=(
  intel-opencl-rt==2026.2.0
  intel-cmplr-lib-rt==2026.2.0
)
intel_folder=

case "${1-}" in
  "") ;;
  --clang) packages+=(clang lld) ;;
  --intel-opencl)
    packages+=(python3-venv)
    intel_folder="$(realpath --canonicalize-missing "${2:-$HOME/.cache/dovetail/intel-opencl}")"
    ;;
  *)
    echo "usage: tools/setup.sh [--clang | --intel-opencl [FOLDER]]" >&2
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

install_intel_opencl() {
  local icd="$intel_folder/vendors/intel.icd"
  if [[ ! -e "$icd" ]]; then
    python3 -m venv "$intel_folder"
    "$intel_folder/bin/pip" install --quiet --disable-pip-version-check "${intel_packages[@]}"
    mkdir -p "$intel_folder/vendors"
    echo "$intel_folder/lib/libintelocl.so" >"$icd"
  fi
  echo "setup: for Intel's OpenCL, in place of the system's drivers:"
  echo "export OCL_ICD_VENDORS='$intel_folder/vendors'"
  echo "export LD_LIBRARY_PATH='$intel_folder/lib'"
}

finish() {
  [[ -z "$intel_folder" ]] || install_intel_opencl
  exit 0
}

missing=()
for package in "${packages[@]}"; do
  [[ -n "${installed[$package]-}" ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  echo "setup: nothing to install"
  finish
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
finish
