package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.network.AzureSubnet;
import io.tidemark.provider.kit.plan.AllocationPlanner;
import io.tidemark.resilience.CallKind;
import io.tidemark.spi.BlockedReason;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Azure's decisions about a plan (Z21): interfaces are filled in the order of their ids, each from
 * its own subnet; none is created. Pure.
 *
 * @param assign the request that writes configurations of this machine
 */
record AzureRules(AzureSlots slots, List<Nic> attached, CallKind assign)
    implements AllocationPlanner.Rules<Nic, Optional<AzureSubnet>> {
  private static final Words WORDS = new Words("Azure", "/28 block");

  @Override
  public Words words() {
    return WORDS;
  }

  @Override
  public Comparator<Nic> order() {
    return Comparator.comparing(Nic::id);
  }

  @Override
  public BlockedReason whenFull() {
    if (attached.stream().noneMatch(slots::isSelected)) {
      return BlockedReason.INVALID_RESOURCE;
    }
    return attached.stream().noneMatch(slots::usable)
        ? BlockedReason.READING_BACK
        : BlockedReason.ADDRESS_LIMIT;
  }

  @Override
  public String allTaken() {
    return switch (whenFull()) {
      case INVALID_RESOURCE ->
          "spec.azure.interface-name is '"
              + slots.interfaceName()
              + "'; the machine has "
              + attached.stream().map(Nic::name).toList();
      case READING_BACK -> "Azure has not completed the machine's interfaces yet";
      default ->
          "the machine has " + slots.taken() + " of " + AzureSlots.PLACES + " IP configurations";
    };
  }
}
