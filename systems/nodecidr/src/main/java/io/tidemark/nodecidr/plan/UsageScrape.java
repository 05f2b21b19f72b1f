package io.tidemark.nodecidr.plan;

import io.tidemark.cluster.Messages;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFormatException;
import io.tidemark.nodecidr.ledger.RangeUsage;
import io.tidemark.nodecidr.plan.NodePlan.CidrLeak;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of its ranges an allocator counts as used: the metrics of the Kubernetes controller
 * manager in the text format of Prometheus. Other metrics of the text are passed over.
 *
 * @param used share of the blocks of a range, from 0 to 1
 * @param blocks how many there are, where the text says it
 * @param notes why parts of the text are not used, a sentence each without a full stop
 */
public record UsageScrape(Map<Cidr, Double> used, Map<Cidr, Double> blocks, List<String> notes) {
  /** The metric that has the used share of a range. */
  public static final String USAGE = "node_ipam_controller_cidrset_usage_cidrs";

  /** The number of blocks: as it is published, and by its name in older versions. */
  private static final String MAXIMUM =
      "node_ipam_controller_cirdset_max_cidrs|node_ipam_controller_cidrset_cidrs_max_total";

  private static final Pattern SAMPLE =
      Pattern.compile("(" + USAGE + "|" + MAXIMUM + ")\\{([^}]*)\\}[ \\t]+([^ \\t]+).*");
  private static final Pattern RANGE =
      Pattern.compile("(?:^|.*,)[ \\t]*clusterCIDR=\"([^\"]*)\".*");

  /** Reads a text; without the metric the result has no ranges. */
  public static UsageScrape parse(String text) {
    UsageScrape scrape =
        new UsageScrape(new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>());
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Matcher sample = SAMPLE.matcher(lines.get(i).strip());
      if (sample.matches()) {
        scrape.read(i + 1, sample);
      }
    }
    return scrape;
  }

  /** Reports what is counted as used and has no reason. */
  void compare(List<RangeUsage> usage, List<CidrLeak> leaks, List<String> told) {
    told.addAll(notes);
    Map<Cidr, Double> left = new LinkedHashMap<>(used);
    for (RangeUsage range : usage) {
      Double share = left.remove(range.range());
      if (share == null) {
        told.add("the metrics have no usage of " + range.range());
        continue;
      }
      long all = blocks.getOrDefault(range.range(), (double) range.blocks()).longValue();
      if (all != range.blocks()) {
        told.add(
            Messages.of(
                "the metrics count %s blocks in %s, the settings make %s of it; not compared",
                all, range.range(), range.blocks()));
        continue;
      }
      long counted = Math.round(share * all);
      long explained = range.excluded() + range.claimed();
      if (counted > explained) {
        leaks.add(new CidrLeak(range.range(), counted, explained));
      } else if (counted < explained) {
        told.add(
            Messages.of(CidrLeak.COUNTED, counted, range.range(), explained - counted, "less"));
      }
    }
    for (Cidr range : new TreeSet<>(left.keySet())) {
      told.add("the metrics have " + range + ", which is not a configured range");
    }
  }

  private void read(int line, Matcher sample) {
    boolean usage = sample.group(1).equals(USAGE);
    Matcher label = RANGE.matcher(sample.group(2));
    Optional<Cidr> range = label.matches() ? cidr(label.group(1)) : Optional.empty();
    String text = sample.group(3);
    Optional<Double> value = value(text, usage ? 1.0 : 0x1p63);
    if (range.isEmpty() || value.isEmpty()) {
      String number = usage ? " is not a share from 0 to 1" : " is not a number";
      passOver(line, range.isEmpty() ? "it has no clusterCIDR that is a CIDR" : text + number);
    } else if ((usage ? used : blocks).putIfAbsent(range.get(), value.get()) != null) {
      passOver(line, range.get() + " again");
    }
  }

  private void passOver(int line, String why) {
    notes.add("line " + line + " of the metrics is passed over: " + why);
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
