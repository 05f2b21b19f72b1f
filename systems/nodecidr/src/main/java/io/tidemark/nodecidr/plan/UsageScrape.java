package io.tidemark.nodecidr.plan;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFormatException;
import io.tidemark.nodecidr.ledger.RangeUsage;
import io.tidemark.nodecidr.plan.NodePlan.CidrLeak;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of its ranges an allocator counts as used: the metrics of the Kubernetes controller
 * manager in the text format of Prometheus. Other metrics of the text are passed over.
 *
 * @param ranges by range
 * @param notes why parts of the text are not used, a sentence each without a full stop
 */
public record UsageScrape(Map<Cidr, Share> ranges, List<String> notes) {
  /** The metric that has the used share of a range. */
  public static final String USAGE = "node_ipam_controller_cidrset_usage_cidrs";

  /** The number of blocks: as it is published, and by its name in older versions. */
  private static final String MAXIMUM =
      "node_ipam_controller_cirdset_max_cidrs|node_ipam_controller_cidrset_cidrs_max_total";

  private static final Pattern SAMPLE =
      Pattern.compile("(" + USAGE + "|" + MAXIMUM + ")\\{([^}]*)\\}[ \\t]+([^ \\t]+).*");
  private static final Pattern RANGE =
      Pattern.compile("(?:^|.*,)[ \\t]*clusterCIDR=\"([^\"]*)\".*");

  /**
   * The counters of one range.
   *
   * @param used share of the blocks, from 0 to 1
   * @param blocks how many there are; empty where the text does not say it
   */
  public record Share(double used, Optional<Long> blocks) {}

  public UsageScrape {
    ranges = Map.copyOf(ranges);
    notes = List.copyOf(notes);
  }

  /** Reads a text; without the metric the result has no ranges. */
  public static UsageScrape parse(String text) {
    return new Reader().read(text);
  }

  /** Reports what is counted as used and has no reason. */
  void compare(List<RangeUsage> usage, List<CidrLeak> leaks, List<String> told) {
    told.addAll(notes);
    Map<Cidr, Share> left = new LinkedHashMap<>(ranges);
    for (RangeUsage range : usage) {
      Share share = left.remove(range.range());
      if (share == null) {
        told.add("the metrics have no usage of " + range.range());
        continue;
      }
      long blocks = share.blocks().orElse(range.blocks());
      if (blocks != range.blocks()) {
        told.add(
            "the metrics count "
                + blocks
                + " blocks in "
                + range.range()
                + ", the settings make "
                + range.blocks()
                + " of it; not compared");
        continue;
      }
      long counted = Math.round(share.used() * blocks);
      long explained = range.excluded() + range.claimed();
      if (counted > explained) {
        leaks.add(new CidrLeak(range.range(), counted, explained));
      } else if (counted < explained) {
        told.add(
            "the allocator counts "
                + counted
                + " blocks of "
                + range.range()
                + " as used, "
                + (explained - counted)
                + " less than nodes have and settings exclude");
      }
    }
    left.keySet().stream()
        .sorted()
        .forEach(
            range -> told.add("the metrics have " + range + ", which is not a configured range"));
  }

  private static final class Reader {
    private final Map<Cidr, Double> used = new LinkedHashMap<>();
    private final Map<Cidr, Double> blocks = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    UsageScrape read(String text) {
      int[] number = new int[1];
      text.lines()
          .forEach(
              line -> {
                number[0]++;
                Matcher sample = SAMPLE.matcher(line.strip());
                if (sample.matches()) {
                  sample(number[0], sample);
                }
              });
      Map<Cidr, Share> ranges = new LinkedHashMap<>();
      used.forEach(
          (range, share) ->
              ranges.put(
                  range,
                  new Share(share, Optional.ofNullable(blocks.get(range)).map(Double::longValue))));
      return new UsageScrape(ranges, notes);
    }

    private void sample(int line, Matcher sample) {
      boolean usage = sample.group(1).equals(USAGE);
      Matcher label = RANGE.matcher(sample.group(2));
      Optional<Cidr> range = label.matches() ? cidr(label.group(1)) : Optional.empty();
      Optional<Double> value = value(sample.group(3), usage ? 1.0 : 0x1p63);
      if (range.isEmpty() || value.isEmpty()) {
        notes.add(
            "line "
                + line
                + " of the metrics is passed over: "
                + (range.isEmpty() ? "it has no clusterCIDR that is a CIDR" : sample.group(3))
                + (range.isEmpty()
                    ? ""
                    : usage ? " is not a share from 0 to 1" : " is not a number"));
      } else if ((usage ? used : blocks).putIfAbsent(range.get(), value.get()) != null) {
        notes.add("line " + line + " of the metrics is passed over: " + range.get() + " again");
      }
    }

    private static Optional<Cidr> cidr(String text) {
      try {
        return Optional.of(Cidr.parseLenient(text));
      } catch (IpFormatException e) {
        return Optional.empty();
      }
    }

    private static Optional<Double> value(String text, double most) {
      try {
        return Optional.of(Double.valueOf(text)).filter(it -> it >= 0 && it <= most);
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }
  }
}
