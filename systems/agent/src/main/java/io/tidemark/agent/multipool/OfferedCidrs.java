package io.tidemark.agent.multipool;

import io.tidemark.agent.InterfaceDetails;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The blocks that a version of the object offers to a pool.
 *
 * @param cidrs in the operator's order, each once
 * @param listed those that {@code pools.allocated} lists: the operator knows that the agent has
 *     them
 * @param edges which of their addresses are handed out
 * @param mayBeDropped whether an earlier process may have dropped any of them and listed it again,
 *     which the agent does not know if that process left no record. If not, no agent has written
 *     its demand yet, and no operator can have begun to take away what a multi-pool agent dropped
 * @param releasing those that hold an address of a release handshake, which an agent of single
 *     addresses may have agreed to
 * @param interfaces the interface of each block, where blocks belong to interfaces: one whose
 *     interface is not known or not here is taken up and not drawn from; empty where they do not
 */
public record OfferedCidrs(
    List<Cidr> cidrs,
    Set<Cidr> listed,
    Edges edges,
    boolean mayBeDropped,
    Set<Cidr> releasing,
    Optional<Map<Cidr, InterfaceDetails>> interfaces) {
  /** Blocks that the operator lists, of no interface. */
  public static OfferedCidrs of(List<Cidr> cidrs, Edges edges) {
    return new OfferedCidrs(cidrs, Set.copyOf(cidrs), edges, false, Set.of(), Optional.empty());
  }

  /**
   * Whether first and last address of a block of more than two are handed out.
   *
   * @param first network address
   * @param last broadcast address
   */
  public record Edges(boolean first, boolean last) {
    public static final Edges NONE = new Edges(false, false);
    public static final Edges BOTH = new Edges(true, true);
  }

  OfferedCidrs in(IpFamily family) {
    return new OfferedCidrs(
        cidrs.stream().filter(each -> each.family() == family).toList(),
        listed,
        edges,
        mayBeDropped,
        releasing,
        interfaces);
  }

  /** Nothing: the object does not name the pool. */
  static OfferedCidrs none() {
    return of(List.of(), Edges.NONE);
  }
}
