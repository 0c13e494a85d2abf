#!/bin/bash
# Makes the peer that Dovetail is compared with: OpenVINO from Python's package
# registry, and a program that times it.
#
#   bench/peers/setup.sh FOLDER      then FOLDER/openvino_peer is there
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?usage: setup.sh FOLDER}
mkdir -p "$folder"
[[ -x "$folder/venv/bin/python" ]] || python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet 'openvino==2026.4.*'
package=$("$folder/venv/bin/python" -c 'import os, openvino; print(os.path.dirname(openvino.__file__))')
g++ -O2 -std=c++17 -I"$package/include" "$here/openvino_peer.cc" "$package"/libs/libopenvino.so.* \
  -Wl,-rpath,"$package/libs" -o "$folder/openvino_peer"
echo "$folder/openvino_peer"
