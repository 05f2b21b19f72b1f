package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives back whole interfaces (provider-aws 3.4, {@code eni-release}): created by us, above device
 * index 0, without an address beside the primary one for ten minutes, on a node that lacked nothing
 * for ten minutes. A retired one gets nothing any more: it goes before the others, whatever the
 * node lacks. One at a time per node.
 *
 * <p>What is read right before counts, and from then on nobody adds to the interface. Detached, it
 * carries our tags still, so that garbage collection takes it when this process ends before the
 * delete; without garbage collection nothing is given back. Thread-safe.
 */
final class EniRelease {
  /** How long interface and node must have been at rest. */
  static final Duration REST = Duration.ofMinutes(10);

  private static final Logger LOG = LoggerFactory.getLogger(EniRelease.class);

  private final EniAccount account;
  private final EniNodes nodes;
  private final EniGarbageCollector collector;
  private final ConcurrentHashMap<InterfaceId, Empty> empty = new ConcurrentHashMap<>();
  private final Set<InstanceId> underWay = ConcurrentHashMap.newKeySet();

  /** Since when an interface was seen without addresses at each look. */
  private record Empty(InstanceId on, long sinceNanos) {}

  EniRelease(EniAccount account, EniNodes nodes, EniGarbageCollector collector) {
    this.account = account;
    this.nodes = nodes;
    this.collector = collector;
  }

  /** Looks at one instance after a read; sends what is needed and does not wait for it. */
  void check(InstanceId id) {
    EniNode node = nodes.byInstance.get(id);
    if (!account.settings.options().releaseInterfaces() || node == null || !collector.isOn()) {
      return;
    }
    List<AwsEni> idle =
        node.withoutAddresses().stream()
            .filter(eni -> collector.isOurs(eni.description(), eni.tags()))
            .toList();
    remember(id, idle);
    boolean content = node.use().contentFor(REST);
    idle.stream()
        .filter(this::isRested)
        .filter(eni -> content || node.isRetired(eni))
        .max(Comparator.<AwsEni, Boolean>comparing(node::isRetired).thenComparing(AwsEni::index))
        .filter(eni -> underWay.add(id))
        .ifPresent(eni -> begin(id, node, eni));
  }

  void forget(InstanceId id) {
    empty.values().removeIf(each -> each.on().equals(id));
  }

  private void remember(InstanceId id, List<AwsEni> idle) {
    long now = account.scheduler.time().nanos();
    Set<InterfaceId> ids = idle.stream().map(AwsEni::id).collect(Collectors.toSet());
    empty.entrySet().removeIf(e -> e.getValue().on().equals(id) && !ids.contains(e.getKey()));
    ids.forEach(each -> empty.putIfAbsent(each, new Empty(id, now)));
  }

  private boolean isRested(AwsEni eni) {
    Empty seen = empty.get(eni.id());
    return seen != null && account.scheduler.time().nanos() - seen.sinceNanos() >= REST.toNanos();
  }

  private void begin(InstanceId instance, EniNode node, AwsEni eni) {
    account
        .ec2
        .find(eni.id(), context(node))
        .thenCompose(
            result -> {
              List<AwsNetworkInterface> found = result.answer().orElse(List.of());
              return found.size() == 1
                      && isUnused(found.get(0), instance, eni)
                      && node.use().leave(eni.id())
                  ? detach(instance, node, eni)
                  : EniAccount.<CallResult<?>>done(result);
            })
        .whenComplete((end, thrown) -> underWay.remove(instance));
  }

  /** Whether EC2, too, shows nothing on it that anybody could use. */
  private boolean isUnused(AwsNetworkInterface found, InstanceId instance, AwsEni eni) {
    return found
            .attachment()
            .filter(at -> at.instance().filter(instance::equals).isPresent())
            .filter(at -> at.id().equals(eni.place().attachmentId()))
            .isPresent()
        && found.singles().isEmpty()
        && found.prefixes().isEmpty()
        && found.ipv6().isEmpty()
        && found.ipv6Prefixes().isEmpty()
        && found.publicAddress().isEmpty()
        && collector.isOurs(found.description(), found.tags());
  }

  private CompletionStage<CallResult<?>> detach(InstanceId instance, EniNode node, AwsEni eni) {
    empty.remove(eni.id());
    // The next interface of this situation is another one: its token must not mean this one.
    account.creations.used(instance);
    return account
        .ec2
        .detach(eni.id(), eni.place().attachmentId(), context(node))
        .thenApply(
            result -> {
              result
                  .refusal()
                  .ifPresentOrElse(
                      failure -> unsure(node, eni, failure), () -> detached(instance, node, eni));
              return result;
            });
  }

  private void detached(InstanceId instance, EniNode node, AwsEni eni) {
    account.inventory.wrote(instance, true, EniAccount.detached(eni.id()));
    LOG.info("An interface without addresses was detached. node={} {}", node.name(), eni.id());
    deleteLater(node, eni);
  }

  /**
   * Whether it was detached is shown by a read that began a horizon later; until then nobody adds
   * to it.
   */
  private void unsure(EniNode node, AwsEni eni, Failure failure) {
    LOG.warn("An interface was not detached. {} cause={}", eni.id(), failure.toText());
    Duration pause =
        failure.kind() == Failure.Kind.LOST ? account.settings.horizon() : InterfaceDeletion.PAUSE;
    account.scheduler.after(pause, () -> lookAgain(node, eni));
  }

  private void lookAgain(EniNode node, AwsEni eni) {
    if (account.state.shutdown().isCancelled()) {
      return;
    }
    account
        .ec2
        .find(eni.id(), context(node))
        .thenAccept(
            result -> {
              if (result.answer().isEmpty()) {
                account.scheduler.after(account.settings.horizon(), () -> lookAgain(node, eni));
              } else if (result.answer().get().stream()
                  .noneMatch(each -> each.attachment().isPresent())) {
                account.inventory.wrote(node.instance(), true, EniAccount.detached(eni.id()));
                deleteLater(node, eni);
              } else {
                node.use().settled(eni.id());
              }
            });
  }

  private void deleteLater(EniNode node, AwsEni eni) {
    new InterfaceDeletion(account, eni.id())
        .delete(() -> context(node))
        .thenAccept(
            result -> {
              if (result.answer().isPresent()) {
                account.pools.gave(eni.pool(), 1);
              }
              settleLater(node, eni); // garbage collection deletes what is left
            });
  }

  /** Reads of an earlier state may show it as attached for a while. */
  private void settleLater(EniNode node, AwsEni eni) {
    account.scheduler.after(account.settings.horizon(), () -> node.use().settled(eni.id()));
  }

  private CallContext context(EniNode node) {
    return account.state.inBackground(node.name(), Priority.Rank.SWEEP);
  }
}
