package io.tidemark.provider.mock.cloud;

import static io.tidemark.provider.mock.cloud.CloudException.throwIf;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.mock.cloud.CloudException.Code;
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
 * MockCloud#request}, which has locked the account: as a read of that instant sees it, and with at
 * most so many addresses or blocks that a change gives or takes.
 */
public record MockRequests(CloudState state, CloudSettings settings, long asOfNanos, int atMost) {
  /** All subnets with their free space, ids ascending. */
  public List<Pool<MockSubnet>> subnets() {
    return state.subnets.values().stream().map(SubnetBooks::pool).toList();
  }

  /** The interfaces of these instances; those that do not exist are left out. */
  public List<MockInterface> interfacesOf(Collection<String> instanceIds) {
    return instanceIds.stream().flatMap(id -> state.attachedTo(id, asOfNanos).stream()).toList();
  }

  /** The interfaces of the account that {@code wanted} selects, attached or not, by instance. */
  public List<MockInterface> interfaces(Predicate<MockInterface> wanted) {
    return state.all(asOfNanos).stream().filter(wanted).toList();
  }

  /** Creates an interface that is attached nowhere; a token gives the same one each time. */
  public MockInterface create(
      PoolId subnet, MockInterface.Fixed wanted, int singles, int blocks, String token)
      throws CloudException {
    InterfaceId id = MockInterface.id(settings.seed(), token);
    Optional<MockInterface> repeated = state.find(id);
    if (repeated.isPresent()) {
      return repeated.get();
    }
    AttachedInterface got =
        subnet(subnet).take(id, 1 + Math.min(singles, atMost), Math.min(blocks, atMost));
    IpAddress primary = got.singles().at(0);
    return state.put(
        MockInterface.loose(id, subnet, wanted, primary)
            .holding(got.singles().minus(primary), got.blocks()));
  }

  /** Attaches an interface at exactly this index; refused when the index is taken. */
  public MockInterface attach(InterfaceId id, String instanceId, int index) throws CloudException {
    MockInterface found = networkInterface(id);
    CloudState.Instance instance = instance(instanceId);
    List<MockInterface> attached = state.attachedTo(instanceId);
    int most = settings.limits(instance.type()).interfaces();
    throwIf(found.isAttached(), Code.INTERFACE_IN_USE, id + " is in use");
    throwIf(!instance.running(), Code.INCORRECT_STATE, instanceId + " does not run");
    throwIf(
        attached.stream().anyMatch(each -> each.index() == index),
        Code.INDEX_IN_USE,
        instanceId + " has an interface at " + index);
    throwIf(
        attached.size() >= most,
        Code.INTERFACE_LIMIT,
        instance.type() + " has no more than " + most + " interfaces");
    requirePlaces(found, instance.type(), 0);
    return state.put(found.at(instanceId, index));
  }

  /** Adds singles or blocks, not both; returns what was added. */
  public AttachedInterface assign(InterfaceId id, int wantedSingles, int wantedBlocks)
      throws CloudException {
    int singles = Math.min(wantedSingles, atMost);
    int blocks = Math.min(wantedBlocks, atMost);
    MockInterface found = networkInterface(id);
    throwIf(singles > 0 && blocks > 0, Code.INVALID_PARAMETER, "singles or blocks, not both");
    if (found.isAttached()) {
      requirePlaces(found, instance(found.instanceId()).type(), singles + blocks);
    }
    AttachedInterface more = subnet(found.pool()).take(id, singles, blocks);
    state.put(found.plus(more.singles(), more.blocks()));
    return more;
  }

  private void requirePlaces(MockInterface found, String type, int more) throws CloudException {
    int places = settings.limits(type).slots();
    throwIf(
        found.slotsTaken() + more > places,
        Code.ADDRESS_LIMIT,
        found.slotsTaken() + " and " + more + " exceed the " + places + " places of " + type);
  }

  /** Takes singles and blocks away; those that are not there are ignored. */
  public InterfaceId unassign(InterfaceId id, AddressSet singles, List<Cidr> blocks)
      throws CloudException {
    MockInterface found = networkInterface(id);
    AddressSet held = found.singles().intersect(singles);
    held = held.first(Math.min(held.size(), atMost));
    List<Cidr> heldBlocks =
        blocks.stream().filter(found.prefixes()::contains).limit(atMost).toList();
    subnet(found.pool()).give(held, heldBlocks);
    state.put(found.minus(held, heldBlocks));
    return id;
  }

  /** Deletes an interface that is attached nowhere. */
  public InterfaceId delete(InterfaceId id) throws CloudException {
    MockInterface found = networkInterface(id);
    throwIf(found.isAttached(), Code.INTERFACE_IN_USE, id + " is in use");
    state.remove(found);
    return id;
  }

  /** Routes a range to an instance's own interface, unless any of it is routed already. */
  public String addAliasRange(String instanceId, Cidr range) throws CloudException {
    instance(instanceId);
    Optional<Map.Entry<Cidr, String>> other = state.overlappingAlias(range);
    String by = other.map(it -> it.getKey() + " is routed to " + it.getValue()).orElse("");
    boolean same = other.equals(Optional.of(Map.entry(range, instanceId)));
    throwIf(same, Code.ALIAS_DUPLICATE, by);
    throwIf(other.isPresent(), Code.ALIAS_IN_USE, by);
    state.aliasRange(instanceId, range);
    return instanceId;
  }

  private SubnetBooks subnet(PoolId id) throws CloudException {
    return existing(state.subnets.get(id.text()), Code.SUBNET_NOT_FOUND, id);
  }

  private CloudState.Instance instance(String id) throws CloudException {
    return existing(state.instances.get(id), Code.INSTANCE_NOT_FOUND, id);
  }

  private MockInterface networkInterface(InterfaceId id) throws CloudException {
    return existing(state.find(id).orElse(null), Code.INTERFACE_NOT_FOUND, id);
  }

  private static <T> T existing(@Nullable T found, Code missing, Object id) throws CloudException {
    if (found == null) {
      throw new CloudException(missing, id + " does not exist");
    }
    return found;
  }
}
