package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniAccount.done;

import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.Instance;
import io.tidemark.provider.kit.Batcher;
import io.tidemark.provider.kit.InstanceSource;
import io.tidemark.provider.kit.ReadMark;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.TaskScheduler;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Which instances do not run: stopped ones, hibernated ones, those of a warm pool, and those on
 * their way. EC2 attaches interfaces to stopped instances, so its refusal is not waited for. All of
 * them are listed with each sweep, and single ones, many in one request, only when something is
 * about to be given to one that is in the list. Thread-safe.
 */
final class IdleInstances implements InstanceSource<List<Instance>> {
  private static final List<String> NOT_RUNNING =
      List.of("pending", "shutting-down", "stopped", "stopping");

  private final Ec2Calls ec2;
  private final Batcher<InstanceId, SyncOutcome> syncs;
  private final Supplier<ReadMark> beginRead;
  private final DatedInstances idle = new DatedInstances();

  IdleInstances(
      Ec2Calls ec2, TaskScheduler scheduler, Supplier<ReadMark> beginRead, Cancellation shutdown) {
    this.ec2 = ec2;
    this.beginRead = beginRead;
    this.syncs =
        new Batcher<>(scheduler, Batcher.Options.usual(), this.batches(beginRead), shutdown);
  }

  /** Whether the instance did not run when it was last looked at. */
  boolean contains(InstanceId id) {
    return idle.contains(id);
  }

  /**
   * Lists all of them.
   *
   * @return why it failed; empty when the list is up to date
   */
  CompletionStage<Optional<Failure>> refresh(
      Set<String> vpcIds, Set<InstanceId> ours, CallContext context) {
    ReadMark mark = beginRead.get();
    return ec2.instances(
            Ec2Filter.of("vpc-id", vpcIds).and("instance-state-name", NOT_RUNNING), context)
        .thenApply(
            result ->
                result.match(
                    found -> {
                      Set<InstanceId> now = new HashSet<>();
                      found.stream().map(Instance::id).filter(ours::contains).forEach(now::add);
                      idle.listed(mark, now);
                      return Optional.empty();
                    },
                    Optional::of));
  }

  /** Looks at one again, with others when they come together. */
  CompletionStage<SyncOutcome> sync(InstanceId id, CallContext context) {
    return syncs.submit(id, context);
  }

  void forget(InstanceId id) {
    idle.forget(id);
  }

  @Override
  public CompletionStage<CallResult<List<Instance>>> read(
      Set<InstanceId> ids, CallContext context) {
    return ec2.instances(ids, context);
  }

  @Override
  public CompletionStage<Map<InstanceId, SyncOutcome>> accept(
      ReadMark mark, Set<InstanceId> ids, List<Instance> found, CallContext context) {
    Set<InstanceId> now = new HashSet<>();
    for (Instance each : found) {
      if (each.state() != Instance.State.RUNNING && each.state() != Instance.State.UNKNOWN) {
        now.add(each.id());
      }
    }
    idle.looked(mark, ids, now);
    Map<InstanceId, SyncOutcome> outcomes = new TreeMap<>();
    ids.forEach(id -> outcomes.put(id, new SyncOutcome.Synced(mark.generation())));
    return done(outcomes);
  }
}
