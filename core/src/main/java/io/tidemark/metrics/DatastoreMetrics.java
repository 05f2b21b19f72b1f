package io.tidemark.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/** Measurements of the stores of a node's network cards. Thread-safe; never blocks. */
public interface DatastoreMetrics {
  /**
   * A network card has a store from now on.
   *
   * @param counts its present numbers, from any thread at any time
   */
  void card(int card, Supplier<StoreCounts> counts);

  /** A write of a card's checkpoint ended. */
  void checkpoint(int card, boolean written, Duration took);

  /** A write of a card's checkpoint begins that has so many changes. */
  void batch(int card, int changes);

  /** An address of a card was assigned again, so long after its release. */
  void reused(int card, Duration distance);

  /**
   * Where pods have the addresses of a network card, from now on.
   *
   * @param places its present numbers, from any thread at any time
   */
  void places(int card, Supplier<PlaceCounts> places);

  /**
   * A network card has a plan from now on.
   *
   * @param plan its present numbers, from any thread at any time
   */
  void plan(int card, Supplier<PlanCounts> plan);

  /**
   * A network card is kept as its cloud has it, from now on.
   *
   * @param counts its present numbers, from any thread at any time
   */
  void loop(int card, Supplier<LoopCounts> counts);

  /**
   * Work in the cloud begins or ends.
   *
   * @param action its kind, one of few
   * @param change 1 when it begins, -1 when it ends
   */
  void inProgress(String action, int change);

  /**
   * Work in the cloud failed, or its answer was lost.
   *
   * @param what one of few names
   */
  void failed(String what);

  /**
   * How many addresses pods have of each interface, by its id, and of each secondary address and
   * prefix.
   */
  record PlaceCounts(Map<String, Integer> byInterface, Map<String, Integer> byCidr) {
    public PlaceCounts {
      byInterface = Map.copyOf(byInterface);
      byCidr = Map.copyOf(byCidr);
    }
  }

  /** How many addresses, or prefixes, the targets lack and how many they do not need. */
  record PlanCounts(int shortBy, int overBy) {}

  /**
   * The limits of a card and the corrections of its store.
   *
   * @param interfacesMax that it can have, without those of others
   * @param ipsMax addresses that these can have for pods
   * @param corrections since the start: interfaces and blocks that were added or removed because
   *     the cloud showed that, each kind by its name
   */
  record LoopCounts(int interfacesMax, long ipsMax, Map<String, Long> corrections) {
    public LoopCounts {
      corrections = Map.copyOf(corrections);
    }
  }

  /**
   * The numbers of one store. Addresses are those of both families that can be assigned from, as
   * far as their interfaces take pods; the last four grow since the start.
   *
   * @param interfaces of all kinds
   * @param total addresses; saturates
   * @param assigned addresses that sandboxes have
   * @param ipv4Prefixes delegated IPv4 prefixes
   * @param cooling addresses that were released not long ago
   * @param orphans assignments whose addresses the node does not have
   * @param lost those of them whose addresses left the node while a sandbox had them
   * @param noAddress requests that got no address because there was none
   * @param forceRemovedEnis interfaces that left although pods used their addresses
   * @param forceRemovedIps addresses that left although a pod used them
   * @param cutShort addresses that were assigned before their cooldown was over
   */
  record StoreCounts(
      int interfaces,
      long total,
      int assigned,
      int ipv4Prefixes,
      int cooling,
      int orphans,
      int lost,
      long noAddress,
      long forceRemovedEnis,
      long forceRemovedIps,
      long cutShort) {}
}
