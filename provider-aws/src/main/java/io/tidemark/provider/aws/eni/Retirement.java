package io.tidemark.provider.aws.eni;

import java.util.List;
import java.util.function.Predicate;

/**
 * Which interfaces get nothing more, because they were made in a subnet that is not selected any
 * more (provider-aws 12, {@code retire-untagged-subnets}). Pure: what is known of the cloud
 * decides.
 */
final class Retirement {
  private Retirement() {}

  /** The interfaces of one instance that are retired; none unless that is asked for. */
  static Predicate<AwsEni> of(
      OwnerTags owner, EniSlots slots, List<AwsEni> interfaces, Networks networks) {
    if (!slots.settings().options().retireSubnets()) {
      return eni -> false;
    }
    SubnetSelector selector =
        SubnetSelector.of(slots.spec(), interfaces, networks, owner.cluster(), slots.settings());
    return eni -> eni.index() > 0 && owner.created(eni.tags()) && selector.isDeselected(eni.pool());
  }

  /**
   * Whether a retired interface can be emptied: its primary address stays, and so do prefixes that
   * are sticky.
   */
  static boolean drains(EniSlots slots, AwsEni retired) {
    return !slots.primaryUsable() && slots.gives(retired);
  }
}
