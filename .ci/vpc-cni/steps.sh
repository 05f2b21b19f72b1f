# Steps of the sequences of .ci/vpc-cni/run and .ci/vpc-cni/beside: the interfaces of the node, its ipamd,
# the clients that ask it, its pods, and the report; sourced.

# ---- interfaces: device D has the addresses 10.0.D.5 and so on

interfaces() { # so many addresses per device ...
  local count device=0 all=()
  for count in "$@"; do
    all+=("$(printf '{"id": "eni-%d", "device": %d, "addresses": [%s]}' "$device" "$device" \
      "$(list $(seq -f "\"10.0.$device.%g\"" 5 $((count + 4))))")")
    device=$((device + 1))
  done
  printf '{"interfaces": [%s]}\n' "$(list "${all[@]}")" >"$scratch/interfaces.json"
}

# Those of a node whose pods have IPv6 addresses.
ipv6=(--enable-ipv4=false --enable-ipv6 --enable-prefix-delegation)
ipv6_interfaces() {
  printf '{"interfaces": [{"id": "eni-0", "device": 0, "prefixes": ["2001:db8:0:1::/80"]}]}\n' \
    >"$scratch/interfaces.json"
}

list() { # JSON values ...
  local IFS=,
  echo "$*"
}

device_of() { # address
  case $1 in
    *:*) echo 0 ;;
    *) cut -d . -f 3 <<<"$1" ;;
  esac
}

# An address as a client of a version prints it.
given() { # version, address
  local device=$(device_of "$2")
  printf '%s device %d' "$2" "$device"
  case $1 in
    1.19.*) ;;
    *) printf ' table %d' $((device == 0 ? 254 : device + 1)) ;;
  esac
}

# ---- ipamd, with namespaces on the socket that the plugin expects

start_ipamd() { # options
  start_ipamd_on --interfaces="$scratch/interfaces.json" "$@"
}

start_ipamd_on() { # what has its interfaces, options
  "${in_node[@]}" "$root/tidemark" ipamd \
    --checkpoint-path="$checkpoint" --introspection-address=127.0.0.1:0 --metrics-address=127.0.0.1:0 \
    ${why:+"--ipamd-socket=$socket"} "$@" >>"$scratch/ipamd.log" 2>&1 &
  ipamd=$!
  await 'ipamd serves' serves
}

# An instance with its own address alone.
start_ec2() { # further lines of the scenario
  cat >"$scratch/ec2.yaml" <<WORLD
seed: 1
account: "111111111111"
region: eu-west-1
vpcs:
  - {name: v, cidr: 10.0.0.0/16, subnets: [{name: s, zone: eu-west-1a, cidr: 10.0.0.0/24}]}
instances:
  - {name: node, subnet: s, type: m5.large}
$1
WORLD
  "${in_node[@]}" "$root/tidemark" ec2-emulator --scenario="$scratch/ec2.yaml" --port=4566 \
    --imds-port=1338 >>"$scratch/ec2.log" 2>&1 &
  ec2=$!
  await 'EC2 answers' grep -q 1338 "$scratch/ec2.log"
}

