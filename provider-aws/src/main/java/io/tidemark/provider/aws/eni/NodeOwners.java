package io.tidemark.provider.aws.eni;

import io.tidemark.resource.EniSpec;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import java.util.List;
import java.util.Optional;

/**
 * Whether an instance is ours to touch: it carries the tags that select instances, and nobody else
 * has interfaces on it. Any thread.
 */
final class NodeOwners {
  private final EniAccount account;
  private final InstanceId instance;
  private volatile Ownership ownership = Ownership.NONE;

  /** The owners of the interfaces, with the facts they follow from. */
  private record Ownership(List<AwsEni> interfaces, EniSpec spec, Optional<Blocked> other) {
    static final Ownership NONE = new Ownership(List.of(), EniSpec.EMPTY, Optional.empty());
  }

  NodeOwners(EniAccount account, InstanceId instance) {
    this.account = account;
    this.instance = instance;
  }

  /** Why the instance must not be touched; computed anew when its interfaces changed. */
  @SuppressWarnings("ReferenceEquality")
  Optional<Blocked> forbid(List<AwsEni> interfaces, EniSpec spec) {
    if (account.outside.contains(instance)) {
      return Optional.of(
          new Blocked(
              BlockedReason.NOT_SELECTED,
              instance + " does not carry " + account.settings.scope().instanceTags()));
    }
    Ownership last = ownership;
    if (last.interfaces() != interfaces || last.spec() != spec) {
      last = new Ownership(interfaces, spec, account.owner.other(interfaces, spec));
      ownership = last;
    }
    return last.other();
  }
}
