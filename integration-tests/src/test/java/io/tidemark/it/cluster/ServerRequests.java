package io.tidemark.it.cluster;

import io.tidemark.kubernetes.ClusterConnection;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests by the API server's own count: verb and resource, such as {@code PUT
 * ciliumnodes/status}.
 */
record ServerRequests(SortedMap<String, Long> counts) {
  private static final Pattern LINE =
      Pattern.compile("(?m)^apiserver_request_total\\{([^}]*)} ([0-9.e+]+)$");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

  /** Those answered so far. */
  static ServerRequests of(ClusterConnection cluster) {
    SortedMap<String, Long> counts = new TreeMap<>();
    Matcher line = LINE.matcher(cluster.client().raw("/metrics"));
    while (line.find()) {
      SortedMap<String, String> labels = new TreeMap<>();
      Matcher label = LABEL.matcher(line.group(1));
      while (label.find()) {
        labels.put(label.group(1), label.group(2));
      }
      String sub = labels.getOrDefault("subresource", "");
      String name =
          labels.getOrDefault("verb", "")
              + ' '
              + labels.getOrDefault("resource", "")
              + (sub.isEmpty() ? "" : '/' + sub);
      counts.merge(name, (long) Double.parseDouble(line.group(2)), Long::sum);
    }
    return new ServerRequests(counts);
  }

  long of(String name) {
    return counts.getOrDefault(name, 0L);
  }

  /** The requests since then. */
  ServerRequests since(ServerRequests before) {
    SortedMap<String, Long> more = new TreeMap<>();
    counts.forEach(
        (name, count) -> {
          long difference = count - before.of(name);
          if (difference > 0) {
            more.put(name, difference);
          }
        });
    return new ServerRequests(more);
  }

  /** Of these resources alone. */
  ServerRequests about(String... resources) {
    SortedMap<String, Long> some = new TreeMap<>(counts);
    some.keySet()
        .removeIf(
            name -> {
              for (String resource : resources) {
                if (name.contains(' ' + resource)) {
                  return false;
                }
              }
              return true;
            });
    return new ServerRequests(some);
  }

  @Override
  public String toString() {
    return counts.isEmpty() ? "none" : counts.toString().replaceAll("[{}]", "").replace("=", " ");
  }
}
