package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Exclusion;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import io.tidemark.nodecidr.ledger.LedgerRange.Giving;
import io.tidemark.nodecidr.ledger.LedgerRounds.RangeRound;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The taken CIDRs and the reasons: layers of CIDRs of any length, which are never mixed. A block is
 * free when no CIDR of any layer touches it, so what one layer gives up stays taken while another
 * one has it.
 *
 * <p>Mutable and not thread-safe: {@link CidrLedger} owns it.
 */
final class CidrLayers {
  /** Why a CIDR is taken. */
  enum Layer {
    /** By settings, for ever. */
    EXCLUDED,
    CLAIMED,
    /** It is being written to a node. */
    RESERVED,
    /** Its node is absent, perhaps not for long. */
    COOLING
  }

  /** Receives what shares an address with a CIDR. */
  interface Visitor {
    void accept(Layer layer, Cidr cidr, Set<String> holders);
  }

  private final Map<Layer, CidrHolders<String>> layers = new EnumMap<>(Layer.class);
  private final List<LedgerRange> ranges = new ArrayList<>();
  private final ObjLongConsumer<Cidr> searched;

  /** Counted when it was asked for last; null when something has changed since. */
  private @Nullable List<RangeUsage> usage;

  /**
   * {@code searched} receives the range of each block that is reserved, and how many taken blocks
   * the search for it passed over.
   */
  CidrLayers(ClusterCidrs cidrs, ObjLongConsumer<Cidr> searched) {
    this.searched = searched;
    for (Layer layer : Layer.values()) {
      layers.put(layer, new CidrHolders<>());
    }
    List<Cidr> without = cidrs.exclusions().stream().map(Exclusion::cidr).toList();
    for (FamilyRanges family : cidrs.families()) {
      for (Cidr range : family.ranges()) {
        ranges.add(new LedgerRange(BlockSpace.of(range, family.blockLength(), without)));
      }
    }
    for (Exclusion each : cidrs.exclusions()) {
      add(Layer.EXCLUDED, each.cidr(), each.reason());
    }
    ranges.forEach(it -> it.excluded = it.space.capacity() - it.space.freeCount());
  }

  /** Takes a block of the family and reserves it; only when one can be given out. */
  Cidr reserve(IpFamily family, String holder) {
    for (LedgerRange it : ranges) {
      if (it.space.range().family() == family && it.giving() == Giving.YES) {
        Cidr block = it.space.allocateNext().orElseThrow();
        layer(Layer.RESERVED).add(block, holder);
        it.reached(it.space.endIndex(block));
        it.allocations++;
        searched.accept(it.space.range(), it.space.passedOver());
        usage = null;
        return block;
      }
    }
    throw new IllegalStateException("no block of " + family + " can be given out");
  }

  /** Whether a block of the family can be given out: by the first range that is not full. */
  Giving giving(IpFamily family) {
    return ranges.stream()
        .filter(it -> it.space.range().family() == family)
        .map(it -> it.giving())
        .filter(giving -> giving != Giving.FULL)
        .findFirst()
        .orElse(Giving.FULL);
  }

  List<LedgerRange> ranges() {
    return ranges;
  }

  List<RangeRound> rounds() {
    return ranges.stream()
        .map(
            it ->
                new RangeRound(
                    it.space.range(),
                    it.space.blockLength(),
                    it.space.capacity(),
                    it.space.cursor(),
                    it.position(),
                    it.giving() == Giving.WITHHELD ? it.space.freeCount() : 0,
                    it.allocations,
                    it.releases))
        .toList();
  }

  /** How many blocks of the family can be given out; {@link Long#MAX_VALUE} for more than that. */
  long givable(IpFamily family) {
    long givable = 0;
    for (LedgerRange it : ranges) {
      if (it.space.range().family() == family) {
        givable += Math.min(it.givable(), Long.MAX_VALUE - givable);
      }
    }
    return givable;
  }

  boolean isTouched(Cidr cidr) {
    return ranges.stream().anyMatch(it -> it.space.range().overlaps(cidr));
  }

  void add(Layer layer, Cidr cidr, String holder) {
    if (layer(layer).add(cidr, holder)) {
      usage = null;
      for (LedgerRange it : ranges) {
        if (it.space.range().overlaps(cidr)) {
          it.allocations += it.space.occupy(cidr);
          if (layer != Layer.EXCLUDED) {
            it.reached(it.space.endIndex(cidr));
          }
        }
      }
    }
  }

  /** Removes a holder of a CIDR from a layer; blocks that nothing else touches are free then. */
  void remove(Layer layer, Cidr cidr, String holder) {
    if (!layer(layer).remove(cidr, holder)) {
      return;
    }
    usage = null;
    for (LedgerRange it : ranges) {
      BlockSpace space = it.space;
      if (space.range().overlaps(cidr)) {
        Cidr whole = space.wholeBlocks(cidr);
        long free = space.freeCount();
        space.release(whole);
        forEachOverlapping(
            whole,
            (other, still, holders) -> {
              if (space.range().overlaps(still)) {
                space.occupy(still.contains(whole) ? whole : still);
              }
            });
        it.releases += space.freeCount() - free;
      }
    }
  }

  void forEachOverlapping(Cidr cidr, Visitor visitor) {
    layers.forEach(
        (layer, cidrs) ->
            cidrs.forEachOverlapping(
                cidr, (found, holders) -> visitor.accept(layer, found, holders)));
  }

  List<RangeUsage> usage() {
    List<RangeUsage> known = usage;
    if (known == null) {
      known = counted();
      usage = known;
    }
    return known;
  }

  private List<RangeUsage> counted() {
    List<RangeUsage> all = new ArrayList<>();
    for (LedgerRange it : ranges) {
      BlockSpace space = it.space;
      BlockSpace counted = space.cleared();
      long reserved = count(Layer.RESERVED, counted);
      long cooling = count(Layer.COOLING, counted);
      long taken = space.capacity() - space.freeCount();
      all.add(
          new RangeUsage(
              space.range(),
              space.blockLength(),
              space.capacity(),
              it.excluded,
              taken - it.excluded - reserved - cooling,
              reserved,
              cooling,
              space.freeCount()));
    }
    return List.copyOf(all);
  }

  /** Blocks of a layer that were not counted before, and that no exclusion or claim touches. */
  private long count(Layer layer, BlockSpace counted) {
    long[] sum = new long[1];
    layer(layer)
        .forEachOverlapping(
            counted.range(),
            (cidr, holders) -> {
              forEachOverlapping(
                  counted.wholeBlocks(cidr),
                  (other, found, theirs) -> {
                    if ((other == Layer.EXCLUDED || other == Layer.CLAIMED)
                        && counted.range().overlaps(found)) {
                      counted.occupy(found);
                    }
                  });
              sum[0] += counted.occupy(cidr);
            });
    return sum[0];
  }

  private CidrHolders<String> layer(Layer layer) {
    return Objects.requireNonNull(layers.get(layer));
  }
}
