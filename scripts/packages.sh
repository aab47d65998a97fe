# shellcheck shell=bash disable=SC2034
# Debian packages by purpose, and how to install the missing ones. Sourced by quickstart and check.

build_packages=(g++ cmake ninja-build pkg-config libsimgrid-dev libboost-dev libboost-graph-dev libyaml-cpp-dev libfmt-dev
  libspdlog-dev nlohmann-json3-dev libcli11-dev zlib1g-dev libeigen3-dev node-d3)
mpi_packages=(libboost-mpi-dev libopenmpi-dev openmpi-bin)  # for gridlock-mpi; the build is whole without them
test_packages=(libgtest-dev libopenblas0 librapidcheck-dev python3-jsonschema python3-yaml python3 shellcheck clang-format chromium)

# Installs the packages that are missing, as root or through sudo, and says which.
install_packages() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "missing Debian packages, and neither root nor sudo to install them: ${missing[*]}" >&2; return 4; }
    sudo=(sudo)
  fi
  echo "installing Debian packages: ${missing[*]}"
  "${sudo[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}
