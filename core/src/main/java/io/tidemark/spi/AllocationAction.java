package io.tidemark.spi;

import io.tidemark.resilience.CallKind;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The next step of a provider for a node that lacks addresses (node-manager 1.9).
 *
 * @param onInterface the attached interface to fill; empty when a new one is needed
 * @param pool where the addresses come from; empty when none is eligible
 * @param emptyInterfaceSlots interfaces that can still be attached; negative when over the limit
 * @param ipv6Prefixes IPv6 prefixes to add
 * @param firstCalls the request that opens the planned path, then, where the provider offers the
 *     choice, the one that opens creating an interface instead; with a token for either, the plan
 *     is made again. Empty: no token is needed
 * @param blocked why nothing can be done; then the other components are for explanation only
 */
public record AllocationAction(
    Optional<InterfaceId> onInterface,
    Optional<PoolId> pool,
    int emptyInterfaceSlots,
    AddressPlan ipv4,
    int ipv6Prefixes,
    List<CallKind> firstCalls,
    Optional<Blocked> blocked) {
  public AllocationAction {
    Objects.requireNonNull(onInterface, "onInterface");
    Objects.requireNonNull(pool, "pool");
    Objects.requireNonNull(ipv4, "ipv4");
    firstCalls = List.copyOf(firstCalls);
    Objects.requireNonNull(blocked, "blocked");
  }

  /** Nothing can be done for {@code why}. */
  public static AllocationAction blocked(Blocked why, int emptyInterfaceSlots) {
    return new AllocationAction(
        Optional.empty(),
        Optional.empty(),
        emptyInterfaceSlots,
        new AddressPlan(0, 0, java.util.OptionalInt.empty(), 1, 0),
        0,
        List.of(),
        Optional.of(why));
  }

  /** The same action with core's numbers. */
  public AllocationAction with(AddressPlan plan, int prefixes) {
    return new AllocationAction(
        onInterface, pool, emptyInterfaceSlots, plan, prefixes, firstCalls, blocked);
  }
}
