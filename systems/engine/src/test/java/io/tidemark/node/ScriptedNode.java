package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallToken;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.InterfaceStatistics;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.contract.UnaskedOperations;
import io.tidemark.testing.Samples;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One node of {@link ScriptedProvider}: a list of addresses on one interface that always has room,
 * and on demand others on one that shall be emptied; what the cloud does next can be scripted per
 * operation. Fields are the script.
 */
final class ScriptedNode extends UnaskedOperations {
  final Deque<Supplier<CompletionStage<AllocationOutcome>>> allocations = new ArrayDeque<>();
  final Deque<Supplier<CompletionStage<AllocationOutcome>>> creations = new ArrayDeque<>();
  final Deque<Supplier<CompletionStage<ReleaseOutcome>>> releases = new ArrayDeque<>();
  final List<AllocationAction> allocated = new ArrayList<>();
  final List<AllocationAction> created = new ArrayList<>();
  final List<ReleaseAction> released = new ArrayList<>();
  final Deque<Supplier<CompletionStage<AllocationOutcome>>> staticAnswers = new ArrayDeque<>();
  final List<Map<String, String>> staticAsked = new ArrayList<>();
  final List<Set<Cidr>> cidrsAsked = new ArrayList<>();
  Optional<List<ReleaseAction>> cidrPlan = Optional.empty();
  Optional<Inventory> override = Optional.empty();
  Optional<Blocked> blocked = Optional.empty();
  Runnable beforeStatus = () -> {};
  OptionalInt maximum = OptionalInt.empty();
  int blockSize = 1;

  /** Addresses it could ever have; 0 where nobody asks. */
  int capacity;

  int room = Integer.MAX_VALUE;
  int slots;
  boolean prefixDelegated;
  boolean promisesIpv6;
  Optional<IpAddress> staticAddress = Optional.empty();
  int ipv6Prefixes;

  /** How often the engine looked at this node's inventory. */
  int looks;

  /** Of the whole cluster; the status has them as the number of the interface. */
  int networks;

  private @Nullable CallContext lastContext;
  private final ScriptedProvider provider;
  private final InterfaceId interfaceId;
  private final InterfaceId drainingId;
  private AddressSet draining = AddressSet.of();
  private AddressSet singles = AddressSet.of();
  private List<Cidr> blocks = List.of();
  private Inventory.Known inventory;

  ScriptedNode(ScriptedProvider provider, String name) {
    this.provider = provider;
    this.interfaceId = new InterfaceId("eni-" + name);
    this.drainingId = new InterfaceId("eni-old-" + name);
    this.inventory = known();
  }

  AddressSet singles() {
    return singles;
  }

  List<Cidr> blocks() {
    return blocks;
  }

  /** The cloud holds exactly this from now on, and the cache knows. */
  void attach(AddressSet nowSingles, List<Cidr> nowBlocks) {
    singles = nowSingles;
    blocks = List.copyOf(nowBlocks);
    inventory = known();
  }

  /** All that is attached now is on an interface that shall be emptied, and the cache knows. */
  void drain() {
    draining = singles;
    attach(AddressSet.of(), List.of());
  }

  /** The cloud holds so many more singles, and the cache does not know. */
  void attachSilently(int count) {
    singles = singles.plus(provider.take(count));
  }

  /** A change whose answer is lost: the cloud holds this now, and the cache does not know. */
  void lostTo(AddressSet left) {
    provider.mutated();
    inventory = known();
    provider.giveBack(singles.size() - left.size());
    singles = left;
  }

  /** The context of the last change; there must have been one. */
  CallContext lastContext() {
    return Objects.requireNonNull(lastContext, "nothing was changed yet");
  }

  /** The result of an allocation of {@code count} addresses when nothing is scripted. */
  AllocationOutcome grow(AddressPlan plan) {
    long generation = provider.mutated();
    AttachedInterface added;
    if (blockSize > 1 && plan.blocks() > 0) {
      List<Cidr> more = new ArrayList<>();
      for (int i = 0; i < plan.blocks(); i++) {
        more.add(provider.takeBlock());
      }
      added = new AttachedInterface(interfaceId, AddressSet.of(), more);
      List<Cidr> all = new ArrayList<>(blocks);
      all.addAll(more);
      blocks = List.copyOf(all);
    } else {
      AddressSet more = provider.take(Math.min(plan.singles(), plan.roomOnInterface()));
      added = new AttachedInterface(interfaceId, more, List.of());
      singles = singles.plus(more);
    }
    inventory = known();
    return new AllocationOutcome.Allocated(
        List.of(added), Optional.empty(), Optional.empty(), generation);
  }

