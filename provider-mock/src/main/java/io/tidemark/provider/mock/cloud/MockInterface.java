package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.CachedInterface;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A network interface, as the cloud has it and as the provider's cache holds it. Immutable.
 *
 * @param instanceId empty while it is attached nowhere
 * @param index its place on the instance, 0 for the instance's own interface
 * @param singles secondary addresses that belong to no block
 * @param prefixes blocks, a /28 each, ascending
 * @param aliasRanges ranges that are routed to it, in the order of their addition
 */
public record MockInterface(
    InterfaceId id,
    String instanceId,
    int index,
    PoolId pool,
    Fixed fixed,
    AddressSet singles,
    List<Cidr> prefixes,
    List<Cidr> aliasRanges,
    Optional<IpAddress> publicAddress)
    implements CachedInterface<MockInterface> {
  /** The properties that an interface keeps for life. */
  public record Fixed(
      String mac,
      String description,
      Optional<IpAddress> primary,
      List<String> securityGroups,
      Map<String, String> tags) {
    /** Those that its creator chooses. */
    public Fixed(String description, List<String> securityGroups, Map<String, String> tags) {
      this("", description, Optional.empty(), securityGroups, tags);
    }
  }

  /** One that is attached nowhere, with nothing but its primary address. */
  public static MockInterface loose(InterfaceId id, PoolId pool, Fixed wanted, IpAddress primary) {
    String mac = "02" + hex(mix(id.text())).substring(0, 10).replaceAll("..", ":$0");
    Fixed made =
        new Fixed(
            mac, wanted.description, Optional.of(primary), wanted.securityGroups, wanted.tags);
    return new MockInterface(
        id, "", -1, pool, made, AddressSet.of(), List.of(), List.of(), Optional.empty());
  }

  /** The id of an interface that is made for a token, or as an instance's own. */
  static InterfaceId id(long seed, String token) {
    return new InterfaceId("eni-" + hex(seed ^ mix(token)));
  }

  private static String hex(long bits) {
    return String.format(Locale.ROOT, "%016x", bits);
  }

  /** A number that looks random and follows from a text. */
  private static long mix(String text) {
    long z = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      z = (z ^ text.charAt(i)) * 0x100000001b3L;
    }
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  /** Whether it is attached to an instance. */
  public boolean isAttached() {
    return !instanceId.isEmpty();
  }

  /** Every IPv4 address that it takes from its subnet, blocks spelled out. */
  public AddressSet taken() {
    AddressSet all = fixed.primary().map(singles::plus).orElse(singles);
    for (Cidr block : prefixes) {
      all = all.plus(AddressSet.ofRange(block));
    }
    return all;
  }

  @Override
  public Optional<IpAddress> primaryAddress() {
    return fixed.primary();
  }

  @Override
  public int slotsTaken() {
    return singles.size() + prefixes.size();
  }

  @Override
  public MockInterface holding(AddressSet held, List<Cidr> blocks) {
    return new MockInterface(
        id, instanceId, index, pool, fixed, held, blocks, aliasRanges, publicAddress);
  }

  /** The same interface at another place. */
  public MockInterface at(String otherInstance, int otherIndex) {
    return new MockInterface(
        id, otherInstance, otherIndex, pool, fixed, singles, prefixes, aliasRanges, publicAddress);
  }

  /** The same interface with one more alias range, unless it has it. */
  public MockInterface withAliasRange(Cidr range) {
    List<Cidr> ranges = Stream.concat(aliasRanges.stream(), Stream.of(range)).distinct().toList();
    return new MockInterface(
        id, instanceId, index, pool, fixed, singles, prefixes, ranges, publicAddress);
  }
}
