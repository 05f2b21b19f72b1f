# What .ci/kubernetes/build and .ci/monitoring/build share; sourced. Programs of Go modules are kept in
# the user's cache folder under a key made of the script that builds them, so that a change of the
# script builds them anew; Go's own caches, which lie beside and may be deleted, make it less.

go_least=1.26
. "$(dirname -- "${BASH_SOURCE[0]}")/steps.sh"

finish() {
  ready=true
  printf '%s\n' "$bin"
  exit 0
}

built() {
  local each
  for each in "${programs[@]}"; do
    [ -x "$bin/$each" ] || return 1
  done
}

# Whether a program is asked for, and not there.
wanted() {
  [[ " ${programs[*]} " == *" $1 "* ]] && [ ! -x "$bin/$1" ]
}

# Ends the script when the programs are there; else what is needed to build them is, afterwards.
begin() { # layer, script, programs ...
  layer=$1
  programs=("${@:3}")
  cache=${XDG_CACHE_HOME:-$HOME/.cache}/tidemark/$layer
  bin=$cache/bin-$(cksum <"$2" | tr ' ' -)
  work=$cache/work
  if built; then finish; fi

  local version
  go=$(command -v go || ls /usr/local/go/bin/go 2>/dev/null) ||
    cannot "Go $go_least or newer is missing, and there are no binaries in $bin"
  version=$("$go" env GOVERSION | sed 's/^go//')
  [ "$(printf '%s\n' "$go_least" "$version" | sort -V | head -n 1)" = "$go_least" ] ||
    cannot "Go is $version, and $go_least or newer is needed"

  mkdir -p "$bin" "$work"
  exec 9>"$cache/lock"
  flock 9 # another run may be building the same
  if built; then finish; fi

  export GOPATH=$cache/go GOCACHE=$cache/go/build GOTMPDIR=$work GOTOOLCHAIN=local GOWORK=off
  export CGO_ENABLED=0 GOFLAGS=-mod=mod
  mkdir -p "$GOCACHE"
}

# Each command is built in a module of our own, so that Go resolves the versions.
module() { # name, module, version
  mkdir -p "$work/$1"
  printf 'module tidemark.test/%s\n\ngo 1.25\n\nrequire %s v%s\n' "$1" "$2" "$3" >"$work/$1/go.mod"
}

resolve() { # name, package
  local module=$work/$1
  printf '//go:build tools\n\npackage tools\n\nimport _ "%s"\n' "$2" >"$module/tools.go"
  step "resolving the modules of $1"
  (cd "$module" && "$go" mod tidy) >"$work/$1.log" 2>&1 ||
    { tail -n 20 "$work/$1.log" >&2; exit 1; }
}

compile() { # name, package, ld flags, further options of go build ...
  local name=$1 package=$2 flags=$3 module=$work/$1
  shift 3
  step "compiling $name"
  (cd "$module" && "$go" build -trimpath -ldflags "-s -w $flags" "$@" -o "$bin/$name.new" "$package") \
    >"$work/$name.log" 2>&1 || { tail -n 20 "$work/$name.log" >&2; exit 1; }
  mv "$bin/$name.new" "$bin/$name"
}

# The programs of former scripts go.
complete() {
  local old
  for old in "$cache"/bin-*; do
    [ "$old" = "$bin" ] || rm -rf -- "$old"
  done
  finish
}