  /** A mutation whose answer is lost; {@code effect} is what it did all the same. */
  AllocationOutcome lost(Runnable effect) {
    provider.mutated();
    inventory = known();
    effect.run();
    return new AllocationOutcome.Unknown(Failure.of(Failure.Kind.LOST, "lost", "no answer"));
  }

  /** The next allocation is refused for {@code kind}. */
  void refuseAllocation(Failure.Kind kind) {
    nextAllocation(
        () -> new AllocationOutcome.Refused(Failure.of(kind, "scripted", "as the test wants")));
  }

  /** The next allocation does this, and ends at once. */
  void nextAllocation(Supplier<AllocationOutcome> end) {
    allocations.add(() -> CompletableFuture.completedStage(end.get()));
  }

  /** The next release does this, and ends at once. */
  void nextRelease(Supplier<ReleaseOutcome> end) {
    releases.add(() -> CompletableFuture.completedStage(end.get()));
  }

  /** The next allocation answers when this is completed. */
  CompletableFuture<AllocationOutcome> hangAllocation() {
    CompletableFuture<AllocationOutcome> answer = new CompletableFuture<>();
    allocations.add(() -> answer);
    return answer;
  }

  private Inventory.Known known() {
    AttachedInterface filled = new AttachedInterface(interfaceId, singles, blocks);
    AttachedInterface emptied = new AttachedInterface(drainingId, draining, List.of()).drained();
    return new Inventory.Known(
        provider.generation(),
        draining.isEmpty() ? List.of(filled) : List.of(filled, emptied),
        new InterfaceStatistics(capacity, 1, room > 0 ? 1 : 0, slots, ipv6Prefixes, staticAddress));
  }

  /** No room, and so many interfaces more than there may be. */
  void lacksSlots(int count) {
    room = 0;
    slots = -count;
  }

  /** The cache sees the script's present numbers. */
  void refresh() {
    inventory = known();
  }

  /** One interface with all addresses, as an agent would find it. */
  @Override
  public NodeResource withProviderStatus(NodeResource resource) {
    beforeStatus.run();
    List<String> addresses = new ArrayList<>();
    AttachedInterface.addressesOf(known().interfaces())
        .forEach(address -> addresses.add(address.toString()));
    EniStatus.Eni eni =
        Samples.eni(interfaceId.text(), networks, addresses.toArray(new String[addresses.size()]));
    return resource.withEniStatus(new EniStatus(new TreeMap<>(Map.of(eni.id(), eni))));
  }

  @Override
  public Object networks() {
    return networks;
  }

  @Override
  public Inventory inventory() {
    looks++;
    return override.orElse(inventory);
  }

  @Override
  public AllocationAction prepareIpAllocation() {
    if (blocked.isPresent()) {
      return AllocationAction.blocked(blocked.get(), slots);
    }
    return new AllocationAction(
        room > 0 ? Optional.of(interfaceId) : Optional.empty(),
        Optional.of(ScriptedProvider.GLOBAL),
        slots,
        new AddressPlan(
            Math.min(room, provider.free()), 0, OptionalInt.empty(), blockSize, room > 0 ? 1 : 0),
        0,
        List.of(room > 0 ? ScriptedProvider.ALLOCATE : ScriptedProvider.CREATE),
        Optional.empty());
  }

  @Override
  public ReleaseAction prepareIpRelease(int excess, AddressSet used) {
    AddressSet emptied = draining.minus(used).last(excess);
    if (!emptied.isEmpty()) {
      return release(drainingId, emptied, List.of());
    }
    List<Cidr> wholeBlocks = new ArrayList<>();
    int left = excess;
    for (Cidr block : blocks) {
      if (left >= 16 && !used.containsAny(block)) {
        wholeBlocks.add(block);
        left -= 16;
      }
    }
    AddressSet surplus = singles.minus(used).last(left);
    return release(interfaceId, surplus, wholeBlocks);
  }

