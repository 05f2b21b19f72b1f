package io.tidemark.provider.mock;

import static io.tidemark.provider.mock.MockAccount.done;

import io.tidemark.provider.kit.ReadMark;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.provider.mock.cloud.Page;
import io.tidemark.provider.mock.cloud.SecurityGroup;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.SyncOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Reads the whole account: networks, subnets, groups, then all interfaces part by part. Nothing is
 * forgotten because it is not listed.
 */
final class FullSync {
  private final MockAccount account;
  private final MockReads reader;
  private final InterfaceCollection collection;
  private final CallContext context;
  private final List<NetworkInterface> found = new ArrayList<>();
  private ReadMark mark;

  /** Made for one read, used once. */
  FullSync(
      MockAccount account, MockReads reader, InterfaceCollection collection, CallContext context) {
    this.account = account;
    this.reader = reader;
    this.collection = collection;
    this.context = context;
    this.mark = account.inventory.beginRead();
  }

  CompletionStage<SyncOutcome> run() {
    return new NetworkRead(account, context)
        .run()
        .thenCompose(failure -> failure.isPresent() ? failed(failure.get()) : securityGroups());
  }

  private CompletionStage<SyncOutcome> securityGroups() {
    return account
        .api
        .securityGroups(context)
        .thenCompose(result -> result.match(this::haveGroups, FullSync::failed));
  }

  private CompletionStage<SyncOutcome> haveGroups(List<SecurityGroup> all) {
    account.securityGroups = all;
    mark = account.inventory.beginRead();
    return nextPage("");
  }

  private CompletionStage<SyncOutcome> nextPage(String token) {
    return account.api.allInterfaces(token, context).thenCompose(this::havePage);
  }

  private CompletionStage<SyncOutcome> havePage(CallResult<Page<NetworkInterface>> result) {
    return result.match(
        page -> {
          found.addAll(page.items());
          return page.next().isPresent() ? nextPage(page.next().get()) : haveAll();
        },
        FullSync::failed);
  }

  private CompletionStage<SyncOutcome> haveAll() {
    reader.forgetUnseenPools();
    collection.check(mark, found);
    return reader
        .accept(mark, account.inventory.ids(), found, context)
        .thenApply(outcomes -> new SyncOutcome.Synced(mark.generation()));
  }

  private static CompletionStage<SyncOutcome> failed(Failure failure) {
    return done(new SyncOutcome.Failed(failure));
  }
}
