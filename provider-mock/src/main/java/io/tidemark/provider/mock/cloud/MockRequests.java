package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
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
      String token) {
    public Creation {
      groups = List.copyOf(groups);
      tags = Map.copyOf(tags);
    }
  }

  /** A static public address, and whose it is. */
  public record PublicAddress(
      IpAddress address, Map<String, String> tags, Optional<InterfaceId> holder) {
    public PublicAddress {
      tags = Map.copyOf(tags);
    }

    PublicAddress boundTo(Optional<InterfaceId> other) {
      return new PublicAddress(address, tags, other);
    }
  }

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

  /** The public addresses that carry all the tags, ascending. */
  public List<PublicAddress> publicAddresses(Map<String, String> tags) {
    return state.publicAddresses.values().stream()
        .filter(each -> each.tags().entrySet().containsAll(tags.entrySet()))
        .toList();
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
    MockInterface.Fixed fixed =
        fixed(id, wanted.description(), singles.at(0), wanted.groups(), wanted.tags());
    MockInterface created =
        new MockInterface(
            id,
            CloudState.NOWHERE,
            -1,
            new PoolId(wanted.subnetId()),
            fixed,
            singles.minus(singles.at(0)),
            blocks,
            List.of(),
            Optional.empty());
    state.put(created);
    return created;
  }

  static MockInterface.Fixed fixed(
      InterfaceId id,
      String description,
      IpAddress primary,
      List<String> groups,
      Map<String, String> tags) {
    String hex = hex(mix(id.text()));
    StringBuilder mac = new StringBuilder("02");
    for (int i = 0; i < 10; i += 2) {
      mac.append(':').append(hex, i, i + 2);
    }
    return new MockInterface.Fixed(
        mac.toString(),
        description,
        Optional.of(primary),
        AddressSet.of(),
        List.of(),
        groups,
        tags);
  }

  /** Attaches an interface at exactly this index; refused when the index is taken. */
  public MockInterface attach(InterfaceId id, String instanceId, int index) throws CloudException {
    MockInterface found = state.networkInterface(id);
    CloudState.Instance instance = state.instance(instanceId);
    List<MockInterface> attached = state.attachedTo(instanceId);
    InstanceLimits limits = settings.limits(instance.type());
    if (found.isAttached()) {
      throw new CloudException(CloudErrorCode.INTERFACE_IN_USE, id + " is in use");
    }
    if (!instance.running()) {
      throw new CloudException(CloudErrorCode.INCORRECT_STATE, instanceId + " does not run");
    }
    if (attached.stream().anyMatch(each -> each.index() == index)) {
      throw new CloudException(
          CloudErrorCode.INDEX_IN_USE, instanceId + " has an interface at " + index);
    }
    if (attached.size() >= limits.interfaces()) {
      throw new CloudException(
          CloudErrorCode.INTERFACE_LIMIT,
          instance.type() + " has no more than " + limits.interfaces() + " interfaces");
    }
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
    if (singles > 0 && blocks > 0) {
      throw new CloudException(
          CloudErrorCode.INVALID_PARAMETER, "singles and blocks exclude each other");
    }
    if (found.isAttached()) {
      requirePlaces(found, state.instance(found.instanceId()).type(), singles + blocks);
    }
    SubnetBooks books = state.books(found.pool().text());
    List<Cidr> moreBlocks = books.takeBlocks(blocks);
    AddressSet more = singles > 0 ? books.takeSingles(singles) : AddressSet.of();
    state.put(found.plus(more, moreBlocks));
    return new AttachedInterface(id, more, moreBlocks);
  }

  private void requirePlaces(MockInterface found, String type, int more) throws CloudException {
    int places = settings.limits(type).slots();
    if (found.slotsTaken() + more > places) {
      throw new CloudException(
          CloudErrorCode.ADDRESS_LIMIT,
          found.slotsTaken() + " and " + more + " exceed the " + places + " places of " + type);
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
    if (found.isAttached()) {
      throw new CloudException(CloudErrorCode.INTERFACE_IN_USE, id + " is in use");
    }
    state.remove(found);
    return id;
  }

  /** Binds a public address to an interface; repeating it changes nothing. */
  public IpAddress associate(IpAddress address, InterfaceId id) throws CloudException {
    MockInterface found = state.networkInterface(id);
    PublicAddress known = state.publicAddresses.get(address);
    if (known == null) {
      throw new CloudException(CloudErrorCode.INVALID_PARAMETER, address + " does not exist");
    }
    if (known.holder().filter(other -> !other.equals(id)).isPresent()) {
      throw new CloudException(
          CloudErrorCode.ALREADY_ASSOCIATED, address + " is bound to another interface");
    }
    state.publicAddresses.put(address, known.boundTo(Optional.of(id)));
    state.put(found.withPublicAddress(address));
    return address;
  }

  /** Routes a range to an instance's own interface, unless any of it is routed already. */
  public String addAliasRange(String instanceId, Cidr range) throws CloudException {
    state.instance(instanceId);
    Optional<Map.Entry<Cidr, String>> other = state.overlappingAlias(range);
    if (other.isPresent()) {
      boolean same =
          other.get().getKey().equals(range) && other.get().getValue().equals(instanceId);
      throw new CloudException(
          same ? CloudErrorCode.ALIAS_DUPLICATE : CloudErrorCode.ALIAS_IN_USE,
          other.get().getKey() + " is routed to " + other.get().getValue());
    }
    MockInterface own =
        state.attachedTo(instanceId).stream()
            .filter(each -> each.index() == 0)
            .findFirst()
            .orElseThrow(
                () ->
                    new CloudException(
                        CloudErrorCode.INVALID_PARAMETER, instanceId + " has no interface at 0"));
    state.put(own.withAliasRange(range));
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
