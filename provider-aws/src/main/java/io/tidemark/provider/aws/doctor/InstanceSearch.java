package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.Instance;
import io.tidemark.resilience.CallResult;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import io.tidemark.spi.InstanceId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Whether the instances that the nodes name are where we look for them: with a wrong region or
 * account none is. Asks for so many at a time until one is found; an ended one counts, since only
 * its own region knows it. Used once.
 */
final class InstanceSearch {
  private static final String AREA = "nodes";
  private static final String SUBJECT = "instances that the nodes name";

  private static final int NAMED_MAX = 3;

  private final List<Set<InstanceId>> batches;
  private final Function<Set<InstanceId>, CompletionStage<CallResult<AwsPage<Instance>>>> request;

  /**
   * The instances that were found so far.
   *
   * @param asked instances that were asked for
   * @param missing those of them that do not exist
   */
  record Found(Set<InstanceId> asked, Set<InstanceId> missing) {
    boolean none() {
      return !asked.isEmpty() && missing.size() == asked.size();
    }
  }

  /**
   * A search by {@code request}, whose answers have one page.
   *
   * @param batches what one request may ask for each
   */
  InstanceSearch(
      List<Set<InstanceId>> batches,
      Function<Set<InstanceId>, CompletionStage<CallResult<AwsPage<Instance>>>> request) {
    this.batches = List.copyOf(batches);
    this.request = request;
  }

  CompletionStage<CallResult<Found>> run() {
    return next(batches.iterator(), new Found(Set.of(), Set.of()));
  }

  private CompletionStage<CallResult<Found>> next(Iterator<Set<InstanceId>> left, Found before) {
    boolean over = !left.hasNext() || (!before.asked().isEmpty() && !before.none());
    if (over) {
      return CallResult.answered(before);
    }
    Set<InstanceId> batch = left.next();
    return request
        .apply(batch)
        .thenCompose(
            result -> result.then(page -> next(left, joined(before, batch, page.items()))));
  }

  private static Found joined(Found before, Set<InstanceId> batch, List<Instance> found) {
    Set<InstanceId> asked = new TreeSet<>(before.asked());
    asked.addAll(batch);
    Set<InstanceId> missing = new TreeSet<>(batch);
    found.stream().map(Instance::id).forEach(missing::remove);
    missing.addAll(before.missing());
    return new Found(asked, missing);
  }

  /**
   * The finding.
   *
   * @param named how many instances the nodes name
   * @param where region and account, for people
   */
  static Finding finding(CallResult<Found> result, int named, String where) {
    return result.match(
        found -> finding(found, named, where),
        failure -> FailureWords.undecided(AREA, SUBJECT, failure));
  }

  private static Finding finding(Found found, int named, String where) {
    String of = found.asked().size() < named ? "the first " : "";
    int there = found.asked().size() - found.missing().size();
    if (found.none()) {
      return Finding.of(
          AREA,
          SUBJECT,
          Verdict.FAILED,
          "none of " + named + " exists in " + where + ": " + some(found.missing()),
          "Correct aws-region or the credentials. Keep the node resources: a wrong region or"
              + " account is more likely than the loss of all instances.");
    }
    String detail = there + " of " + of + found.asked().size() + " exist in " + where;
    return found.missing().isEmpty()
        ? Finding.of(AREA, SUBJECT, Verdict.OK, detail, "")
        : Finding.of(
            AREA,
            SUBJECT,
            Verdict.WARNING,
            detail + ", not " + some(found.missing()),
            "Delete the node resources whose instances are gone.");
  }

  private static String some(Set<InstanceId> ids) {
    List<String> shown =
        new ArrayList<>(ids.stream().limit(NAMED_MAX).map(InstanceId::text).toList());
    int more = ids.size() - shown.size();
    return shown.stream().collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }
}