ipamd_on_ec2=(--ec2-api-endpoint=http://127.0.0.1:4566 --aws-metadata-endpoint=http://127.0.0.1:1338)
start_ipamd_on_ec2() {
  AWS_ACCESS_KEY_ID=111111111111 AWS_SECRET_ACCESS_KEY=any start_ipamd_on \
    "${ipamd_on_ec2[@]}" --warm-ip-target=0 --minimum-ip-target=2
}

stop_ec2() {
  kill "$ec2"
  wait "$ec2" 2>/dev/null || true
  ec2=
}

serves() {
  kill -0 "$ipamd" 2>/dev/null || failed 'ipamd has ended'
  [ "$(ask 1.23.1 health '')" = SERVING ]
}

kill_ipamd() {
  kill -9 "$ipamd"
  wait "$ipamd" 2>/dev/null || true
}

stop_ipamd() {
  kill "$ipamd"
  wait "$ipamd" || failed 'ipamd does not stop well'
  ipamd=
  [ ! -e "$socket" ] || failed 'the socket stays behind'
}

no_assignments() {
  grep -q '"allocations":\[\]' "$checkpoint" || failed "assignments stay behind: $(cat "$checkpoint")"
}

# ---- clients

ask() { # version, what a client is asked to do ...
  local address=127.0.0.1:50051 version=$1
  [ "$version" != 1.23.1 ] || address=unix:$socket
  shift
  "${in_node[@]}" "$plugins/client-$version" "$address" "$@"
}

answers() { # what, expected answer, version, what a client is asked to do ...
  local what=$1 expected=$2
  shift 2
  step "$what" ask "$@"
  [ "$(cat "$scratch/out")" = "$expected" ] ||
    failed "$what: $(cat "$scratch/out"), and not $expected"
}

# ---- the node, and its pods: the network of a pod ends with its namespace, as a container runtime does it

node() { # how many pods
  rm -rf "$scratch/state"
  address=()
  namespaces "$1"
  forwards
  mkdir -p "$scratch/net.d"
  cat >"$scratch/net.d/10-aws.conflist" <<CONFIG
{
  "cniVersion": "1.0.0",
  "name": "aws-cni",
  "disableCheck": true,
  "plugins": [
    {
      "name": "aws-cni",
      "type": "aws-cni",
      "vethPrefix": "eni",
      "mtu": "9001",
      "podSGEnforcingMode": "strict",
      "pluginLogFile": "$scratch/plugin.log",
      "pluginLogLevel": "DEBUG"
    }
  ]
}
CONFIG
}

container() { # pod: what cnitool calls it
  printf 'cnitool-%s' "$(printf '/run/netns/%s' "$1" | sha512sum | cut -c 1-20)"
}

cni() { # cnitool's command, pod
  "${in_node[@]}" env CNI_PATH="$plugins" NETCONFPATH="$scratch/net.d" \
    CNI_ARGS="IgnoreUnknown=1;K8S_POD_NAMESPACE=default;K8S_POD_NAME=$2;K8S_POD_INFRA_CONTAINER_ID=$2" \
    "$plugins/cnitool" "$1" aws-cni "/run/netns/$2"
}

declare -A address

add() { # pod
  step "add $1" cni add "$1"
  added "$1"
}

# As the runtime does when a pod gets no address.
add_again() { # pod
  await "add $1" cni_add "$1"
  added "$1"
}

cni_add() { # pod
  cni add "$1" >"$scratch/out" 2>&1
}

added() { # pod
  local found
  found=$(grep -o '"address": *"[^/"]*' "$scratch/out" | sed 's/.*"//')
  [[ " ${address[*]} " != *" $found "* ]] || failed "two pods have $found"
  address[$1]=$found
}

no_address() { # why, pod
  refused "add $2 $1" cni add "$2"
  grep -q 'failed to assign an IP address' "$scratch/out" || failed "$(cat "$scratch/out")"
}

remove() { # pod
  step "del $1" cni del "$1"
  ip netns del "$1"
  step "del $1 again" cni del "$1"
  unset "address[$1]"
}

pings() { # pod, pod
  step "$1 pings $2" ip netns exec "$1" ping -c 1 -W 5 "${address[$2]}"
  step "$2 pings $1" ip netns exec "$2" ping -c 1 -W 5 "${address[$1]}"
}

keep() { # pods ...
  local pod
  for pod in "$@"; do
    answers "$pod keeps ${address[$pod]}" "$(given 1.23.1 "${address[$pod]}")" \
      1.23.1 add v1.23.1 "$(container "$pod")"
  done
}

# The daemon of the VPC CNI starts instead: it finds the pods that there are, and writes the file anew.
taken_over() {
  step 'the datastore of the VPC CNI takes the checkpoint over' \
    "${in_node[@]}" "$plugins/takeover" "$checkpoint" "$scratch/interfaces.json"
  local pod
  for pod in "${!address[@]}"; do
    printf 'aws-cni/%s/eth0 %s device %d\n' "$(container "$pod")" "${address[$pod]}" \
      "$(device_of "${address[$pod]}")"
  done | sort | diff "$scratch/out" - || failed 'it finds other assignments'
  ! grep -q x-tidemark "$checkpoint" || failed 'the checkpoint was not written by the VPC CNI'
}

rules() {
  ip -n node -4 rule
  ip -n node -6 rule
}

# ---- the report, a test for each proof, where .ci/behaviours and the gate read those of tests

report=$root/programs/daemon/target/surefire-reports/TEST-vpc-cni.xml
proofs=() proof=

proves() { # the name of a test: what follows is the test
  proved
  proof=$1
}

proved() {
  [ -z "$proof" ] || proofs+=("  <testcase name=\"$proof\"/>")
  proof=
}

left_out() { # the name of a test
  proofs+=("  <testcase name=\"$1\">" '  <skipped/>' '  </testcase>')
}

write_report() {
  [ -z "$proof" ] || proofs+=("  <testcase name=\"$proof\">" '  <failure/>' '  </testcase>')
  mkdir -p "${report%/*}"
  printf '%s\n' '<testsuite name="vpc-cni">' "${proofs[@]}" '</testsuite>' >"$report"
}
