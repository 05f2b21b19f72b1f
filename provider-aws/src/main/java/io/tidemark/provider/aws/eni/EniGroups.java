package io.tidemark.provider.aws.eni;

import io.tidemark.provider.kit.Change;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.InstanceId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Brings the security groups of the interfaces that we created to those that a new one would get
 * (provider-aws 16), when a read shows others and at most every five minutes per node. Interfaces
 * of somebody else, the instance's own among them, keep theirs. Thread-safe.
 */
final class EniGroups {
  static final Duration PERIOD = Duration.ofMinutes(5);

  private final EniAccount account;
  private final EniNodes nodes;
  private final ConcurrentHashMap<InstanceId, Long> changedNanos = new ConcurrentHashMap<>();

  EniGroups(EniAccount account, EniNodes nodes) {
    this.account = account;
    this.nodes = nodes;
  }

  /** Checks one instance; starts the necessary requests and does not wait for them. */
  void check(InstanceId id) {
    EniNode node = nodes.byInstance.get(id);
    if (!account.settings.options().reconcileGroups()
        || node == null
        || node.untouchable().isPresent()) {
      return;
    }
    List<String> wanted = node.certainGroups();
    List<AwsEni> others =
        account.inventory.find(id).stream()
            .flatMap(view -> view.interfaces().stream())
            .filter(eni -> account.owner.created(eni.tags()) && eni.index() > 0)
            .filter(eni -> !eni.securityGroups().equals(wanted))
            .toList();
    if (wanted.isEmpty() || others.isEmpty() || !isDue(id)) {
      return;
    }
    others.forEach(eni -> change(id, eni, wanted, node.name()));
  }

  void forget(InstanceId id) {
    changedNanos.remove(id);
  }

  private boolean isDue(InstanceId id) {
    long now = account.scheduler.time().nanos();
    Long last = changedNanos.get(id);
    boolean due = last == null || now - last >= PERIOD.toNanos();
    if (due) {
      changedNanos.put(id, now);
    }
    return due;
  }

  private void change(InstanceId instance, AwsEni eni, List<String> wanted, String node) {
    account
        .ec2
        .changeGroups(eni.id(), wanted, account.state.inBackground(node, Priority.Rank.REPAIR))
        .thenAccept(
            result -> {
              if (result.answer().isPresent()) {
                account.inventory.wrote(
                    instance,
                    true,
                    new Change.Edited<>(eni.id(), each -> each.withSecurityGroups(wanted)));
              }
            });
  }
}
