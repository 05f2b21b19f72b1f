package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.testing.NodeSample;
import io.tidemark.testing.Samples;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One version of the object in {@link HandshakeModel}. Sets of the two addresses are numbers: 1 is
 * the first, 2 the second. A third address is always attached, in the pool and free, because an
 * agent answers only while there is a pool.
 *
 * @param version order of writing
 * @param pool addresses in {@code spec.ipam.pool}
 * @param shown addresses that the status lists under the interface
 * @param wire the entries of {@code status.ipam.release-ips}
 */
record ModelObject(int version, int pool, int shown, SortedMap<IpAddress, HandshakeState> wire) {
  static final ModelObject NONE = new ModelObject(0, 0, 0, new TreeMap<>());
  static final int BOTH = 3;

  /** The address of a bit, 1 or 2. */
  private static final List<IpAddress> ADDRESSES =
      List.of(IpAddress.parse("10.0.0.1"), IpAddress.parse("10.0.0.2"));

  private static final IpAddress THIRD = IpAddress.parse("10.0.0.9");
  private static final List<AddressSet> SETS =
      List.of(
          AddressSet.of(),
          AddressSet.of(ADDRESSES.get(0)),
          AddressSet.of(ADDRESSES.get(1)),
          AddressSet.copyOf(ADDRESSES));
  private static final Map<ModelObject, NodeResource> RESOURCES = new ConcurrentHashMap<>();

  /** The addresses of a number. */
  static AddressSet addresses(int set) {
    return SETS.get(set);
  }

  /** The same with the address that is always there. */
  static AddressSet withThird(int set) {
    return addresses(set).plus(THIRD);
  }

  /** The number of some addresses. */
  static int number(AddressSet addresses) {
    return SETS.indexOf(addresses.intersect(SETS.get(BOTH)));
  }

  /** The address of a bit: 1 or 2. */
  static IpAddress address(int bit) {
    return ADDRESSES.get(bit - 1);
  }

  /** The same with other addresses listed in the status, and other entries. */
  ModelObject with(int nowShown, SortedMap<IpAddress, HandshakeState> nowWire) {
    return new ModelObject(version, pool, nowShown, nowWire);
  }

  /** The object as the engine sees it. */
  NodeResource resource() {
    return RESOURCES.computeIfAbsent(new ModelObject(0, pool, shown, wire), ModelObject::build);
  }

  private NodeResource build() {
    NodeSample sample = Samples.node("node1").instanceId("i-1").preAllocate(1);
    sample.pool("eni-1", withThird(pool));
    String[] listed =
        withThird(shown).toList().stream().map(IpAddress::toString).toArray(String[]::new);
    sample.eni(Samples.eni("eni-1", 1, listed));
    wire.forEach((address, state) -> sample.releaseIp(address.toString(), state));
    return sample.build();
  }
}
