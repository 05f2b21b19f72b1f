package io.tidemark.provider.mock;

import io.tidemark.provider.kit.Change;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.provider.kit.step.AttachFailure;
import io.tidemark.provider.kit.step.CreationRequests;
import io.tidemark.provider.mock.cloud.CreateInterfaceRequest;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.provider.mock.cloud.NetworkInterface.Attachment;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The requests of one creation of an interface. Attaching names the device index, so it happens at
 * most once; then the interface is marked to go with its instance or to stay.
 */
final class InterfaceRequests implements CreationRequests<MockInterface, Subnet, NetworkInterface> {
  private static final int ATTACHES_MAX = 3;

  private final MockAccount account;
  private final InstanceId instance;
  private final int index;
  private final List<String> securityGroups;
  private final boolean deleteOnTermination;
  private final CallContext context;

  /** Made for one attempt. */
  InterfaceRequests(
      MockAccount account,
      InstanceId instance,
      int index,
      List<String> securityGroups,
      boolean deleteOnTermination,
      CallContext context) {
    this.account = account;
    this.instance = instance;
    this.index = index;
    this.securityGroups = List.copyOf(securityGroups);
    this.deleteOnTermination = deleteOnTermination;
    this.context = context;
  }

  @Override
  public String place() {
    return Integer.toString(index);
  }

  @Override
  public CreationRequests.Order<NetworkInterface> order(Rung<Subnet> rung, String token) {
    CreateInterfaceRequest request =
        new CreateInterfaceRequest(
            rung.pool().id().text(),
            "Tidemark (" + instance + ")",
            securityGroups,
            account.owner.of(instance, token),
            rung.singles(),
            rung.blocks(),
            token);
    return new CreationRequests.Order<>(
        rung.pool().id(), 1 + rung.addresses(), () -> account.api.create(request, context));
  }

  @Override
  public boolean isTokenMismatch(Failure failure) {
    return failure.condition().equals(MockFailureClassifier.TOKEN_MISMATCH);
  }

  @Override
  public CompletionStage<CallResult<List<NetworkInterface>>> find(String token) {
    return account.api.interfacesTagged(MockTags.TOKEN, token, context);
  }

  @Override
  public CreationRequests.Shown<MockInterface> shown(NetworkInterface created) {
    Optional<Attachment> attachment = created.attachment();
    return new CreationRequests.Shown<>(
        new InterfaceId(created.id()),
        new PoolId(created.subnetId()),
        created.addressesHeld(),
        attachment.map(place -> MockApi.eni(created, place)),
        attachment.filter(place -> place.instanceId().equals(instance.text())).isPresent());
  }

  @Override
  public int attachesMax() {
    return ATTACHES_MAX;
  }

  @Override
  public CompletionStage<CallResult<MockInterface>> attach(NetworkInterface created) {
    return account
        .api
        .attach(new InterfaceId(created.id()), instance, index, context)
        .thenApply(result -> result.map(place -> MockApi.eni(created, place)));
  }

  @Override
  public CompletionStage<AttachFailure<MockInterface>> meaning(
      NetworkInterface created, Failure failure, int attaches) {
    return CompletableFuture.completedStage(meaning(failure, attaches, created.subnetId()));
  }

  private static AttachFailure<MockInterface> meaning(
      Failure failure, int attaches, String subnetId) {
    String condition = failure.condition();
    if (failure.kind() == Failure.Kind.NOT_FOUND
        && !condition.equals(MockFailureClassifier.INSTANCE_GONE)) {
      return new AttachFailure.Gone<>();
    }
    boolean unclear =
        failure.kind() == Failure.Kind.LOST
            || condition.equals(MockFailureClassifier.INTERFACE_IN_USE)
            || (attaches > 1 && condition.equals(MockFailureClassifier.INDEX_TAKEN));
    return unclear
        ? new AttachFailure.Unclear<>()
        : new AttachFailure.Undo<>(MockAccount.FAILURES.outcome(failure, new PoolId(subnetId)));
  }

  @Override
  public CompletionStage<CallResult<List<NetworkInterface>>> read(InterfaceId id) {
    return account.api.networkInterface(id, context);
  }

  @Override
  public CompletionStage<CallResult<InterfaceId>> delete(InterfaceId id, CallContext compensating) {
    return account.api.delete(id, compensating);
  }

  @Override
  public CompletionStage<Long> finish(MockInterface attached, long generation) {
    boolean mark = deleteOnTermination; // the edit is kept, and must not keep the attempt
    if (attached.deleteOnTermination() == mark) {
      return CompletableFuture.completedStage(generation);
    }
    return account
        .api
        .markDeleteOnTermination(attached.id(), mark, context)
        .thenApply(
            result ->
                result.match(
                    id ->
                        account.inventory.wrote(
                            instance,
                            true,
                            new Change.Edited<>(id, each -> each.withDeleteOnTermination(mark))),
                    notMarked -> generation));
  }
}
