# What the sessions in Go share; sourced. The modules come from the module proxy the first time and
# are checked against each session's go.sum.

cache=${XDG_CACHE_HOME:-$HOME/.cache}/tidemark/clients
least=24

cannot() {
  printf 'not possible here: %s\n' "$1" >&2
  exit 69
}

# "go version go1.26.8 linux/amd64" and "2:1.24~1" give 26 and 24.
minor() {
  sed -n 's/^\([0-9]*:\)\{0,1\}[^0-9]*1\.\([0-9]*\).*/\2/p' | head -n 1
}

usable() { # go
  [ "$("$1" version 2>/dev/null | minor)" -ge "$least" ] 2>/dev/null
}

find_go() {
  local candidate
  for candidate in go /usr/local/go/bin/go /usr/lib/go/bin/go; do
    if usable "$candidate"; then
      go=$candidate
      return
    fi
  done
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    apt-get -q update >&2
    if [ "$(apt-cache policy golang-go | sed -n 's/^ *Candidate: //p' | minor)" -ge "$least" ] 2>/dev/null; then
      DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends golang-go >&2
      usable go && go=go && return
    fi
  fi
  cannot "there is no Go 1.$least or newer, and no package of one"
}

build_session() { # folder with the sources, program
  find_go
  mkdir -p "$cache"
  printf '[clients %3d s] go build of %s\n' "$SECONDS" "${1##*/}" >&2
  (cd "$1" && "$go" build -mod=readonly -trimpath -o "$2" .) || {
    echo 'step failed: go build of the session' >&2
    exit 70
  }
  printf '[clients %3d s] the session\n' "$SECONDS" >&2
}
