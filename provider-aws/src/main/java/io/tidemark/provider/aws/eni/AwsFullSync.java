package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniAccount.done;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.kit.ReadMark;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.SyncOutcome;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;

/**
 * Reads all that the cluster has in its VPCs: the networks as far as they are out of date, which
 * instances do not run and which are not ours, then all interfaces, or a part of them where they
 * are many (provider-aws 4.2, M4). Nothing is forgotten because it is not listed.
 */
record AwsFullSync(
    EniAccount account,
    EniNodes nodes,
    NetworkRead networks,
    EniReads reader,
    EniGarbageCollector collector,
    SelectedInstances selected,
    CallContext context) {

  CompletionStage<SyncOutcome> run() {
    Set<String> vpcIds = nodes.vpcIds();
    if (vpcIds.isEmpty()) {
      return done(new SyncOutcome.Synced(account.inventory.beginRead().generation()));
    }
    return networks
        .refresh(vpcIds, context)
        .thenCompose(failure -> failure.isPresent() ? failed(failure.get()) : instances(vpcIds));
  }

  /** That EC2 does not tell who runs stops nothing: EC2 itself refuses most of what must not be. */
  private CompletionStage<SyncOutcome> instances(Set<String> vpcIds) {
    return account
        .idle
        .refresh(vpcIds, nodes.byInstance.keySet(), context)
        .thenCompose(unknown -> selected.refresh(context))
        .thenCompose(failure -> failure.isPresent() ? failed(failure.get()) : interfaces(vpcIds));
  }

  private CompletionStage<SyncOutcome> interfaces(Set<String> vpcIds) {
    collector.tell();
    reader.forgetUnseenPools();
    SweepPlan plan = reader.plan();
    if (!plan.whole()) {
      return collectable()
          .thenCompose(
              failure ->
                  failure.isPresent() ? failed(failure.get()) : shards(plan.shards().iterator()));
    }
    ReadMark mark = account.inventory.beginRead();
    return account
        .ec2
        .attachable(Ec2Filter.of("vpc-id", vpcIds), context)
        .thenCompose(result -> result.match(found -> haveAll(mark, found), AwsFullSync::failed));
  }

  private CompletionStage<SyncOutcome> haveAll(ReadMark mark, List<AwsNetworkInterface> found) {
    reader.listed(found.size());
    return collected(found)
        .thenCompose(
            failure ->
                failure.isPresent()
                    ? failed(failure.get())
                    : reader
                        .accept(mark, account.inventory.ids(), found, context)
                        .thenApply(outcomes -> new SyncOutcome.Synced(mark.generation())));
  }

  /** With two accounts what nobody may attach is seen by the account of the networks alone. */
  private CompletionStage<Optional<Failure>> collected(List<AwsNetworkInterface> found) {
    if (!account.ec2.listsUnattached()) {
      return collectable();
    }
    collector.check(found);
    return done(Optional.empty());
  }

  /** An unattached interface belongs to no instance and is listed by its tags. */
  private CompletionStage<Optional<Failure>> collectable() {
    if (!collector.isOn()) {
      return done(Optional.empty());
    }
    return account
        .ec2
        .available(collector.filter(), context)
        .thenApply(
            result -> {
              result.answer().ifPresent(collector::check);
              return result.refusal();
            });
  }

  private CompletionStage<SyncOutcome> shards(Iterator<List<InstanceId>> left) {
    if (!left.hasNext()) {
      return done(new SyncOutcome.Synced(reader.oldestGeneration()));
    }
    Set<InstanceId> shard = new TreeSet<>(left.next());
    ReadMark mark = account.inventory.beginRead();
    return account
        .ec2
        .attachedTo(shard, context)
        .thenCompose(
            result ->
                result.match(
                    found ->
                        reader
                            .accept(mark, shard, found, context)
                            .thenCompose(outcomes -> shards(left)),
                    AwsFullSync::failed));
  }

  private static CompletionStage<SyncOutcome> failed(Failure failure) {
    return done(new SyncOutcome.Failed(failure));
  }
}
