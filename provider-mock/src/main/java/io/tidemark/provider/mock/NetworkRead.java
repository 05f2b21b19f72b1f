package io.tidemark.provider.mock;

import static io.tidemark.provider.mock.MockAccount.done;

import io.tidemark.provider.mock.cloud.Vpc;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Reads the VPCs, then the subnets with what is free in them. */
final class NetworkRead {
  private final MockAccount account;
  private final CallContext context;

  /** Made for one read, used once. */
  NetworkRead(MockAccount account, CallContext context) {
    this.account = account;
    this.context = context;
  }

  /** Ends with why it failed; empty when the pools are up to date. */
  CompletionStage<Optional<Failure>> run() {
    return account
        .api
        .vpcs(context)
        .thenCompose(result -> result.match(this::subnets, failure -> done(Optional.of(failure))));
  }

  private CompletionStage<Optional<Failure>> subnets(List<Vpc> vpcs) {
    return account
        .api
        .subnets(context)
        .thenApply(
            result ->
                result.match(
                    subnets -> {
                      account.read(vpcs, subnets);
                      return Optional.empty();
                    },
                    Optional::of));
  }
}
