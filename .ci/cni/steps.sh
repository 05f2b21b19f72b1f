# Steps of the sequences of .ci/cni/run: the node, its pods, its agent and its operator; sourced.

# ---- the node, and its pods

node() { # how many pods
  rm -rf "$scratch"/{nodes,net.d,state}
  mkdir "$scratch/nodes" "$scratch/net.d"
  [ -n "$why" ] || namespaces "$1"
}

config() { # version
  version=$1
  local own="\"type\": \"$plugin\""
  [ "$plugin" != bridge ] || own+=', "bridge": "tm0", "isGateway": true'
  cat >"$scratch/net.d/10-pods.conflist" <<CONFIG
{
  "cniVersion": "$version",
  "name": "pods",
  "plugins": [{$own, "ipam": {"type": "tidemark-ipam"}}]
}
CONFIG
}

export TIDEMARK_AGENT_SOCKET=$scratch/agent.sock CILIUM_SOCK=$scratch/cilium.sock
cni() { # cnitool's command, pod
  local arguments="IgnoreUnknown=1;K8S_POD_NAMESPACE=default;K8S_POD_NAME=$2"
  if [ "$plugin" != direct ]; then
    ip netns exec node env CNI_PATH="$plugins" NETCONFPATH="$scratch/net.d" CNI_ARGS="$arguments" \
      "$plugins/cnitool" "$1" pods "/run/netns/$2"
    return
  fi
  local more=
  case $1 in
    check) more=",\"prevResult\":$(cat "$scratch/result.$2")" ;;
    gc) more=',"cni.dev/valid-attachments":[]' ;;
  esac
  printf '{"cniVersion":"%s","name":"pods","ipam":{"type":"tidemark-ipam"}%s}' "$version" "$more" |
    CNI_COMMAND=${1^^} CNI_CONTAINERID=$2 CNI_NETNS=/run/netns/$2 CNI_IFNAME=eth0 \
      CNI_ARGS=$arguments CNI_PATH=$plugins "$plugins/tidemark-ipam" >"$scratch/answer" || {
    cat "$scratch/answer"
    return 1
  }
  [ "$1" != add ] || cp "$scratch/answer" "$scratch/result.$2"
  cat "$scratch/answer"
}

add() { # pod: its addresses
  step "add $1" cni add "$1"
  addresses=($(grep -o '"address": *"[^/"]*' "$scratch/out" | sed 's/.*"//'))
  [ ${#addresses[@]} = "$families" ] || failed "add $1 gave ${addresses[*]}"
}

pings() { # pod, address ...
  local pod=$1 address
  shift
  [ "$plugin" != direct ] || return 0
  for address in "$@"; do
    step "$pod pings $address" ip netns exec "$pod" ping -c 1 -W 5 "$address"
  done
}

attachments() { # how many there are
  [ "$(grep -o '"container"' "$scratch/state/attachments.json" | wc -l)" = "$1" ] ||
    failed "there are not $1 attachments: $(cat "$scratch/state/attachments.json")"
}

# ---- its programs

start_agent() { # options
  "$root/tidemark" agent --node=node --nodes="$scratch/nodes" --socket="$TIDEMARK_AGENT_SOCKET" \
    --state="$scratch/state" --port=0 "$@" >>"$scratch/agent.log" 2>&1 &
  agent=$!
  await 'the agent serves' serves
}

serves() {
  kill -0 "$agent" 2>/dev/null || failed 'the agent has ended'
  cni status pod1 >"$scratch/out" 2>&1
}

kill_agent() {
  kill -9 "$agent"
  wait "$agent" 2>/dev/null || true
}

stop_agent() {
  kill "$agent"
  wait "$agent" || failed 'the agent does not stop well'
  agent=
  [ ! -e "$TIDEMARK_AGENT_SOCKET" ] || failed 'the socket stays behind'
}

start_operator() {
  "$root/tidemark" run --provider=mock --nodes="$scratch/nodes" --port=0 --release-excess-ips \
    --excess-ip-release-delay=2s --background-sync-interval=1s >>"$scratch/operator.log" 2>&1 &
  operator=$!
}

kill_operator() {
  kill -9 "$operator"
  wait "$operator" 2>/dev/null || true
}

stop_operator() {
  kill "$operator"
  wait "$operator" || failed 'the operator does not stop well'
  operator=
}

start_cilium() { # the node's own addresses
  forwards
  ip netns exec node "$plugins/cilium-agent-api" "$CILIUM_SOCK" "$@" >>"$scratch/cilium.log" 2>&1 &
  cilium=$!
  await 'the API of Cilium is there' [ -S "$CILIUM_SOCK" ]
}

stop_cilium() {
  kill "$cilium"
  wait "$cilium" 2>/dev/null || true
  cilium=
  rm -f "$CILIUM_SOCK"
}
