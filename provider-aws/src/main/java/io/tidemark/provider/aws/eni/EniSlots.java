package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.provider.kit.plan.SlotModel;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.Tags;
import java.util.List;
import java.util.OptionalInt;

/**
 * The capacity of an instance (provider-aws 3.1): interfaces at device indexes of network card 0
 * (2.5), the instance's own at 0. Pure.
 *
 * @param places attachable on card 0, or fewer when EC2 refused more
 * @param reserved places of them for interfaces of others, those that are there included
 * @param firstIndex interfaces with a lower device index are not for pods
 * @param blocks whether prefixes are asked for
 * @param settings of the node; in the reference's profile with its numbers (M16)
 */
record EniSlots(
    InstanceType type,
    EniSpec spec,
    int places,
    int reserved,
    int firstIndex,
    boolean blocks,
    EniSettings settings)
    implements SlotModel<AwsEni> {
  /**
   * The model of a node.
   *
   * @param learnedMax interfaces that EC2 refused to exceed; empty when it never did
   */
  static EniSlots of(
      InstanceType type,
      EniSpec spec,
      NodeSettings node,
      EniSettings settings,
      OptionalInt learnedMax) {
    return new EniSlots(
        type,
        spec,
        Math.min(type.interfacesOnCard0(), learnedMax.orElse(Integer.MAX_VALUE)),
        settings.reservedInterfaces(),
        Math.max(0, spec.firstInterfaceIndex().orElse(0)),
        SlotModel.asksForBlocks(node, spec.disablePrefixDelegation(), type.hasPrefixes()),
        settings.in(node));
  }

  @Override
  public boolean own(AwsEni eni) {
    return eni.isOwn();
  }

  @Override
  public int slots() {
    return Math.max(0, type.ipv4PerInterface() - 1);
  }

  @Override
  public boolean usable(AwsEni eni) {
    return (eni.kind() == AwsEni.Kind.ORDINARY
            || (eni.kind() == AwsEni.Kind.TRUNK && settings.scope().trunks()))
        && eni.onCard0()
        && eni.index() >= firstIndex
        && (spec.excludeInterfaceTags().isEmpty()
            || !new Tags(eni.tags()).matches(spec.excludeInterfaceTags()));
  }

  @Override
  public boolean counts(AwsEni eni) {
    return eni.onCard0();
  }

  @Override
  public boolean primaryUsable() {
    return spec.usePrimaryAddress().orElse(false);
  }

  @Override
  public boolean stickyBlocks() {
    return settings.stickySingles();
  }

  @Override
  public boolean primaryTakesPlace() {
    return settings.primaryCountsBlock();
  }

  /** Negative when there are more than the type allows. */
  @Override
  public int emptySlots(List<AwsEni> interfaces) {
    int left =
        interfacesMax(interfaces) - (int) interfaces.stream().filter(AwsEni::onCard0).count();
    if (left <= 0) {
      return left;
    }
    int freeIndexes = 0;
    for (int index = lowestNewIndex(); index < type.interfacesOnCard0(); index++) {
      freeIndexes += taken(interfaces, index) ? 0 : 1;
    }
    return Math.min(left, freeIndexes);
  }

  /** Reserved places are left free. */
  @Override
  public int interfacesMax(List<AwsEni> interfaces) {
    int others =
        settings.scope().trunks()
            ? 0
            : (int) interfaces.stream().filter(eni -> eni.kind() == AwsEni.Kind.TRUNK).count();
    return places - Math.max(0, reserved - others);
  }

  @Override
  public OptionalInt forPodsMax() {
    return OptionalInt.of(Math.max(0, places - reserved - firstIndex));
  }

  /** Where the next interface goes, at or above {@code from}. */
  OptionalInt firstFreeIndex(List<AwsEni> interfaces, int from) {
    for (int index = Math.max(from, lowestNewIndex()); index < type.interfacesOnCard0(); index++) {
      if (!taken(interfaces, index)) {
        return OptionalInt.of(index);
      }
    }
    return OptionalInt.empty();
  }

  /** Index 0 is the instance's own. */
  private int lowestNewIndex() {
    return Math.max(1, firstIndex);
  }

  private static boolean taken(List<AwsEni> interfaces, int index) {
    return interfaces.stream().anyMatch(eni -> eni.onCard0() && eni.index() == index);
  }
}
