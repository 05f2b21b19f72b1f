# What .ci/cni/run and .ci/vpc-cni/run share: programs, steps, and namespaces; sourced. Needs
# .ci/clients/go.sh, and from its user layer, plugins (a folder), session, scratch and why.

# ---- programs

install() { # command, package
  if ! command -v "$1" >/dev/null; then
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null &&
      apt-get -q update >&2 && apt-get -q install -y --no-install-recommends "$2" >&2 ||
      cannot "there is no $1, and no package of it"
  fi
}

compile() { # module of ours, options of go build and packages
  local module=$1
  shift
  say "go build in ${module#"$root"/}: ${*##*/}"
  (cd "$module" && CGO_ENABLED=0 "$go" build -mod=readonly -trimpath -o "$plugins/" "$@") || {
    echo "step failed: go build in ${module#"$root"/}" >&2
    exit 70
  }
}

# ---- steps

say() {
  printf '[%s %3d s] %s\n' "$layer" "$SECONDS" "$*" >&2
}

failed() {
  echo "step failed: $session: $*" >&2
  tail -n 100 "$scratch"/*.log >&2 || true
  exit 70
}

step() { # what is expected, command ...
  local what=$1
  shift
  "$@" >"$scratch/out" 2>&1 || {
    cat "$scratch/out" >&2
    failed "$what"
  }
  say "$session: $what"
}

refused() { # what, command ...
  local what=$1
  shift
  ! "$@" >"$scratch/out" 2>&1 || failed "$what"
  say "$session: $what"
}

await() { # what is expected within a minute, command ...
  local what=$1 end=$((SECONDS + 60))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || failed "not within 60 s: $what"
    sleep 0.2
  done
  say "$session: $what"
}

# ---- the node, and its pods pod1, pod2 and so on, as network namespaces

# Says in why when there can be none; in CI they are required.
need_namespaces() {
  if [ "$(id -u)" != 0 ]; then
    why='only root can make network namespaces'
  elif ! unshare --mount --net true 2>/dev/null; then
    why='namespaces are not permitted here'
  fi
  [ -z "$why" ] || [ "${CI:-}" != true ] || cannot "$why"
}

namespaces() { # how many pods
  remove_namespaces
  local each
  for each in node $(seq -f 'pod%g' "$1"); do
    ip netns add "$each"
    ip -n "$each" link set lo up
  done
}

remove_namespaces() {
  local each
  for each in /run/netns/*; do
    [ ! -e "$each" ] || ip netns del "${each##*/}"
  done
}

forwards() { # the node sends on what is for its pods
  local each
  for each in ipv4/ip_forward ipv6/conf/all/forwarding; do
    ip netns exec node sh -c "echo 1 >/proc/sys/net/$each"
  done
}

no_links() { # no pod is connected any more; the kernel ends the links of a namespace after it
  [ -n "$why" ] || await 'no link stays behind' no_link
}

no_link() {
  [ -z "$(ip -n node link show type veth)" ]
}
