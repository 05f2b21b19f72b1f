package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.mock.cloud.NetworkInterface.Attachment;
import io.tidemark.time.NeverAnswers;
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
 * one instance cost no more than its interfaces do, whatever the size of the account.
 */
public final class MockCloud {
  private final TimeSource time;
  private final CloudSettings settings;
  private final Object lock = new Object();
  private final CloudState state;
  private final InterfaceRules rules;
  private final TokenBuckets buckets;
  private final CloudSetup setup = new CloudSetup(this);
  private final CallCounts calls = new CallCounts();
  private final CallCounts throttled = new CallCounts();

  /** What a request does when it is served; {@code atMost} bounds a partial effect. */
  @FunctionalInterface
  private interface Service<T> {
    T serve(int atMost) throws CloudException;
  }

  /** What a read answers as of an instant. */
  @FunctionalInterface
  private interface Reading<T> {
    T asOf(long nanos) throws CloudException;
  }

  /** An empty account. */
  public MockCloud(CloudSettings settings, TimeSource time) {
    this.settings = settings;
    this.time = time;
    this.state = new CloudState(settings.stalenessMax().toNanos());
    this.rules = new InterfaceRules(state, settings.types(), new IdSource(settings.seed()));
    this.buckets = new TokenBuckets(settings.bucketScale(), time.nanos());
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
    return read(CloudOperation.DESCRIBE_VPCS, "", nanos -> List.copyOf(state.vpcs().values()));
  }

  /** All subnets with what is free in them, ids ascending. */
  public List<SubnetView> describeSubnets() throws CloudException, IOException {
    return read(
        CloudOperation.DESCRIBE_SUBNETS,
        "",
        nanos ->
            state.subnets().values().stream()
                .map(books -> new SubnetView(books.subnet(), books.free()))
                .toList());
  }

  /** All security groups, ids ascending. */
  public List<SecurityGroup> describeSecurityGroups() throws CloudException, IOException {
    return read(
        CloudOperation.DESCRIBE_SECURITY_GROUPS, "", nanos -> List.copyOf(state.groups().values()));
  }

