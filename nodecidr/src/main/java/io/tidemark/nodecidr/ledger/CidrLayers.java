package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Exclusion;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import io.tidemark.nodecidr.ledger.Frontier.Giving;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
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
    /** A node has it. */
    CLAIMED,
    /** It is being written to a node. */
    RESERVED,
    /** Its node is absent, perhaps not for long. */
    COOLING
  }

  /** Receives what shares an address with a CIDR. */
  interface Visitor {
    void accept(Layer layer, Cidr cidr, List<String> holders);
  }

  private final Map<Layer, CidrHolders<String>> layers = new EnumMap<>(Layer.class);
  private final List<BlockSpace> spaces = new ArrayList<>();
  private final ObjLongConsumer<Cidr> searched;

  /** How far into the space at the same place blocks may be given out. */
  private final List<Frontier> frontiers = new ArrayList<>();

  /** How often blocks of the space at the same place changed. */
  private final List<RangeChanges> changes = new ArrayList<>();

  /** How many blocks of the space at the same place are excluded. */
  private final List<Long> excluded = new ArrayList<>();

  /** Counted when it was asked for last; null when something has changed since. */
  private @Nullable List<RangeUsage> usage;

  /**
   * Layers in which nothing but the exclusions is taken.
   *
   * @param searched receives the range of each block that is reserved, and how many taken blocks
   *     the search for it passed over
   */
  CidrLayers(ClusterCidrs cidrs, ObjLongConsumer<Cidr> searched) {
    this.searched = searched;
    for (Layer layer : Layer.values()) {
      layers.put(layer, new CidrHolders<>());
    }
    List<Cidr> without = cidrs.exclusions().stream().map(Exclusion::cidr).toList();
    for (FamilyRanges family : cidrs.families()) {
      for (Cidr range : family.ranges()) {
        BlockSpace space = BlockSpace.of(range, family.blockLength(), without);
        spaces.add(space);
        frontiers.add(new Frontier(space));
        changes.add(new RangeChanges(range, 0, 0));
      }
    }
    for (Exclusion each : cidrs.exclusions()) {
      add(Layer.EXCLUDED, each.cidr(), each.reason());
    }
    spaces.forEach(space -> excluded.add(space.capacity() - space.freeCount()));
  }

  /** Takes a block of the family and reserves it; only when one can be given out. */
  Cidr reserve(IpFamily family, String holder) {
    for (int i = 0; i < spaces.size(); i++) {
      BlockSpace space = spaces.get(i);
      if (space.range().family() == family && frontiers.get(i).giving() == Giving.YES) {
        Cidr block = space.allocateNext().orElseThrow();
        layer(Layer.RESERVED).add(block, holder);
        frontiers.get(i).reached(space.endIndex(block));
        changed(i, 1, 0);
        searched.accept(space.range(), space.passedOver());
        usage = null;
        return block;
      }
    }
    throw new IllegalStateException("no block of " + family + " can be given out");
  }

  /** Whether a block of the family can be given out: by the first range that is not full. */
  Giving giving(IpFamily family) {
    for (int i = 0; i < spaces.size(); i++) {
      Giving giving = frontiers.get(i).giving();
      if (spaces.get(i).range().family() == family && giving != Giving.FULL) {
        return giving;
      }
    }
    return Giving.FULL;
  }

  /** Hands over each range and how far into it blocks may be given out. */
  void forEachRange(BiConsumer<BlockSpace, Frontier> visitor) {
    for (int i = 0; i < spaces.size(); i++) {
      visitor.accept(spaces.get(i), frontiers.get(i));
    }
  }

  /** How far each range is, in their order. */
  List<RangeRound> rounds() {
    List<RangeRound> rounds = new ArrayList<>();
    forEachRange(
        (space, frontier) ->
            rounds.add(
                new RangeRound(
                    space.range(),
                    space.blockLength(),
                    space.capacity(),
                    space.cursor(),
                    frontier.position(),
                    frontier.giving() == Giving.WITHHELD ? space.freeCount() : 0)));
    return List.copyOf(rounds);
  }

  /** How often blocks of each range changed, in their order. */
  List<RangeChanges> changes() {
    return List.copyOf(changes);
  }

  private void changed(int space, long taken, long givenBack) {
    if (taken != 0 || givenBack != 0) {
      changes.set(space, changes.get(space).plus(taken, givenBack));
    }
  }

  /** How many blocks of the family can be given out; {@link Long#MAX_VALUE} for more than that. */
  long givable(IpFamily family) {
    long[] givable = {0};
    forEachRange(
        (space, frontier) -> {
          if (space.range().family() == family) {
            givable[0] += Math.min(frontier.givable(), Long.MAX_VALUE - givable[0]);
          }
        });
    return givable[0];
  }

  /** Whether a range shares an address with it. */
  boolean isTouched(Cidr cidr) {
    return spaces.stream().anyMatch(space -> space.range().overlaps(cidr));
  }

  /** Adds a holder of a CIDR, in one layer. */
  void add(Layer layer, Cidr cidr, String holder) {
    if (layer(layer).add(cidr, holder)) {
      usage = null;
      for (int i = 0; i < spaces.size(); i++) {
        if (spaces.get(i).range().overlaps(cidr)) {
          changed(i, spaces.get(i).occupy(cidr), 0);
          if (layer != Layer.EXCLUDED) {
            frontiers.get(i).reached(spaces.get(i).endIndex(cidr));
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
    for (int i = 0; i < spaces.size(); i++) {
      BlockSpace space = spaces.get(i);
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
        changed(i, 0, space.freeCount() - free);
      }
    }
  }

  /** Hands over what shares an address with a CIDR. */
  void forEachOverlapping(Cidr cidr, Visitor visitor) {
    layers.forEach(
        (layer, cidrs) ->
            cidrs.forEachOverlapping(
                cidr, (found, holders) -> visitor.accept(layer, found, holders)));
  }

  /** The use of every range, in their order. */
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
    for (int i = 0; i < spaces.size(); i++) {
      BlockSpace space = spaces.get(i);
      BlockSpace counted = space.cleared();
      long reserved = count(Layer.RESERVED, counted);
      long cooling = count(Layer.COOLING, counted);
      long taken = space.capacity() - space.freeCount();
      all.add(
          new RangeUsage(
              space.range(),
              space.blockLength(),
              space.capacity(),
              excluded.get(i),
              taken - excluded.get(i) - reserved - cooling,
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
