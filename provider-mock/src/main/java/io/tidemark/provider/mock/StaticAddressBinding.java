package io.tidemark.provider.mock;

import static io.tidemark.provider.mock.MockAccount.done;

import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.Change;
import io.tidemark.provider.mock.cloud.PublicAddress;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InstanceId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Binds a public address chosen by tags to the primary interface, unless it has one already. Only
 * addresses that nobody has are taken, so repeating it is harmless.
 */
final class StaticAddressBinding {
  private final MockAccount account;
  private final InstanceId instance;
  private final Eni primary;
  private final CallContext context;

  /** Made for one attempt, used once. */
  StaticAddressBinding(MockAccount account, InstanceId instance, Eni primary, CallContext context) {
    this.account = account;
    this.instance = instance;
    this.primary = primary;
    this.context = context;
  }

  CompletionStage<AllocationOutcome> run(Map<String, String> tags) {
    return account
        .api
        .publicAddresses(tags, context)
        .thenCompose(result -> result.match(this::choose, this::refused));
  }

  private CompletionStage<AllocationOutcome> choose(List<PublicAddress> tagged) {
    Optional<String> self = Optional.of(primary.id().text());
    for (PublicAddress each : tagged) {
      if (each.interfaceId().equals(self)) {
        return done(bound(each.address()));
      }
    }
    for (PublicAddress each : tagged) {
      if (each.interfaceId().isEmpty()) {
        return associate(each);
      }
    }
    return refused(
        Failure.of(
            Failure.Kind.CAPACITY,
            "noStaticAddress",
            "none of " + tagged.size() + " tagged addresses is free"));
  }

  private CompletionStage<AllocationOutcome> associate(PublicAddress address) {
    return account
        .api
        .associate(address, primary.id(), context)
        .thenCompose(result -> result.match(id -> done(bound(address.address())), this::refused));
  }

  private AllocationOutcome bound(IpAddress address) {
    long generation =
        account.inventory.wrote(
            instance,
            true,
            new Change.Edited<>(primary.id(), eni -> eni.withPublicAddress(address)));
    return new AllocationOutcome.Allocated(
        List.of(), Optional.empty(), Optional.of(address), generation);
  }

  private CompletionStage<AllocationOutcome> refused(Failure failure) {
    if (failure.kind() == Failure.Kind.LOST) {
      account.inventory.wrote(instance, false, new Change.Unclear<>());
      return done(new AllocationOutcome.Unknown(failure));
    }
    return done(
        failure.kind() == Failure.Kind.NOT_RUNNING
            ? new AllocationOutcome.InstanceNotRunning()
            : new AllocationOutcome.Refused(failure));
  }
}
