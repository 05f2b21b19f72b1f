package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniAccount.done;

import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.provider.aws.ec2.NetworkInterface;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.spi.inventory.ReadMark;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Reads all that the cluster has in its VPCs: the networks as far as they are out of date, then all
 * interfaces (provider-aws 4.2). Nothing is forgotten because it is not listed.
 */
final class FullSync {
  private final EniAccount account;
  private final NetworkRead networks;
  private final InstanceRead reader;
  private final EniGarbageCollector collector;
  private final CallContext context;

  /** Made for one read, used once. */
  FullSync(
      EniAccount account,
      NetworkRead networks,
      InstanceRead reader,
      EniGarbageCollector collector,
      CallContext context) {
    this.account = account;
    this.networks = networks;
    this.reader = reader;
    this.collector = collector;
    this.context = context;
  }

  CompletionStage<SyncOutcome> run() {
    Set<String> vpcIds = account.vpcIds();
    if (vpcIds.isEmpty()) {
      return done(new SyncOutcome.Synced(account.inventory.beginRead().generation()));
    }
    return networks
        .refresh(vpcIds, context)
        .thenCompose(failure -> failure.isPresent() ? failed(failure.get()) : interfaces(vpcIds));
  }

  private CompletionStage<SyncOutcome> interfaces(Set<String> vpcIds) {
    ReadMark mark = account.inventory.beginRead();
    return account
        .ec2
        .interfaces(new InterfaceQuery.OfVpcs(vpcIds), context)
        .thenCompose(result -> result.match(found -> haveAll(mark, found), FullSync::failed));
  }

  private CompletionStage<SyncOutcome> haveAll(ReadMark mark, List<NetworkInterface> found) {
    reader.forgetUnseenPools();
    collector.check(found);
    return reader
        .accept(mark, account.inventory.ids(), found, context)
        .thenApply(outcomes -> new SyncOutcome.Synced(mark.generation()));
  }

  private static CompletionStage<SyncOutcome> failed(Failure failure) {
    return done(new SyncOutcome.Failed(failure));
  }
}
