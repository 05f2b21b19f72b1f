package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The effect of each request. A refused request changes nothing. For the duration of one {@link
 * MockCloud#request}, which has locked the account.
 */
public final class MockRequests {
  private final CloudState state;
  private final CloudSettings settings;
  private final long asOfNanos;
  private final int atMost;

  /**
   * One request.
   *
   * @param asOfNanos the instant that a read shows
   * @param atMost the most addresses or blocks that a change gives or takes
   */
  MockRequests(CloudState state, CloudSettings settings, long asOfNanos, int atMost) {
    this.state = state;
    this.settings = settings;
    this.asOfNanos = asOfNanos;
    this.atMost = atMost;
  }

  /**
   * The properties of a new interface.
   *
   * @param groups security groups
   * @param singles secondary addresses
   * @param token a repetition with the same token gives the same interface
   */
  public record Creation(
      String subnetId,
      String description,
      List<String> groups,
      Map<String, String> tags,
      int singles,
      int blocks,
      String token) {}

  /** All subnets with their free space, ids ascending. */
  public List<MockSubnet.Room> subnets() {
    return state.subnets.values().stream().map(SubnetBooks::room).toList();
  }

  /** The interfaces of these instances; those that do not exist are left out. */
  public List<MockInterface> interfacesOf(Collection<String> instanceIds) {
    return instanceIds.stream().flatMap(id -> state.attachedTo(id, asOfNanos).stream()).toList();
  }

  /** The interfaces of the account that {@code wanted} selects, attached or not, by instance. */
  public List<MockInterface> interfaces(Predicate<MockInterface> wanted) {
    return state.all(asOfNanos).stream().filter(wanted).toList();
  }

  /** Creates an interface that is attached nowhere. */
  public MockInterface create(Creation wanted) throws CloudException {
    InterfaceId id = new InterfaceId("eni-" + hex(settings.seed() ^ mix(wanted.token())));
    Optional<MockInterface> repeated = state.find(id);
    if (repeated.isPresent()) {
      return repeated.get();
    }
    SubnetBooks books = state.books(wanted.subnetId());
    List<Cidr> blocks = books.takeBlocks(Math.min(wanted.blocks(), atMost));
    AddressSet singles;
    try {
      singles = books.takeSingles(1 + Math.min(wanted.singles(), atMost));
    } catch (CloudException noRoom) {
      books.give(AddressSet.of(), blocks);
      throw noRoom;
    }
    MockInterface created =
        MockInterface.loose(
                id,
                new PoolId(wanted.subnetId()),
                wanted.description(),
                singles.at(0),
                wanted.groups(),
                wanted.tags())
            .holding(singles.minus(singles.at(0)), blocks);
    state.put(created);
    return created;
  }

  /** Attaches an interface at exactly this index; refused when the index is taken. */
  public MockInterface attach(InterfaceId id, String instanceId, int index) throws CloudException {
    MockInterface found = state.networkInterface(id);
    CloudState.Instance instance = instance(instanceId);
    List<MockInterface> attached = state.attachedTo(instanceId);
    int most = settings.limits(instance.type()).interfaces();
    refuseIf(found.isAttached(), CloudErrorCode.INTERFACE_IN_USE, id + " is in use");
    refuseIf(!instance.running(), CloudErrorCode.INCORRECT_STATE, instanceId + " does not run");
    refuseIf(
        attached.stream().anyMatch(each -> each.index() == index),
        CloudErrorCode.INDEX_IN_USE,
        instanceId + " has an interface at " + index);
    refuseIf(
        attached.size() >= most,
        CloudErrorCode.INTERFACE_LIMIT,
        instance.type() + " has no more than " + most + " interfaces");
    requirePlaces(found, instance.type(), 0);
    MockInterface now = found.at(instanceId, index);
    state.put(now);
    return now;
  }

  /** Adds singles or blocks; returns what was added. */
  public AttachedInterface assign(InterfaceId id, int wantedSingles, int wantedBlocks)
      throws CloudException {
    int singles = Math.min(wantedSingles, atMost);
    int blocks = Math.min(wantedBlocks, atMost);
    MockInterface found = state.networkInterface(id);
    refuseIf(
        singles > 0 && blocks > 0,
        CloudErrorCode.INVALID_PARAMETER,
        "singles and blocks exclude each other");
    if (found.isAttached()) {
      requirePlaces(found, instance(found.instanceId()).type(), singles + blocks);
    }
    SubnetBooks books = state.books(found.pool().text());
    List<Cidr> moreBlocks = books.takeBlocks(blocks);
    AddressSet more = singles > 0 ? books.takeSingles(singles) : AddressSet.of();
    state.put(found.plus(more, moreBlocks));
    return new AttachedInterface(id, more, moreBlocks);
  }

  private void requirePlaces(MockInterface found, String type, int more) throws CloudException {
    int places = settings.limits(type).slots();
    refuseIf(
        found.slotsTaken() + more > places,
        CloudErrorCode.ADDRESS_LIMIT,
        found.slotsTaken() + " and " + more + " exceed the " + places + " places of " + type);
  }

  private CloudState.Instance instance(String id) throws CloudException {
    CloudState.Instance found = state.instances.get(id);
    if (found == null) {
      throw new CloudException(CloudErrorCode.INSTANCE_NOT_FOUND, id + " does not exist");
    }
    return found;
  }

  private static void refuseIf(boolean wrong, CloudErrorCode code, String text)
      throws CloudException {
    if (wrong) {
      throw new CloudException(code, text);
    }
  }

  /** Takes singles and blocks away; those that are not there are ignored. */
  public InterfaceId unassign(InterfaceId id, AddressSet singles, List<Cidr> blocks)
      throws CloudException {
    MockInterface found = state.networkInterface(id);
    AddressSet held = found.singles().intersect(singles);
    held = held.first(Math.min(held.size(), atMost));
    List<Cidr> heldBlocks =
        blocks.stream().filter(found.prefixes()::contains).limit(atMost).toList();
    state.books(found.pool().text()).give(held, heldBlocks);
    state.put(found.minus(held, heldBlocks));
    return id;
  }

  /** Deletes an interface that is attached nowhere. */
  public InterfaceId delete(InterfaceId id) throws CloudException {
    MockInterface found = state.networkInterface(id);
    refuseIf(found.isAttached(), CloudErrorCode.INTERFACE_IN_USE, id + " is in use");
    state.remove(found);
    return id;
  }

  /** Routes a range to an instance's own interface, unless any of it is routed already. */
  public String addAliasRange(String instanceId, Cidr range) throws CloudException {
    instance(instanceId);
    Optional<Map.Entry<Cidr, String>> other = state.overlappingAlias(range);
    if (other.isPresent()) {
      throw new CloudException(
          other.equals(Optional.of(Map.entry(range, instanceId)))
              ? CloudErrorCode.ALIAS_DUPLICATE
              : CloudErrorCode.ALIAS_IN_USE,
          other.get().getKey() + " is routed to " + other.get().getValue());
    }
    state.aliasRange(instanceId, range);
    return instanceId;
  }

  static String hex(long bits) {
    return String.format(Locale.ROOT, "%016x", bits);
  }

  /** A number that looks random and follows from a text. */
  static long mix(String text) {
    long z = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      z = (z ^ text.charAt(i)) * 0x100000001b3L;
    }
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
