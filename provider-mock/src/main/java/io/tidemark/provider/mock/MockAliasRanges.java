package io.tidemark.provider.mock;

import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.Change;
import io.tidemark.provider.kit.InstanceInventory;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.step.RangeAssignment;
import io.tidemark.provider.mock.cloud.CloudException.Code;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.MockInterface;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AliasRangeOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeAliasRanges;
import io.tidemark.spi.SyncOutcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The alias ranges of instances, which are those of their own interfaces. Thread-safe. */
final class MockAliasRanges implements NodeAliasRanges, RangeAssignment.Cloud {
  private static final Pattern PROVIDER_ID = Pattern.compile("mock://.*/([^/]+)");

  private final MockAllocation account;
  private final InstanceInventory<MockInterface> inventory;
  final RangeAssignment assignment;

  MockAliasRanges(MockAllocation account) {
    this.account = account;
    this.inventory = account.state.inventory();
    this.assignment =
        new RangeAssignment(this, account.state.scheduler().time(), account.state.horizon());
  }

  @Override
  public Optional<InstanceId> instanceOf(String providerId) {
    Matcher matcher = PROVIDER_ID.matcher(providerId);
    Optional<InstanceId> id =
        matcher.matches() ? Optional.of(new InstanceId(matcher.group(1))) : Optional.empty();
    id.ifPresent(account.adoption::named);
    return id;
  }

  @Override
  public Optional<List<Cidr>> ranges(InstanceId instance) {
    return inventory
        .find(instance)
        .map(it -> it.interfaces().stream().flatMap(each -> each.aliasRanges().stream()).toList());
  }

  @Override
  public CompletionStage<AliasRangeOutcome> add(
      InstanceId instance, Cidr cidr, CallContext context) {
    return assignment.add(instance, cidr, context);
  }

  @Override
  public CompletionStage<CallResult<InstanceId>> send(
      InstanceId instance, Cidr range, CallContext context) {
    return account.send(
        CloudOperation.ADD_ALIAS_RANGE,
        instance.text(),
        context,
        cloud -> new InstanceId(cloud.addAliasRange(instance.text(), range)));
  }

  @Override
  public CompletionStage<CallResult<Boolean>> shows(
      InstanceId instance, Cidr range, CallContext context) {
    return account
        .instanceSync(instance, context)
        .thenApply(
            outcome ->
                outcome instanceof SyncOutcome.Failed failed
                    ? new CallResult.Failed<>(failed.failure())
                    : new CallResult.Answered<>(
                        ranges(instance).filter(all -> all.contains(range)).isPresent()));
  }

  @Override
  public void added(InstanceId instance, Cidr range) {
    inventory.find(instance).map(InstanceView::interfaces).orElse(List.of()).stream()
        .filter(each -> each.index() == 0)
        .map(own -> new Change.Edited<>(own.id(), (MockInterface it) -> it.withAliasRange(range)))
        .forEach(change -> inventory.wrote(instance, true, change));
  }

  @Override
  public RangeAssignment.Meaning meaning(Failure refusal) {
    if (Code.ALIAS_IN_USE.is(refusal)) {
      return RangeAssignment.Meaning.HELD;
    }
    return Code.ALIAS_DUPLICATE.is(refusal)
        ? RangeAssignment.Meaning.ASSIGNED
        : RangeAssignment.Meaning.REFUSED;
  }
}
