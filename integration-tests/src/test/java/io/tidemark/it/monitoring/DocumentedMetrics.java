package io.tidemark.it.monitoring;

import io.tidemark.testing.Repository;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metrics of docs/metrics.md with the prefixes that the page tells of; other tests compare the
 * page with the code.
 *
 * @param labels of each series by its name; those of a histogram are several
 * @param series by the metrics that they are of
 */
record DocumentedMetrics(Map<String, Set<String>> labels, Map<String, Set<String>> series) {
  private static final Pattern ROW =
      Pattern.compile("\\| `(\\w+)` \\| (gauge|counter|sum|histogram) \\| ([^|]+) \\|.*");

  static DocumentedMetrics read() {
    DocumentedMetrics all = new DocumentedMetrics(new HashMap<>(), new HashMap<>());
    String section = "";
    for (String line : Repository.text("docs/metrics.md").lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (line.startsWith("## ")) {
        section = line.substring(3);
      } else if (row.matches()) {
        all.add(prefix(section, row.group(1)) + row.group(1), row.group(2), row.group(3).strip());
      }
    }
    return all;
  }

  private void add(String metric, String type, String labelled) {
    Set<String> with =
        labelled.equals("–") ? Set.of() : new TreeSet<>(Set.of(labelled.split(", ")));
    Set<String> names = new TreeSet<>();
    if (type.equals("histogram")) {
      for (String suffix : new String[] {"_bucket", "_count", "_sum", "_max"}) {
        names.add(metric + suffix);
      }
    } else {
      names.add(metric);
    }
    names.forEach(each -> labels.put(each, with));
    series.put(metric, names);
  }

  private static String prefix(String section, String name) {
    boolean ofAgent = name.startsWith("ipam_") || name.startsWith("cni_");
    return switch (section) {
      case "Requests to the cloud", "Network interfaces" -> "cilium_operator_" + Query.CLOUD + '_';
      case "Ids of nodes" -> "tidemark_node_id_";
      case "Watches of the cluster" -> "tidemark_watch_";
      case "Addresses on a node" -> ofAgent ? "cilium_" : "awscni_";
      case "CIDRs of nodes" ->
          name.matches("ci[dr]{2}set_.*") ? "node_ipam_controller_" : "tidemark_node_cidr_";
      case "The process" -> "";
      default -> ofAgent ? "cilium_" : "cilium_operator_ipam_";
    };
  }
}
