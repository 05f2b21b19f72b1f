package io.tidemark.provider.aws.eni;

import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Brings the delete-on-termination mark of our interfaces to what the node wants, whenever a read
 * shows another. A failed attempt is made again after the next read.
 */
final class EniRepair {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final EniAccount account;
  private final Cancellation shutdown;
  private final Set<InterfaceId> underWay = ConcurrentHashMap.newKeySet();

  EniRepair(EniAccount account, Cancellation shutdown) {
    this.account = account;
    this.shutdown = shutdown;
  }

  /** Looks at one instance; sends what is needed and does not wait for it. */
  void check(InstanceId id) {
    EniNode node = account.nodes.get(id);
    if (node == null || node.untouchable().isPresent()) {
      return;
    }
    boolean wanted = node.deleteOnTermination();
    account
        .inventory
        .find(id)
        .ifPresent(
            view ->
                view.interfaces().stream()
                    .filter(eni -> account.owner.own(eni.tags()))
                    .filter(eni -> eni.place().deleteOnTermination() != wanted)
                    .forEach(eni -> mark(id, eni, wanted, node.name())));
  }

  private void mark(InstanceId instance, Eni eni, boolean wanted, String node) {
    InterfaceId id = eni.id();
    if (!underWay.add(id)) {
      return;
    }
    CallContext context =
        CallContext.of(
            node,
            Priority.of(Priority.Rank.REPAIR),
            account.scheduler.time().nanos() + PATIENCE.toNanos(),
            shutdown);
    account
        .ec2
        .markDeleteOnTermination(id, eni.place().attachmentId(), wanted, context)
        .thenAccept(
            result ->
                result.match(
                    marked -> account.inventory.wrote(instance, true, new Marked(id, wanted)),
                    failure -> 0L))
        .whenComplete((done, thrown) -> underWay.remove(id));
  }
}
