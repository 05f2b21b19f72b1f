package io.tidemark.it.monitoring;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A query as it stands in a file.
 *
 * @param where the alert or panel
 * @param text PromQL, with Grafana's variables
 */
record Query(String where, String text) {
  /** Stands for the name of a cloud in the names of metrics. */
  static final String CLOUD = "CLOUD";

  /** How an alert says any cloud, and the dashboard the one that was chosen. */
  private static final String ANY_CLOUD = "[a-z0-9]+";

  private static final String CHOSEN_CLOUD = "${cloud}";

  private static final Pattern NAME =
      Pattern.compile(
          "\\b(cilium|awscni|node_ipam_controller|tidemark|jvm|process|system)_[A-Za-z0-9_]+");
  private static final Pattern SELECTOR =
      Pattern.compile("(" + NAME.pattern() + ")?\\{[^{}]*}|" + NAME.pattern());
  private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)\\s*\"[^\"]*\"");
  private static final Pattern GROUPING =
      Pattern.compile("\\b(?:by|without|on|ignoring) \\(([^)]*)\\)");

  /** Metrics by name, as docs/metrics.md has them, {@link #CLOUD} in the name of a cloud's. */
  Set<String> metrics() {
    String oneCloud = text.replace(CHOSEN_CLOUD, CLOUD).replace(ANY_CLOUD, CLOUD);
    return NAME.matcher(oneCloud)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Labels that it matches or groups by. */
  Set<String> labels() {
    Set<String> labels = new TreeSet<>();
    MATCHER.matcher(text).results().forEach(each -> labels.add(each.group(1)));
    GROUPING
        .matcher(text)
        .results()
        .flatMap(each -> Stream.of(each.group(1).split("\\s*,\\s*")))
        .forEach(labels::add);
    return labels;
  }

  /** As Grafana sends it: every job of every cluster, and one cloud. */
  Query filledIn(String cloud) {
    return new Query(
        where,
        text.replace(CHOSEN_CLOUD, cloud)
            .replace("$cluster", ".*")
            .replace("$job", ".+")
            .replace("$__rate_interval", "10s"));
  }

  /** The parts that choose series. */
  List<String> selectors() {
    return SELECTOR
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /** Whether it shows only what is above a threshold, and so may show nothing. */
  boolean compares() {
    return Stream.of(" > ", " < ", " == ", "unless").anyMatch(text::contains);
  }

  @Override
  public String toString() {
    return where + ": " + text;
  }
}