  private static ReleaseAction release(InterfaceId of, AddressSet singles, List<Cidr> blocks) {
    return new ReleaseAction(
        Optional.of(of),
        Optional.of(ScriptedProvider.GLOBAL),
        singles,
        blocks,
        ScriptedProvider.RELEASE);
  }

  @Override
  public List<ReleaseAction> prepareCidrRelease(Set<Cidr> cidrs) {
    cidrsAsked.add(Set.copyOf(cidrs));
    if (cidrPlan.isPresent()) {
      return cidrPlan.get();
    }
    return plan(cidrs);
  }

  /** One action for those of {@code cidrs} that are attached. */
  List<ReleaseAction> plan(Set<Cidr> cidrs) {
    List<IpAddress> hosts =
        cidrs.stream().filter(Cidr::isSingle).map(Cidr::network).filter(singles::contains).toList();
    List<Cidr> whole = cidrs.stream().filter(blocks::contains).sorted().toList();
    if (hosts.isEmpty() && whole.isEmpty()) {
      return List.of();
    }
    return List.of(release(interfaceId, AddressSet.copyOf(hosts), whole));
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateIps(
      AllocationAction action, CallContext context) {
    context.token().ifPresent(CallToken::take);
    lastContext = context;
    allocated.add(action);
    ipv6Prefixes += action.ipv6Prefixes();
    return allocations.isEmpty()
        ? CompletableFuture.completedStage(grow(action.ipv4()))
        : allocations.poll().get();
  }

  @Override
  public CompletionStage<AllocationOutcome> createInterface(
      AllocationAction action, CallContext context) {
    context.token().ifPresent(CallToken::take);
    lastContext = context;
    created.add(action);
    return creations.isEmpty()
        ? CompletableFuture.completedStage(
            new AllocationOutcome.Refused(
                Failure.of(
                    Failure.Kind.CONFIGURATION,
                    "operationNotSupported",
                    "the scripted cloud creates no interfaces")))
        : creations.poll().get();
  }

  @Override
  public CompletionStage<ReleaseOutcome> release(ReleaseAction action, CallContext context) {
    context.token().ifPresent(CallToken::take);
    lastContext = context;
    released.add(action);
    return releases.isEmpty()
        ? CompletableFuture.completedStage(shrink(action))
        : releases.poll().get();
  }

  /** The result of a release when nothing is scripted. */
  ReleaseOutcome shrink(ReleaseAction action) {
    AddressSet there = singles.plus(draining);
    if (!there.containsAll(action.addresses()) || !blocks.containsAll(action.blocks())) {
      return new ReleaseOutcome.NothingReleased(
          Failure.of(Failure.Kind.CONFLICT, "notFound", "not attached: " + action));
    }
    long generation = provider.mutated();
    provider.giveBack(action.allAddresses().size());
    singles = singles.minus(action.addresses());
    draining = draining.minus(action.addresses());
    blocks = blocks.stream().filter(block -> !action.blocks().contains(block)).toList();
    inventory = known();
    return new ReleaseOutcome.Released(
        action.addresses(), action.blocks(), Optional.empty(), generation);
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateStaticAddress(
      Map<String, String> tags, CallContext context) {
    staticAsked.add(tags);
    if (!staticAnswers.isEmpty()) {
      return staticAnswers.remove().get();
    }
    staticAddress = Optional.of(IpAddress.parse("192.0.2.254"));
    long generation = provider.mutated();
    inventory = known();
    return CompletableFuture.completedStage(
        new AllocationOutcome.Allocated(List.of(), Optional.empty(), staticAddress, generation));
  }

  @Override
  public OptionalInt maximumAllocatableIpv4() {
    return maximum;
  }

  @Override
  public boolean isPrefixDelegated() {
    return prefixDelegated;
  }

  @Override
  public int ipv6PrefixesMissing() {
    return promisesIpv6 && ipv6Prefixes == 0 ? 1 : 0;
  }
}
