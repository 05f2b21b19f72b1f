package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Exclusion;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The knowledge that a ledger must have, kept in lists that are looked through from their start
 * each time.
 */
final class LedgerModel {
  /** One range: its blocks that no exclusion touches, ascending, and the one given out last. */
  static final class Range {
    final Cidr range;
    final List<Cidr> blocks;
    Optional<Cidr> last = Optional.empty();

    Range(Cidr range, List<Cidr> blocks) {
      this.range = range;
      this.blocks = blocks;
    }
  }

  /** One incarnation of a node. */
  static final class Node {
    final List<Cidr> claims = new ArrayList<>();
    List<Cidr> reserved = List.of();
    boolean uncertain;
    boolean absent;
    boolean due;
    long since;
  }

  final ClusterCidrs cidrs;
  final List<Range> ranges = new ArrayList<>();
  final Map<String, Node> nodes = new TreeMap<>();
  final Map<String, NodeOwner> owners = new HashMap<>();
  final List<String> waiting = new ArrayList<>();

  LedgerModel(ClusterCidrs cidrs) {
    this.cidrs = cidrs;
    for (FamilyRanges family : cidrs.families()) {
      for (Cidr range : family.ranges()) {
        ranges.add(new Range(range, usable(range, family.blockLength())));
      }
    }
  }

  /** Of a range with many blocks, only the first and the last eight are not excluded. */
  private List<Cidr> usable(Cidr range, int length) {
    long count = range.subnetCountSaturated(length);
    LongStream indices =
        count <= 4_096
            ? LongStream.range(0, count)
            : LongStream.concat(LongStream.range(0, 8), LongStream.range(count - 8, count));
    return indices
        .mapToObj(index -> range.subnet(length, index))
        .filter(
            block -> cidrs.exclusions().stream().map(Exclusion::cidr).noneMatch(block::overlaps))
        .toList();
  }

  Node node(NodeOwner owner) {
    owners.put(owner.uid(), owner);
    return nodes.computeIfAbsent(owner.uid(), uid -> new Node());
  }

  /** Forgets what holds nothing. */
  void tidy() {
    nodes.values().removeIf(node -> node.claims.isEmpty() && node.reserved.isEmpty());
  }

  boolean isFree(Cidr block) {
    return nodes.values().stream()
        .flatMap(node -> Stream.concat(node.claims.stream(), node.reserved.stream()))
        .noneMatch(block::overlaps);
  }

  List<Cidr> free(IpFamily family) {
    return ranges.stream()
        .filter(range -> range.range.family() == family)
        .flatMap(range -> range.blocks.stream())
        .filter(this::isFree)
        .toList();
  }

  /** How many nodes can get a block of each family. */
  long servable() {
    return cidrs.families().stream()
        .mapToLong(family -> free(family.family()).size())
        .min()
        .orElseThrow();
  }

  /** The block that comes next, and notes it. */
  Cidr next(IpFamily family) {
    for (Range range : ranges) {
      List<Cidr> free = range.blocks.stream().filter(this::isFree).toList();
      if (range.range.family() == family && !free.isEmpty()) {
        Cidr block =
            free.stream()
                .filter(each -> range.last.isEmpty() || each.compareTo(range.last.get()) > 0)
                .findFirst()
                .orElse(free.get(0));
        range.last = Optional.of(block);
        return block;
      }
    }
    throw new AssertionError("no free block of " + family);
  }

  /** How many blocks of a range some nodes' CIDRs touch, and those before did not. */
  RangeUsage usage(Range range, RangeUsage actual) {
    long claimed = 0;
    long reserved = 0;
    long cooling = 0;
    long free = 0;
    for (Cidr block : range.blocks) {
      if (touches(block, node -> node.absent ? List.of() : node.claims)) {
        claimed++;
      } else if (touches(block, node -> node.reserved)) {
        reserved++;
      } else if (touches(block, node -> node.claims)) {
        cooling++;
      } else {
        free++;
      }
    }
    int length = actual.blockLength();
    long all = range.range.subnetCountSaturated(length);
    long excluded = all - range.blocks.size();
    return new RangeUsage(range.range, length, all, excluded, claimed, reserved, cooling, free);
  }

  private boolean touches(Cidr block, Function<Node, List<Cidr>> of) {
    return nodes.values().stream()
        .flatMap(node -> of.apply(node).stream())
        .anyMatch(block::overlaps);
  }
}
