package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniAccount.done;

import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.Instance;
import io.tidemark.provider.kit.ReadMark;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.Tags;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;

/**
 * Which instances carry the tags of {@code instance-tags-filter}. Asks nothing where there is no
 * such filter; where nothing carries them, nothing is selected. Thread-safe.
 */
final class SelectedInstances {
  private final EniAccount account;
  private final EniNodes nodes;
  private final Map<String, String> tags;
  private final DatedInstances selected = new DatedInstances();

  SelectedInstances(EniAccount account, EniNodes nodes) {
    this.account = account;
    this.nodes = nodes;
    this.tags = account.settings.scope().instanceTags();
  }

  /**
   * Lists them anew.
   *
   * @return why it failed; empty when the list is up to date
   */
  CompletionStage<Optional<Failure>> refresh(CallContext context) {
    if (tags.isEmpty()) {
      return done(Optional.empty());
    }
    ReadMark mark = account.inventory.beginRead();
    return account
        .ec2
        .instances(Ec2Filter.ofTags(tags), context)
        .thenApply(
            result -> {
              result.answer().ifPresent(found -> take(mark, found));
              return result.refusal();
            });
  }

  /** Whether it carried them when it was last looked at; true where there is no filter. */
  boolean contains(InstanceId id) {
    return tags.isEmpty() || selected.contains(id);
  }

  private void take(ReadMark mark, List<Instance> found) {
    Set<InstanceId> now = new HashSet<>();
    found.forEach(each -> now.add(each.id()));
    selected.listed(mark, now);
    nodes.byInstance.keySet().forEach(this::place);
  }

  /**
   * Of these the selected ones; those of which it is not known are asked about.
   *
   * @return empty when they could not be asked about
   */
  CompletionStage<Optional<Set<InstanceId>>> among(Set<InstanceId> ids, CallContext context) {
    if (tags.isEmpty()) {
      return done(Optional.of(ids));
    }
    Set<InstanceId> chosen = new TreeSet<>(ids);
    chosen.removeIf(id -> !selected.contains(id));
    Set<InstanceId> unknown = new TreeSet<>(ids);
    unknown.removeAll(chosen);
    if (unknown.isEmpty()) {
      return done(Optional.of(chosen));
    }
    ReadMark mark = account.inventory.beginRead();
    return account
        .ec2
        .instances(unknown, context)
        .thenApply(
            result ->
                result.match(
                    found -> {
                      look(mark, found);
                      unknown.stream().filter(selected::contains).forEach(chosen::add);
                      return Optional.of(chosen);
                    },
                    failure -> Optional.empty()));
  }

  private void look(ReadMark mark, List<Instance> found) {
    Set<InstanceId> all = new HashSet<>();
    Set<InstanceId> carrying = new HashSet<>();
    for (Instance each : found) {
      all.add(each.id());
      if (new Tags(each.tags()).matches(tags)) {
        carrying.add(each.id());
      }
    }
    selected.looked(mark, all, carrying);
    all.forEach(this::place);
  }

  private void place(InstanceId id) {
    if (selected.contains(id)) {
      account.outside.remove(id);
    } else if (account.outside.add(id)) {
      account.inventory.forget(id);
    }
  }
}
