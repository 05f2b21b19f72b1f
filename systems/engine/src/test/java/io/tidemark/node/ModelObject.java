package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.testing.NodeSample;
import io.tidemark.testing.Samples;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One version of the object in {@link HandshakeModel}, in few bits. Sets of the two addresses are
 * numbers: 1 is the first, 2 the second. A third address is always attached, in the pool and free,
 * because an agent answers only while there is a pool.
 *
 * @param version order of writing
 * @param pool addresses in {@code spec.ipam.pool}
 * @param shown addresses that the status lists under the interface
 * @param wire state of each address in {@code status.ipam.release-ips}, three bits each
 */
@SuppressWarnings("EnumOrdinal") // the numbers do not outlive the run
record ModelObject(int version, int pool, int shown, int wire) {
  static final ModelObject NONE = new ModelObject(0, 0, 0, 0);
  static final int BOTH = 3;

  private static final List<IpAddress> ADDRESSES =
      List.of(IpAddress.parse("10.0.0.1"), IpAddress.parse("10.0.0.2"));
  private static final IpAddress THIRD = IpAddress.parse("10.0.0.9");
  private static final List<AddressSet> SETS =
      List.of(
          AddressSet.of(),
          AddressSet.of(ADDRESSES.get(0)),
          AddressSet.of(ADDRESSES.get(1)),
          AddressSet.copyOf(ADDRESSES));
  private static final HandshakeState[] STATES = HandshakeState.values();
  private static final ConcurrentHashMap<Integer, NodeResource> RESOURCES =
      new ConcurrentHashMap<>();

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
    return (addresses.contains(ADDRESSES.get(0)) ? 1 : 0)
        | (addresses.contains(ADDRESSES.get(1)) ? 2 : 0);
  }

  /** Whether {@code address} is attached when {@code set} is. */
  static boolean contains(int set, IpAddress address) {
    return (set & bit(address)) != 0;
  }

  /** The number of one of the two addresses. */
  static int bit(IpAddress address) {
    return 1 << ADDRESSES.indexOf(address);
  }

  /** The address of a number: 1 or 2. */
  static IpAddress address(int bit) {
    return ADDRESSES.get(bit - 1);
  }

  static int wire(SortedMap<IpAddress, HandshakeState> states) {
    int wire = 0;
    for (int i = 0; i < ADDRESSES.size(); i++) {
      wire |= code(Optional.ofNullable(states.get(ADDRESSES.get(i)))) << (3 * i);
    }
    return wire;
  }

  private static int code(Optional<HandshakeState> state) {
    return state.map(each -> each.ordinal() + 1).orElse(0);
  }

  SortedMap<IpAddress, HandshakeState> states() {
    SortedMap<IpAddress, HandshakeState> states = new TreeMap<>();
    for (int i = 0; i < ADDRESSES.size(); i++) {
      int at = i;
      state(1 << i).ifPresent(state -> states.put(ADDRESSES.get(at), state));
    }
    return Collections.unmodifiableSortedMap(states);
  }

  /** The object's state of the address that is {@code bit}. */
  Optional<HandshakeState> state(int bit) {
    int code = (wire >> (bit == 1 ? 0 : 3)) & 7;
    return code == 0 ? Optional.empty() : Optional.of(STATES[code - 1]);
  }

  /** The same with another state of the address that is {@code bit}. */
  ModelObject with(int bit, Optional<HandshakeState> state) {
    int shift = bit == 1 ? 0 : 3;
    return withWire((wire & ~(7 << shift)) | (code(state) << shift));
  }

  /** The same with other states. */
  ModelObject withWire(int now) {
    return new ModelObject(version, pool, shown, now);
  }

  /** The same with other addresses listed in the status. */
  ModelObject withShown(int now) {
    return new ModelObject(version, pool, now, wire);
  }

  /** The object as the engine sees it. */
  NodeResource resource() {
    return RESOURCES.computeIfAbsent(pool | (shown << 2) | (wire << 4), code -> build());
  }

  private NodeResource build() {
    NodeSample sample = Samples.node("node1").instanceId("i-1").preAllocate(1);
    sample.pool("eni-1", withThird(pool));
    String[] listed =
        withThird(shown).toList().stream().map(IpAddress::toString).toArray(String[]::new);
    sample.eni(Samples.eni("eni-1", 1, listed));
    states().forEach((address, state) -> sample.releaseIp(address.toString(), state));
    return sample.build();
  }

  /** The engine's next version of this one. */
  ModelObject became(NodeResource changed) {
    return new ModelObject(
        version, number(changed.pool().addresses()), shown, wire(changed.releaseIps()));
  }

  /** The same with the two addresses exchanged. */
  ModelObject mirrored() {
    return new ModelObject(
        version, mirrored(pool), mirrored(shown), (wire >> 3) | ((wire & 7) << 3));
  }

  static int mirrored(int set) {
    return (set >> 1) | ((set & 1) << 1);
  }

  @Override
  public String toString() {
    return "v"
        + version
        + " pool "
        + pool
        + " shown "
        + shown
        + " "
        + Arrays.asList(state(1).map(HandshakeState::wire), state(2).map(HandshakeState::wire));
  }
}
