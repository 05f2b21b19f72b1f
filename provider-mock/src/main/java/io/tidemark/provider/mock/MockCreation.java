package io.tidemark.provider.mock;

import static java.util.concurrent.CompletableFuture.completedStage;

import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.provider.kit.step.AttachFailure;
import io.tidemark.provider.kit.step.AttachFailure.Kind;
import io.tidemark.provider.kit.step.CreationRequests;
import io.tidemark.provider.mock.cloud.CloudException.Code;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.MockInterface;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The requests of one creation. Attaching names the device index, so it happens at most once. */
record MockCreation(
    MockAllocation account,
    InstanceId instance,
    List<MockInterface> attached,
    MockSlots slots,
    CallContext context)
    implements CreationRequests<MockInterface, MockSubnet, MockInterface> {
  @Override
  public String place() {
    return Integer.toString(slots.firstFreeIndex(attached));
  }

  @Override
  public Order<MockInterface> order(Rung<MockSubnet> rung, String token) {
    List<String> groups = slots.spec().securityGroups();
    if (groups.isEmpty()) {
      groups = slots.ownInterface(attached).map(it -> it.fixed().securityGroups()).orElse(groups);
    }
    PoolId subnet = rung.pool().id();
    MockInterface.Fixed wanted =
        new MockInterface.Fixed(
            "Tidemark (" + instance + ")", groups, account.tags(instance, token));
    return new Order<>(
        subnet,
        1 + rung.addresses(),
        () ->
            account.send(
                CloudOperation.CREATE_INTERFACE,
                subnet.text(),
                context,
                cloud -> cloud.create(subnet, wanted, rung.singles(), rung.blocks(), token)));
  }

  @Override
  public CompletionStage<CallResult<List<MockInterface>>> read(InterfaceId id) {
    return account.interfaces(each -> each.id().equals(id), context);
  }

  @Override
  public Shown<MockInterface> shown(MockInterface created) {
    return new Shown<>(
        created.id(),
        created.pool(),
        created.taken().size(),
        Optional.of(created).filter(MockInterface::isAttached),
        created.instanceId().equals(instance.text()));
  }

  @Override
  public CompletionStage<CallResult<MockInterface>> attach(MockInterface created) {
    return account.send(
        CloudOperation.ATTACH_INTERFACE,
        instance.text(),
        context,
        cloud -> cloud.attach(created.id(), instance.text(), slots.firstFreeIndex(attached)));
  }

  @Override
  public CompletionStage<AttachFailure<MockInterface>> meaning(
      MockInterface created, Failure failure, int attaches) {
    boolean unclear =
        failure.kind() == Failure.Kind.LOST
            || Code.INTERFACE_IN_USE.is(failure)
            || (attaches > 1 && Code.INDEX_IN_USE.is(failure));
    boolean gone = Code.INTERFACE_NOT_FOUND.is(failure);
    return completedStage(AttachFailure.of(gone ? Kind.GONE : unclear ? Kind.UNCLEAR : Kind.UNDO));
  }

  @Override
  public CompletionStage<CallResult<InterfaceId>> delete(InterfaceId id, CallContext compensating) {
    return account.delete(id, compensating);
  }
}
