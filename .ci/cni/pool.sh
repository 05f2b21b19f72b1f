# A node whose pool an operator fills: `./tidemark run` with the mock cloud and `./tidemark agent`
# share a folder, as two programs; sourced by .ci/cni/run.

pre_allocate=4
room=27 # what an m5.large can have for pods
most=26 # so many pods, and the gateway

pool_node() {
  node "$most"
  families=1
  cat >"$scratch/nodes/node.json" <<NODE
{
  "apiVersion": "cilium.io/v2",
  "kind": "CiliumNode",
  "metadata": {"name": "node"},
  "spec": {
    "instance-id": "i-1",
    "eni": {
      "availability-zone": "zone-a",
      "first-interface-index": 0,
      "instance-type": "m5.large",
      "node-subnet-id": "subnet-a",
      "vpc-id": "vpc-1"
    },
    "ipam": {"pre-allocate": $pre_allocate}
  }
}
NODE
}

start_pool_agent() {
  # This machine has no interface of the mock cloud, and no metadata service says which one it is.
  start_agent --ipam=eni --instance-id=i-1 --agent-check-interfaces=false \
    --ipam-cilium-node-update-rate=1s --ip-cooldown=1s --cni-add-wait=25s
}

# ---- what the object says, as lines in order

object() {
  tr -d ' \n' <"$scratch/nodes/node.json"
}

entries() { # member: its addresses, and what follows each
  { object | grep -oE "\"$1\":\{(\"[0-9.]+\":(\{[^{}]*\}|\"[^\"]*\"),?)*" |
    grep -oE '"[0-9.]+":(\{[^{}]*\}|"[^"]*")' || true; } | sort
}

addresses_of() { # member
  entries "$1" | cut -d '"' -f 2
}

of_interfaces() {
  { object | grep -oE '"addresses":\[[^]]*\]' | grep -oE '[0-9.]+\.[0-9]+' || true; } | sort
}

used() { # each address and its owner, without the router
  entries used | sed 's/"\([0-9.]*\)":{"owner":"\([^"]*\)".*/\1 \2/' | grep -v ' router$' || true
}

attached() { # each address and its owner, as the agent keeps them
  sed 's/"attachments":/\n&/; s/"cooling":/\n&/' "$scratch/state/attachments.json" |
    grep '^"attachments"' |
    { grep -oE '"owner":"[^"]*"[^]]*"ip":"[^"]*"' || true; } |
    sed 's/"owner":"\([^"]*\)".*"ip":"\([^"]*\)"/\2 \1/' | sort
}

given() { # each address and its pod, as the results said
  local each
  for each in "${!address[@]}"; do
    printf '%s default/%s\n' "${address[$each]}" "$each"
  done | sort
}

wanted() { # so many addresses the pool is to hold
  local all=$((${#address[@]} + 1 + pre_allocate))
  echo $((all < room ? all : room))
}

# The operator's pool is what the interfaces have, and holds what is in use and the spare; what is in
# use is what the pods were given, also in the agent's own file; and the release handshake is over.
agree() {
  [ "$(addresses_of pool)" = "$(of_interfaces)" ] &&
    [ "$(addresses_of pool | wc -l)" = "$(wanted)" ] &&
    published && [ "$(attached)" = "$(given)" ] &&
    [ "$(entries used | grep -c '"router"')" = 1 ] &&
    [ -z "$(addresses_of used | comm -23 - <(addresses_of pool))" ] &&
    [ -z "$(entries release-ips)" ]
}

published() { # nothing else is in use, nor in its cooldown
  [ "$(used)" = "$(given)" ]
}

in_handshake() {
  [ -n "$(entries release-ips)" ]
}

# ---- the sequences

declare -A address

add_one() { # pod
  add "$1"
  [[ " ${address[*]} " != *" ${addresses[0]} "* ]] || failed "two pods have ${addresses[0]}"
  address[$1]=${addresses[0]}
}

del_twice() { # pod
  step "del $1" cni del "$1"
  step "del $1 again" cni del "$1"
  unset "address[$1]"
}

reach_each_other() { # two pods
  pings "$1" "${address[$2]}"
  pings "$2" "${address[$1]}"
  step "check $1" cni check "$1"
  step "check $2" cni check "$2"
}

# More pods than the first pool holds.
grows() {
  local first each
  first=$(addresses_of pool | wc -l)
  [ "$first" -lt "$most" ] || failed "the first pool holds $first addresses"
  for each in $(seq $((most - 1))); do
    add_one "pod$each"
  done
  await "the pool has grown from $first to $(wanted), and both agree" agree
  reach_each_other pod1 "pod$((most - 1))"
  await 'the agent has seen the last address, and can give it' serves
}

agent_is_killed() {
  kill_agent
  pings pod1 "${address[pod$((most - 1))]}"
  refused 'del without an agent fails, so the runtime repeats it' cni del pod3
  start_pool_agent
  await 'both agree after the agent was killed' agree
}

operator_is_killed() {
  kill_operator
  add_one "pod$most"
  refused 'status without a free address fails' cni status pod1
  start_operator
  await 'every address is given once, and both agree after the operator was killed' agree
}

shrinks() {
  local each
  for each in $(seq 3 "$most"); do
    del_twice "pod$each"
  done
  await 'nothing else is in use' published
  kill_agent
  await 'excess addresses are in the release handshake' in_handshake
  start_pool_agent
  await "the pool has shrunk to $(wanted), and both agree" agree
  reach_each_other pod1 pod2
}

ends() {
  step 'gc' cni gc pod1
  address=()
  await 'the pool holds the spare and the router, and both agree' agree
  attachments 0
  no_links
  stop_agent
  stop_operator
  local left
  left=$(ls -A "$scratch/nodes" | grep -vx -e node.json -e .tidemark.write-lock) || true
  [ -z "$left" ] || failed "files stay behind: $left"
}

pool_session() {
  session="$plugin with an operator"
  pool_node
  config 1.1.0
  [ "$plugin" != cilium-cni ] || start_cilium 169.254.7.1
  start_operator
  start_pool_agent
  grows
  agent_is_killed
  operator_is_killed
  shrinks
  ends
  [ -z "$cilium" ] || stop_cilium
}
