package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.resilience.CallKind;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What to do next for a node that lacks addresses: fill an attached interface, else create one
 * (provider-aws 3.2). Pure.
 *
 * @param selector where a new interface may go
 * @param ipv6Wanted whether the node shall have an IPv6 prefix and has none
 */
record AllocationPlanner(
    SlotModel slots,
    InstanceView<Eni> view,
    SubnetSelector selector,
    List<SubnetPool> pools,
    boolean ipv6Wanted) {

  /** An attached interface with room in a subnet with room. */
  private record Candidate(Eni eni, SubnetPool pool) {}

  /** Plans from what is known now. */
  AllocationAction plan() {
    int empty = slots.emptySlots(view.interfaces());
    if (view.doubtful()) {
      return AllocationAction.blocked(
          new Blocked(
              BlockedReason.READING_BACK,
              "the answer to a request that adds addresses was lost, and EC2 has not yet shown"
                  + " its effect"),
          empty);
    }
    List<Eni> withRoom =
        view.interfaces().stream()
            .filter(eni -> slots.usable(eni) && slots.freeSlots(eni) > 0)
            .toList();
    boolean delegated = slots.delegated(view.interfaces());
    Optional<Candidate> best = best(withRoom, delegated);
    Optional<SubnetPool> target =
        empty > 0 ? eligible().stream().filter(SubnetPool::hasRoom).findFirst() : Optional.empty();
    if (best.isPresent()) {
      return fill(best.get(), delegated, empty, withRoom.size(), target.isPresent());
    }
    if (target.isPresent()) {
      return create(target.get(), delegated, empty, withRoom.size());
    }
    return AllocationAction.blocked(why(withRoom, empty), empty);
  }

  /** Subnets for a new interface, best first. */
  List<SubnetPool> eligible() {
    return selector.eligible(pools, 1 + SlotModel.PRE_ALLOCATE, slots.type().ipv4PerInterface());
  }

  private Optional<Candidate> best(List<Eni> withRoom, boolean delegated) {
    List<Candidate> candidates = new ArrayList<>();
    for (Eni eni : withRoom) {
      pools.stream()
          .filter(pool -> pool.id().equals(eni.pool()) && pool.mayHaveAddresses())
          .findFirst()
          .ifPresent(pool -> candidates.add(new Candidate(eni, pool)));
    }
    return candidates.stream()
        .min(
            Comparator.comparing((Candidate each) -> delegated && !each.pool().mayHaveBlocks())
                .thenComparing(each -> each.eni().index())
                .thenComparing(each -> each.eni().id()));
  }

  private AllocationAction fill(
      Candidate chosen, boolean delegated, int empty, int candidates, boolean creatable) {
    SubnetPool pool = chosen.pool();
    int blockSize = delegated && pool.mayHaveBlocks() ? SlotModel.BLOCK_SIZE : 1;
    int room = Math.min(slots.freeSlots(chosen.eni()), pool.free() / blockSize) * blockSize;
    List<CallKind> opening = new ArrayList<>();
    opening.add(Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES.kind());
    if (creatable && selector.settings().fastest()) {
      opening.add(Ec2Operation.CREATE_NETWORK_INTERFACE.kind());
    }
    return new AllocationAction(
        Optional.of(chosen.eni().id()),
        Optional.of(pool.id()),
        empty,
        new AddressPlan(room, 0, OptionalInt.empty(), blockSize, candidates),
        ipv6In(pool),
        opening,
        Optional.empty());
  }

  private AllocationAction create(SubnetPool pool, boolean delegated, int empty, int candidates) {
    return new AllocationAction(
        Optional.empty(),
        Optional.of(pool.id()),
        empty,
        new AddressPlan(
            0,
            0,
            OptionalInt.empty(),
            delegated && pool.mayHaveBlocks() ? SlotModel.BLOCK_SIZE : 1,
            candidates),
        ipv6In(pool),
        List.of(Ec2Operation.CREATE_NETWORK_INTERFACE.kind()),
        Optional.empty());
  }

  /** IPv6 is never asked for where the subnet has none: it would fail the IPv4 of the request. */
  private int ipv6In(SubnetPool pool) {
    return ipv6Wanted && pool.subnet().ipv6().isPresent() ? 1 : 0;
  }

  private Blocked why(List<Eni> withRoom, int empty) {
    if (!withRoom.isEmpty() && empty <= 0) {
      return new Blocked(
          BlockedReason.SUBNET_EXHAUSTED,
          "no free address in " + withRoom.stream().map(Eni::pool).distinct().toList());
    }
    if (empty <= 0) {
      return full();
    }
    List<SubnetPool> eligible = eligible();
    if (eligible.isEmpty()) {
      return new Blocked(BlockedReason.NO_SUBNET, selector.why(pools));
    }
    return new Blocked(
        BlockedReason.SUBNET_EXHAUSTED,
        "fewer than 2 free addresses in " + eligible.stream().map(SubnetPool::id).toList());
  }

  /** Every place is taken; where prefixes were wanted, singles tell why so few are held. */
  private Blocked full() {
    int singles =
        view.interfaces().stream()
            .filter(slots::usable)
            .mapToInt(eni -> eni.singles().size())
            .sum();
    if (slots.blocks() && singles > 0) {
      return new Blocked(
          BlockedReason.SUBNET_FRAGMENTED,
          singles + " places hold single addresses, because no prefix was free for them");
    }
    long attached = view.interfaces().stream().filter(Eni::onCard0).count();
    return new Blocked(
        BlockedReason.OUT_OF_INTERFACES,
        slots.type().name()
            + " has "
            + attached
            + " of "
            + slots.interfacesMax(view.interfaces())
            + " interfaces on network card 0, none with room"
            + (slots.firstIndex() > 0
                ? " at device index " + slots.firstIndex() + " or above, those for pods"
                : ""));
  }
}
