package io.tidemark.spi.contract;

import java.util.EnumSet;
import java.util.Set;

/**
 * The contract's requirements on an instance. A cloud gives the machine that fits; the test's
 * numbers follow from the shape.
 *
 * @param interfaces that the machine can have at most, the first one included; a cloud that cannot
 *     create interfaces gives one that holds {@link #addresses}
 * @param slots pod addresses that each of them holds, the primary address not counted
 */
public record NodeShape(int interfaces, int slots, Set<Trait> traits) {
  /** A special property of the node. */
  public enum Trait {
    /** The first interface is not for pods, by its place. */
    FIRST_INTERFACE_RESERVED,
    /** The first interface is not for pods, by a rule of the node's resource. */
    FIRST_INTERFACE_EXCLUDED,
    /** Primary addresses serve pods, too. */
    PRIMARY_ADDRESSES
  }

  /** The usual request of tests. */
  static final NodeShape SMALL = of(3, 9);

  public NodeShape {
    traits = Set.copyOf(traits);
  }

  /** A node without traits. */
  public static NodeShape of(int interfaces, int slots) {
    return new NodeShape(interfaces, slots, Set.of());
  }

  NodeShape with(Trait trait) {
    Set<Trait> more = EnumSet.of(trait);
    more.addAll(traits);
    return new NodeShape(interfaces, slots, more);
  }

  /** Pod addresses that the machine holds on all its interfaces. */
  public int addresses() {
    return interfaces * slots;
  }

  /** Whether the node has a trait. */
  public boolean has(Trait trait) {
    return traits.contains(trait);
  }
}