  /** Those of the instances that exist or were terminated a while ago; others are left out. */
  public List<Instance> describeInstances(Iterable<String> instanceIds)
      throws CloudException, IOException {
    return read(
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
    return read(
        CloudOperation.DESCRIBE_NETWORK_INTERFACES,
        subjectOf(query),
        nanos -> interfaces(query, token, nanos));
  }

  /** Public addresses that carry all the tags, ids ascending. */
  public List<PublicAddress> describeAddresses(Map<String, String> tags)
      throws CloudException, IOException {
    return read(
        CloudOperation.DESCRIBE_ADDRESSES,
        "",
        nanos ->
            state.publicAddresses().values().stream()
                .filter(each -> each.tags().entrySet().containsAll(tags.entrySet()))
                .toList());
  }

  // ---- changes

  /** Creates an interface that is attached nowhere; repeating it with its token changes nothing. */
  public NetworkInterface createNetworkInterface(CreateInterfaceRequest request)
      throws CloudException, IOException {
    return serve(
        CloudOperation.CREATE_NETWORK_INTERFACE,
        request.subnetId(),
        atMost -> rules.create(request, atMost));
  }

  /** Plugs an interface in at exactly this index; refused when the index is taken. */
  public Attachment attachNetworkInterface(String interfaceId, String instanceId, int deviceIndex)
      throws CloudException, IOException {
    return serve(
        CloudOperation.ATTACH_NETWORK_INTERFACE,
        instanceId,
        atMost -> rules.attach(interfaceId, instanceId, deviceIndex));
  }

  /** Says whether an attached interface goes with its instance. */
  public void modifyDeleteOnTermination(String interfaceId, boolean wanted)
      throws CloudException, IOException {
    serve(
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
    return serve(
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
    serve(
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
    serve(
        CloudOperation.DETACH_NETWORK_INTERFACE,
        interfaceId,
        atMost -> {
          rules.detach(interfaceId);
          return interfaceId;
        });
  }

  /** Deletes an interface that is attached nowhere. */
  public void deleteNetworkInterface(String interfaceId) throws CloudException, IOException {
    serve(
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
    serve(
        CloudOperation.ASSOCIATE_ADDRESS,
        interfaceId,
        atMost -> {
          rules.associate(allocationId, interfaceId);
          return interfaceId;
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
          instances, interfaces, subnets, free, calls.copy(), throttled.copy());
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

  /** One subnet with what is free in it now. */
  public Optional<SubnetView> subnet(String subnetId) {
    synchronized (lock) {
      return Optional.ofNullable(state.subnets().get(subnetId))
          .map(books -> new SubnetView(books.subnet(), books.free()));
    }
  }

  /** Requests per operation that reached the cloud, throttled ones included. */
  public Map<CloudOperation, Long> calls() {
    synchronized (lock) {
      return calls.copy();
    }
  }

  /** Requests per operation that found the bucket empty. */
  public Map<CloudOperation, Long> throttled() {
    synchronized (lock) {
      return throttled.copy();
    }
  }

  /** Remembers up to so many changes from now on for {@link #drainMutations()}; 0 stops. */
  public void keepMutations(int entriesMax) {
    synchronized (lock) {
      state.log().keep(entriesMax);
    }
  }

  /** What changed since the last call, and forgets it. */
  public Mutations drainMutations() {
    synchronized (lock) {
      return state.log().drain();
    }
  }

  /** Others of the account use tokens of an operation's bucket. */
  public void drainBucket(CloudOperation operation, double tokens) {
    synchronized (lock) {
      buckets.drain(operation, tokens, time.nanos());
    }
  }

  // ---- how a request is served

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

  private <T> T read(CloudOperation operation, String subject, Reading<T> reading)
      throws CloudException, IOException {
    CloudCall call = arrive(operation, subject);
    long lagNanos = settings.faults().lagOf(call).toNanos();
    long boundedLag = Math.min(lagNanos, settings.stalenessMax().toNanos());
    return answer(call, atMost -> reading.asOf(state.nowNanos() - boundedLag));
  }

  private <T> T serve(CloudOperation operation, String subject, Service<T> service)
      throws CloudException, IOException {
    return answer(arrive(operation, subject), service);
  }

  private CloudCall arrive(CloudOperation operation, String subject) throws CloudException {
    synchronized (lock) {
      long nanos = time.nanos();
      state.advance(nanos);
      CloudCall call = new CloudCall(operation, subject, calls.count(operation));
      if (!buckets.take(operation, nanos)) {
        throttled.count(operation);
        throw new CloudException(CloudErrorCode.REQUEST_LIMIT_EXCEEDED, "Request limit exceeded.");
      }
      return call;
    }
  }

  private <T> T answer(CloudCall call, Service<T> service) throws CloudException, IOException {
    Fault fault = settings.faults().faultOf(call);
    if (fault instanceof Fault.Refuse refuse) {
      throw new CloudException(refuse.code(), refuse.text());
    }
    if (fault instanceof Fault.LoseAnswer lose && !lose.effectDone()) {
      throw new AnswerLost(call.operation());
    }
    if (fault instanceof Fault.Hang hang && !hang.effectDone()) {
      throw new NeverAnswers(call.operation().wire() + " of " + call.subject());
    }
    T answer;
    synchronized (lock) {
      state.advance(time.nanos());
      if (fault instanceof Fault.StopInstance || fault instanceof Fault.TerminateInstance) {
        strike(call.subject(), fault);
      }
      answer =
          service.serve(fault instanceof Fault.Partial part ? part.atMost() : Integer.MAX_VALUE);
    }
    if (fault instanceof Fault.LoseAnswer) {
      throw new AnswerLost(call.operation());
    }
    if (fault instanceof Fault.Hang) {
      throw new NeverAnswers(call.operation().wire() + " of " + call.subject());
    }
    return answer;
  }

  private void strike(String subject, Fault fault) {
    String instanceId =
        state
            .findInterface(subject)
            .flatMap(NetworkInterface::attachment)
            .map(Attachment::instanceId)
            .orElse(subject);
    if (fault instanceof Fault.TerminateInstance) {
      rules.terminate(instanceId);
    } else {
      state
          .findInstance(instanceId)
          .filter(instance -> instance.state() == Instance.State.RUNNING)
          .ifPresent(instance -> state.put(instance.in(Instance.State.STOPPED)));
    }
  }

  private Page<NetworkInterface> interfaces(InterfaceQuery query, String token, long nanos) {
    if (query instanceof InterfaceQuery.OfInstances of) {
      List<NetworkInterface> found = new ArrayList<>();
      of.instanceIds().forEach(id -> found.addAll(state.attached(id, nanos)));
      return new Page<>(found, Optional.empty());
    }
    if (query instanceof InterfaceQuery.Ids ids) {
      List<NetworkInterface> found = new ArrayList<>();
      ids.interfaceIds().forEach(id -> state.findInterface(id, nanos).ifPresent(found::add));
      return new Page<>(found, Optional.empty());
    }
    if (query instanceof InterfaceQuery.Tagged tagged) {
      List<NetworkInterface> all = state.listed("", Integer.MAX_VALUE, nanos);
      all.removeIf(each -> !tagged.value().equals(each.tags().get(tagged.key())));
      return new Page<>(all, Optional.empty());
    }
    List<NetworkInterface> part = state.listed(token, CloudSettings.PAGE_SIZE, nanos);
    Optional<String> next =
        part.size() < CloudSettings.PAGE_SIZE
            ? Optional.empty()
            : Optional.of(part.get(part.size() - 1).id());
    return new Page<>(part, next);
  }

  private static String subjectOf(InterfaceQuery query) {
    if (query instanceof InterfaceQuery.OfInstances of && of.instanceIds().size() == 1) {
      return of.instanceIds().first();
    }
    if (query instanceof InterfaceQuery.Ids ids && ids.interfaceIds().size() == 1) {
      return ids.interfaceIds().first();
    }
    return "";
  }
}
