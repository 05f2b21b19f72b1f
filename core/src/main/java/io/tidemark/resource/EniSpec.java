package io.tidemark.resource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The wire form of {@code spec.eni} (1.2): what an agent of an ENI cloud reports about its
 * instance. Three-state values are Optional (NM-J6). It is here because several clouds read it, and
 * none sees another.
 */
public record EniSpec(
    String instanceType,
    OptionalInt firstInterfaceIndex,
    List<String> securityGroups,
    Map<String, String> securityGroupTags,
    List<String> subnetIds,
    Map<String, String> subnetTags,
    String nodeSubnetId,
    String vpcId,
    String availabilityZone,
    Map<String, String> excludeInterfaceTags,
    Optional<Boolean> deleteOnTermination,
    Optional<Boolean> usePrimaryAddress,
    Optional<Boolean> disablePrefixDelegation) {
  /** A section without content. */
  public static final EniSpec EMPTY = of("", OptionalInt.empty(), "", "", "");

  public EniSpec {
    securityGroups = List.copyOf(securityGroups);
    securityGroupTags = Map.copyOf(securityGroupTags);
    subnetIds = List.copyOf(subnetIds);
    subnetTags = Map.copyOf(subnetTags);
    excludeInterfaceTags = Map.copyOf(excludeInterfaceTags);
  }

  /** The instance as an agent describes it; all that users set is absent. */
  public static EniSpec of(
      String instanceType,
      OptionalInt firstInterfaceIndex,
      String nodeSubnetId,
      String vpcId,
      String availabilityZone) {
    return new EniSpec(
        instanceType,
        firstInterfaceIndex,
        List.of(),
        Map.of(),
        List.of(),
        Map.of(),
        nodeSubnetId,
        vpcId,
        availabilityZone,
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
