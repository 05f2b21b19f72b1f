package io.tidemark.nodecidr.controller;

import static java.util.stream.Collectors.joining;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFormatException;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.CidrLedger.CooledNode;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import io.tidemark.nodecidr.ledger.LedgerRounds.RangeRound;
import io.tidemark.nodecidr.ledger.NodeOwner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A leader's note for the next one, in the lease. While it works, positions are those that it may
 * have reached; when it has ended in order, those where the next one goes on.
 *
 * @param ended whether the leader has ended in order
 * @param ranges how far it was
 * @param cooling nodes that are gone and whose CIDRs are given to nobody yet; only at an end
 */
record HandOver(boolean ended, List<Position> ranges, List<CooledNode> cooling) {
  /** The form of the note; a leader does not read notes of another one. */
  private static final String FORM = "1";

  private static final String ENDED = "ended";
  private static final String WORKS = "works";

  /** More than that is not told: the next leader waits instead. */
  private static final int COOLING_MAX = 512;

  /** How far a range was; blocks of another length have other positions. */
  record Position(Cidr range, int blockLength, long block) {}

  /** Of a leader that works, and is about to give out blocks below these positions. */
  static HandOver working(ClusterCidrs cidrs, Map<Cidr, Long> positions) {
    List<Position> ranges = new ArrayList<>();
    for (FamilyRanges family : cidrs.families()) {
      for (Cidr range : family.ranges()) {
        long position = positions.getOrDefault(range, Long.MAX_VALUE);
        ranges.add(new Position(range, family.blockLength(), position));
      }
    }
    return new HandOver(false, ranges, List.of());
  }

  /** Of a leader that has ended in order; empty when too many nodes cool. */
  static Optional<HandOver> ended(CidrLedger ledger, long now) {
    List<CooledNode> cooling = ledger.cooling(now);
    List<Position> ranges = new ArrayList<>();
    for (RangeRound each : ledger.rounds().now(now)) {
      ranges.add(new Position(each.range(), each.blockLength(), each.cursor()));
    }
    return cooling.size() > COOLING_MAX
        ? Optional.empty()
        : Optional.of(new HandOver(true, ranges, cooling));
  }

  /** The positions of those of these ranges that have the same blocks still. */
  Map<Cidr, Long> positions(ClusterCidrs cidrs) {
    Map<Cidr, Long> positions = new HashMap<>();
    for (FamilyRanges family : cidrs.families()) {
      for (Position each : ranges) {
        if (each.blockLength() == family.blockLength() && family.ranges().contains(each.range())) {
          positions.put(each.range(), each.block());
        }
      }
    }
    return positions;
  }

  String text() {
    List<String> words = new ArrayList<>();
    words.add(FORM);
    words.add(ended ? ENDED : WORKS);
    for (Position each : ranges) {
      words.add("range," + each.range() + "," + each.blockLength() + "," + each.block());
    }
    for (CooledNode each : cooling) {
      long seconds = Math.max(0, each.left().toSeconds() + 1);
      String gone = "gone," + each.owner().name() + "," + each.owner().uid() + "," + seconds;
      words.add(gone + each.cidrs().stream().map(cidr -> "," + cidr).collect(joining()));
    }
    return String.join(" ", words);
  }

  /** Reads a note; empty when it is not one of this form. */
  static Optional<HandOver> parse(String text) {
    String[] words = text.split(" ", -1);
    if (words.length < 2 || !words[0].equals(FORM)) {
      return Optional.empty();
    }
    List<Position> ranges = new ArrayList<>();
    List<CooledNode> cooling = new ArrayList<>();
    try {
      for (int i = 2; i < words.length; i++) {
        String[] parts = words[i].split(",", -1);
        if (parts[0].equals("range")) {
          ranges.add(
              new Position(
                  Cidr.parse(parts[1]), Integer.parseInt(parts[2]), Long.parseLong(parts[3])));
        } else {
          cooling.add(gone(parts));
        }
      }
    } catch (IpFormatException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return Optional.empty();
    }
    return Optional.of(new HandOver(words[1].equals(ENDED), ranges, cooling));
  }

  private static CooledNode gone(String[] parts) throws IpFormatException {
    List<Cidr> cidrs = new ArrayList<>();
    for (int i = 4; i < parts.length; i++) {
      cidrs.add(Cidr.parse(parts[i]));
    }
    return new CooledNode(
        new NodeOwner(parts[1], parts[2]), cidrs, Duration.ofSeconds(Long.parseLong(parts[3])));
  }
}
