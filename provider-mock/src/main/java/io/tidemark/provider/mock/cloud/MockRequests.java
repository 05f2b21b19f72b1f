package io.tidemark.provider.mock.cloud;

import static io.tidemark.provider.mock.cloud.CloudException.throwIf;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The effect of each request. A refused request changes nothing. For the duration of one {@link
 * MockCloud#request}, which has locked the account.
 *
 * @param asOfNanos the instant that a read shows
 * @param atMost the most addresses or blocks that a change gives or takes
 */
public record MockRequests(CloudState state, CloudSettings settings, long asOfNanos, int atMost) {
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
    long bits = settings.seed() ^ MockInterface.mix(wanted.token());
    InterfaceId id = new InterfaceId("eni-" + MockInterface.hex(bits));
    Optional<MockInterface> repeated = state.find(id);
    if (repeated.isPresent()) {
      return repeated.get();
    }
    int singles = 1 + Math.min(wanted.singles(), atMost);
    AttachedInterface got =
        books(wanted.subnetId()).take(id, singles, Math.min(wanted.blocks(), atMost));
    IpAddress primary = got.singles().at(0);
    PoolId subnet = new PoolId(wanted.subnetId());
    MockInterface created =
        MockInterface.loose(
                id, subnet, wanted.description(), primary, wanted.groups(), wanted.tags())
            .holding(got.singles().minus(primary), got.blocks());
    state.put(created);
    return created;
  }

  /** Attaches an interface at exactly this index; refused when the index is taken. */
  public MockInterface attach(InterfaceId id, String instanceId, int index) throws CloudException {
    MockInterface found = existing(id);
    CloudState.Instance instance = instance(instanceId);
    List<MockInterface> attached = state.attachedTo(instanceId);
    int most = settings.limits(instance.type()).interfaces();
    throwIf(found.isAttached(), CloudErrorCode.INTERFACE_IN_USE, id + " is in use");
    throwIf(!instance.running(), CloudErrorCode.INCORRECT_STATE, instanceId + " does not run");
    throwIf(
        attached.stream().anyMatch(each -> each.index() == index),
        CloudErrorCode.INDEX_IN_USE,
        instanceId + " has an interface at " + index);
    throwIf(
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
    MockInterface found = existing(id);
    throwIf(
        singles > 0 && blocks > 0,
        CloudErrorCode.INVALID_PARAMETER,
        "singles and blocks exclude each other");
    if (found.isAttached()) {
      requirePlaces(found, instance(found.instanceId()).type(), singles + blocks);
    }
    AttachedInterface more = books(found.pool().text()).take(id, singles, blocks);
    state.put(found.plus(more.singles(), more.blocks()));
    return more;
  }

  private void requirePlaces(MockInterface found, String type, int more) throws CloudException {
    int places = settings.limits(type).slots();
    throwIf(
        found.slotsTaken() + more > places,
        CloudErrorCode.ADDRESS_LIMIT,
        found.slotsTaken() + " and " + more + " exceed the " + places + " places of " + type);
  }

  /** Takes singles and blocks away; those that are not there are ignored. */
  public InterfaceId unassign(InterfaceId id, AddressSet singles, List<Cidr> blocks)
      throws CloudException {
    MockInterface found = existing(id);
    AddressSet held = found.singles().intersect(singles);
    held = held.first(Math.min(held.size(), atMost));
    List<Cidr> heldBlocks =
        blocks.stream().filter(found.prefixes()::contains).limit(atMost).toList();
    books(found.pool().text()).give(held, heldBlocks);
    state.put(found.minus(held, heldBlocks));
    return id;
  }

  /** Deletes an interface that is attached nowhere. */
  public InterfaceId delete(InterfaceId id) throws CloudException {
    MockInterface found = existing(id);
    throwIf(found.isAttached(), CloudErrorCode.INTERFACE_IN_USE, id + " is in use");
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

  private SubnetBooks books(String subnet) throws CloudException {
    return existing(state.subnets.get(subnet), CloudErrorCode.SUBNET_NOT_FOUND, subnet);
  }

  private CloudState.Instance instance(String id) throws CloudException {
    return existing(state.instances.get(id), CloudErrorCode.INSTANCE_NOT_FOUND, id);
  }

  private MockInterface existing(InterfaceId id) throws CloudException {
    return existing(state.find(id).orElse(null), CloudErrorCode.INTERFACE_NOT_FOUND, id.text());
  }

  private static <T> T existing(@Nullable T found, CloudErrorCode missing, String id)
      throws CloudException {
    if (found == null) {
      throw new CloudException(missing, id + " does not exist");
    }
    return found;
  }
}
