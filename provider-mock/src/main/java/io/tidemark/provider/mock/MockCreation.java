package io.tidemark.provider.mock;

import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.provider.kit.step.AttachFailure;
import io.tidemark.provider.kit.step.CreationRequests;
import io.tidemark.provider.mock.cloud.CloudErrorCode;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.MockInterface;
import io.tidemark.provider.mock.cloud.MockRequests;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * The requests of one creation of an interface. Attaching names the device index, so it happens at
 * most once.
 *
 * @param groups security groups
 */
record MockCreation(
    MockAllocation account,
    InstanceId instance,
    int index,
    List<String> groups,
    CallContext context)
    implements CreationRequests<MockInterface, MockSubnet, MockInterface> {
  private static final int ATTACHES_MAX = 3;

  @Override
  public String place() {
    return Integer.toString(index);
  }

  @Override
  public CreationRequests.Order<MockInterface> order(Rung<MockSubnet> rung, String token) {
    MockRequests.Creation wanted =
        new MockRequests.Creation(
            rung.pool().id().text(),
            "Tidemark (" + instance + ")",
            groups,
            account.tags(instance, token),
            rung.singles(),
            rung.blocks(),
            token);
    return new CreationRequests.Order<>(
        rung.pool().id(),
        1 + rung.addresses(),
        () ->
            account.send(
                CloudOperation.CREATE_INTERFACE,
                wanted.subnetId(),
                context,
                cloud -> cloud.create(wanted)));
  }

  /** Never: the cloud answers a token with the interface that it made. */
  @Override
  public boolean isTokenMismatch(Failure failure) {
    return false;
  }

  @Override
  public CompletionStage<CallResult<List<MockInterface>>> find(String token) {
    return find(each -> MockAllocation.token(each).equals(token));
  }

  @Override
  public CompletionStage<CallResult<List<MockInterface>>> read(InterfaceId id) {
    return find(each -> each.id().equals(id));
  }

  private CompletionStage<CallResult<List<MockInterface>>> find(Predicate<MockInterface> wanted) {
    return account.send(
        CloudOperation.DESCRIBE_INTERFACES, "", context, cloud -> cloud.interfaces(wanted));
  }

  @Override
  public CreationRequests.Shown<MockInterface> shown(MockInterface created) {
    return new CreationRequests.Shown<>(
        created.id(),
        created.pool(),
        created.taken().size(),
        Optional.of(created).filter(MockInterface::isAttached),
        created.instanceId().equals(instance.text()));
  }

  @Override
  public int attachesMax() {
    return ATTACHES_MAX;
  }

  @Override
  public CompletionStage<CallResult<MockInterface>> attach(MockInterface created) {
    return account.send(
        CloudOperation.ATTACH_INTERFACE,
        instance.text(),
        context,
        cloud -> cloud.attach(created.id(), instance.text(), index));
  }

  @Override
  public CompletionStage<AttachFailure<MockInterface>> meaning(
      MockInterface created, Failure failure, int attaches) {
    if (CloudErrorCode.INTERFACE_NOT_FOUND.is(failure)) {
      return CompletableFuture.completedStage(AttachFailure.of(AttachFailure.Kind.GONE));
    }
    boolean unclear =
        failure.kind() == Failure.Kind.LOST
            || CloudErrorCode.INTERFACE_IN_USE.is(failure)
            || (attaches > 1 && CloudErrorCode.INDEX_IN_USE.is(failure));
    return CompletableFuture.completedStage(
        unclear
            ? AttachFailure.of(AttachFailure.Kind.UNCLEAR)
            : AttachFailure.of(
                AttachFailure.Kind.UNDO, MockAllocation.FAILURES.outcome(failure, created.pool())));
  }

  @Override
  public CompletionStage<CallResult<InterfaceId>> delete(InterfaceId id, CallContext compensating) {
    return account.send(
        CloudOperation.DELETE_INTERFACE, id.text(), compensating, cloud -> cloud.delete(id));
  }

  @Override
  public CompletionStage<Long> finish(MockInterface attached, long generation) {
    return CompletableFuture.completedStage(generation);
  }
}
