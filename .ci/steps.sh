# What scripts share that set something up before a layer; sourced, with $layer set. A script that ends before it sets
# ready=true ends with 70, and the step that failed is named.

step='' ready=false
trap '$ready || { printf "step failed: %s\n" "$step" >&2; exit 70; }' EXIT

step() {
  step=$1
  printf '[%s %3d s] %s\n' "$layer" "$SECONDS" "$1" >&2
}

cannot() { # reason why this machine never can
  printf 'not possible here: %s\n' "$1" >&2
  ready=true
  exit 69
}

can_install() {
  command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]
}

apt_install() { # packages ...
  step "apt-get install $*"
  apt-get -q update >&2
  DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "$@" >&2
}
