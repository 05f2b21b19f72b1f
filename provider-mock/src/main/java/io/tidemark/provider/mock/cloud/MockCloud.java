package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.mock.cloud.NetworkInterface.Attachment;
import io.tidemark.time.TimeSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * One account and region of a cloud, in memory. Each request method is one request on the wire: it
 * may be throttled, refused, lost or hang as the {@link FaultPlan} says, takes a token of its
 * operation's bucket, and reads may lag. What the account's owner does is {@link #setup()}; what
 * checks and reports look at is {@link #inspect()} and its neighbours.
 *
 * <p>Thread-safe: one short lock, never held while foreign code runs. Requests that read or change
 * one instance cost no more than its interfaces do, whatever the size of the account. One file,
 * because it is one list: a method per request, each a line to {@link CloudWire} and the rules.
 */
public final class MockCloud {
  private final TimeSource time;
  private final CloudSettings settings;
  private final Object lock = new Object();
  private final CloudState state;
  private final InterfaceRules rules;
  private final CloudSetup setup = new CloudSetup(this);
  private final CloudWire wire;

  /** An empty account. */
  public MockCloud(CloudSettings settings, TimeSource time) {
    this.settings = settings;
    this.time = time;
    this.state = new CloudState(settings.stalenessMax().toNanos());
    this.rules = new InterfaceRules(state, settings.types(), new IdSource(settings.seed()));
    this.wire = new CloudWire(lock, state, rules, settings, time);
  }

  /** How it behaves. */
  public CloudSettings settings() {
    return settings;
  }

  /** Networks, instances and public addresses. */
  public CloudSetup setup() {
    return setup;
  }

  // ---- reads

  /** All VPCs, ids ascending. */
  public List<Vpc> describeVpcs() throws CloudException, IOException {
    return wire.read(CloudOperation.DESCRIBE_VPCS, "", nanos -> List.copyOf(state.vpcs().values()));
  }

  /** All subnets with what is free in them, ids ascending. */
  public List<SubnetView> describeSubnets() throws CloudException, IOException {
    return wire.read(
        CloudOperation.DESCRIBE_SUBNETS,
        "",
        nanos -> state.subnets().values().stream().map(SubnetBooks::view).toList());
  }

  /** All security groups, ids ascending. */
  public List<SecurityGroup> describeSecurityGroups() throws CloudException, IOException {
    return wire.read(
        CloudOperation.DESCRIBE_SECURITY_GROUPS, "", nanos -> List.copyOf(state.groups().values()));
  }

  /** Those of the instances that exist or were terminated a while ago; others are left out. */
  public List<Instance> describeInstances(Iterable<String> instanceIds)
      throws CloudException, IOException {
    return wire.read(
        CloudOperation.DESCRIBE_INSTANCES,
        "",
        nanos -> {
          List<Instance> found = new ArrayList<>();
          for (String id : instanceIds) {
            state.findInstance(id, nanos).ifPresent(found::add);
          }
          return found;
        });
  }

  /**
   * The interfaces a query selects: all of the account in parts of {@value
   * CloudSettings#PAGE_SIZE}, those of a filter whole.
   *
   * @param token what the part before said to go on with; empty for the first part
   */
  public Page<NetworkInterface> describeNetworkInterfaces(InterfaceQuery query, String token)
      throws CloudException, IOException {
    return wire.read(
        CloudOperation.DESCRIBE_NETWORK_INTERFACES,
        InterfaceListing.subject(query),
        nanos -> InterfaceListing.of(state, query, token, nanos));
  }

  /** Public addresses that carry all the tags, ids ascending. */
  public List<PublicAddress> describeAddresses(Map<String, String> tags)
      throws CloudException, IOException {
    return wire.read(
        CloudOperation.DESCRIBE_ADDRESSES,
        "",
        nanos ->
            state.publicAddresses().values().stream()
                .filter(each -> each.tags().entrySet().containsAll(tags.entrySet()))
                .toList());
  }

  /** The alias ranges of those of the instances that exist, in the order of their addition. */
  public Map<String, List<Cidr>> describeAliasRanges(Iterable<String> instanceIds)
      throws CloudException, IOException {
    return wire.read(
        CloudOperation.DESCRIBE_ALIAS_RANGES,
        "",
        nanos -> {
          Map<String, List<Cidr>> found = new TreeMap<>();
          for (String id : instanceIds) {
            state
                .findInstance(id, nanos)
                .filter(each -> each.state() != Instance.State.TERMINATED)
                .ifPresent(each -> found.put(id, state.aliases().of(id, nanos)));
          }
          return found;
        });
  }

  // ---- changes

  /** Creates an interface that is attached nowhere; repeating it with its token changes nothing. */
  public NetworkInterface createNetworkInterface(CreateInterfaceRequest request)
      throws CloudException, IOException {
    return wire.serve(
        CloudOperation.CREATE_NETWORK_INTERFACE,
        request.subnetId(),
        atMost -> rules.create(request, atMost));
  }

  /** Plugs an interface in at exactly this index; refused when the index is taken. */
  public Attachment attachNetworkInterface(String interfaceId, String instanceId, int deviceIndex)
      throws CloudException, IOException {
    return wire.serve(
        CloudOperation.ATTACH_NETWORK_INTERFACE,
        instanceId,
        atMost -> rules.attach(interfaceId, instanceId, deviceIndex));
  }

  /** Sets whether an attached interface is deleted with its instance. */
  public void modifyDeleteOnTermination(String interfaceId, boolean wanted)
      throws CloudException, IOException {
    wire.serve(
        CloudOperation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE,
        interfaceId,
        atMost -> {
          rules.deleteOnTermination(interfaceId, wanted);
          return interfaceId;
        });
  }

  /** Adds singles or blocks; exactly one of the numbers is above 0. */
  public AssignedAddresses assignPrivateIpAddresses(String interfaceId, int singles, int prefixes)
      throws CloudException, IOException {
    return wire.serve(
        CloudOperation.ASSIGN_PRIVATE_IP_ADDRESSES,
        interfaceId,
        atMost ->
            atMost == 0
                ? new AssignedAddresses(AddressSet.of(), List.of())
                : rules.assign(interfaceId, Math.min(singles, atMost), Math.min(prefixes, atMost)));
  }

  /** Takes singles and blocks away; refused when any of them is not there. */
  public void unassignPrivateIpAddresses(
      String interfaceId, AddressSet singles, List<Cidr> prefixes)
      throws CloudException, IOException {
    wire.serve(
        CloudOperation.UNASSIGN_PRIVATE_IP_ADDRESSES,
        interfaceId,
        atMost -> {
          rules.unassign(
              interfaceId,
              singles.first(Math.min(singles.size(), atMost)),
              prefixes.subList(0, Math.min(prefixes.size(), atMost)));
          return interfaceId;
        });
  }

  /** Unplugs an interface that is not the primary one. */
  public void detachNetworkInterface(String interfaceId) throws CloudException, IOException {
    wire.serve(
        CloudOperation.DETACH_NETWORK_INTERFACE,
        interfaceId,
        atMost -> {
          rules.detach(interfaceId);
          return interfaceId;
        });
  }

  /** Deletes an interface that is attached nowhere. */
  public void deleteNetworkInterface(String interfaceId) throws CloudException, IOException {
    wire.serve(
        CloudOperation.DELETE_NETWORK_INTERFACE,
        interfaceId,
        atMost -> {
          rules.delete(interfaceId);
          return interfaceId;
        });
  }

  /** Binds a public address to an interface; repeating it changes nothing. */
  public void associateAddress(String allocationId, String interfaceId)
      throws CloudException, IOException {
    wire.serve(
        CloudOperation.ASSOCIATE_ADDRESS,
        interfaceId,
        atMost -> {
          rules.associate(allocationId, interfaceId);
          return interfaceId;
        });
  }

  /** Routes a range to an instance; refused when any of its addresses is routed already. */
  public void addAliasRange(String instanceId, Cidr cidr) throws CloudException, IOException {
    wire.serve(
        CloudOperation.ADD_ALIAS_RANGE,
        instanceId,
        atMost -> {
          rules.addAlias(instanceId, cidr);
          return instanceId;
        });
  }

  // ---- the truth, for checks and reports

  /** Everything, copied. */
  public CloudSnapshot inspect() {
    synchronized (lock) {
      TreeMap<String, Instance> instances = new TreeMap<>();
      state.instances().forEach(each -> instances.put(each.id(), each));
      TreeMap<String, NetworkInterface> interfaces = new TreeMap<>();
      state
          .listed("", Integer.MAX_VALUE, state.nowNanos())
          .forEach(each -> interfaces.put(each.id(), each));
      TreeMap<String, Subnet> subnets = new TreeMap<>();
      TreeMap<String, Integer> free = new TreeMap<>();
      state
          .subnets()
          .forEach(
              (id, books) -> {
                subnets.put(id, books.subnet());
                free.put(id, books.free());
              });
      return new CloudSnapshot(
          instances, interfaces, subnets, free, wire.calls(), wire.throttled());
    }
  }

  /** One interface as it is now. */
  public Optional<NetworkInterface> networkInterface(String interfaceId) {
    synchronized (lock) {
      return state.findInterface(interfaceId);
    }
  }

  /** The interfaces of an instance as they are now, in order of attachment. */
  public List<NetworkInterface> attachedTo(String instanceId) {
    synchronized (lock) {
      return state.attached(instanceId);
    }
  }

  /** One instance as it is now; terminated ones included. */
  public Optional<Instance> instance(String instanceId) {
    synchronized (lock) {
      return state.findInstance(instanceId);
    }
  }

  /** The alias ranges of an instance now, in the order of their addition. */
  public List<Cidr> aliasRanges(String instanceId) {
    synchronized (lock) {
      return state.aliases().of(instanceId);
    }
  }

  /** One subnet with what is free in it now. */
  public Optional<SubnetView> subnet(String subnetId) {
    synchronized (lock) {
      return Optional.ofNullable(state.subnets().get(subnetId)).map(SubnetBooks::view);
    }
  }

  /** Requests per operation that reached the cloud, throttled ones included. */
  public Map<CloudOperation, Long> calls() {
    synchronized (lock) {
      return wire.calls();
    }
  }

  /** Requests per operation that found the bucket empty. */
  public Map<CloudOperation, Long> throttled() {
    synchronized (lock) {
      return wire.throttled();
    }
  }

  /** Remembers up to so many changes from now on for {@link #drainMutations()}; 0 stops. */
  public void keepMutations(int entriesMax) {
    synchronized (lock) {
      state.log().keep(entriesMax);
    }
  }

  /** The changes since the last call, which it forgets. */
  public Mutations drainMutations() {
    synchronized (lock) {
      return state.log().drain();
    }
  }

  /** Others of the account use tokens of an operation's bucket. */
  public void drainBucket(CloudOperation operation, double tokens) {
    synchronized (lock) {
      wire.drainBucket(operation, tokens);
    }
  }

  // ---- for the account's owner

  /** A change by the account's owner. */
  <T> T change(Function<CloudState, T> what) {
    synchronized (lock) {
      state.advance(time.nanos());
      return what.apply(state);
    }
  }

  /** For {@link CloudSetup}, under the lock. */
  InterfaceRules rules() {
    return rules;
  }
}
