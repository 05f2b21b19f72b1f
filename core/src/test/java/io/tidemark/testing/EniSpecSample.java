package io.tidemark.testing;

import io.tidemark.resource.EniSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A section {@code spec.eni} of which a test says only what it is about. */
public final class EniSpecSample {
  private final EniSpec base;
  private OptionalInt firstIndex;
  private List<String> subnetIds = List.of();
  private Map<String, String> subnetTags = Map.of();
  private Map<String, String> excludeTags = Map.of();
  private Optional<Boolean> usePrimary = Optional.empty();
  private String nodeSubnetId;
  private List<String> groups;
  private Map<String, String> groupTags;
  private Optional<Boolean> deleteOnTermination;

  /** Starts from a section. */
  public EniSpecSample(EniSpec base) {
    this.base = base;
    this.firstIndex = base.firstInterfaceIndex();
    this.nodeSubnetId = base.nodeSubnetId();
    this.groups = base.securityGroups();
    this.groupTags = base.securityGroupTags();
    this.deleteOnTermination = base.deleteOnTermination();
  }

  /** Starts from {@link Samples#eniSpec}. */
  public static EniSpecSample of(String instanceType) {
    return new EniSpecSample(Samples.eniSpec(instanceType));
  }

  /** Interfaces below this device index are not for pods. */
  public EniSpecSample firstIndex(OptionalInt index) {
    firstIndex = index;
    return this;
  }

  /** Where a new interface may go, by id. */
  public EniSpecSample subnetIds(List<String> ids) {
    subnetIds = ids;
    return this;
  }

  /** Where a new interface may go, by tags. */
  public EniSpecSample subnetTags(Map<String, String> tags) {
    subnetTags = tags;
    return this;
  }

  /** Interfaces with these tags are not for pods. */
  public EniSpecSample excludeTags(Map<String, String> tags) {
    excludeTags = tags;
    return this;
  }

  /** Whether pods may have primary addresses. */
  public EniSpecSample usePrimary(boolean use) {
    usePrimary = Optional.of(use);
    return this;
  }

  /** Security groups of new interfaces, by id. */
  public EniSpecSample groups(List<String> ids) {
    groups = ids;
    return this;
  }

  /** Security groups of new interfaces, by tags. */
  public EniSpecSample groupTags(Map<String, String> tags) {
    groupTags = tags;
    return this;
  }

  /** Whether new interfaces go with the instance. */
  public EniSpecSample deleteOnTermination(boolean wanted) {
    deleteOnTermination = Optional.of(wanted);
    return this;
  }

  /** The subnet of the node itself. */
  public EniSpecSample nodeSubnet(String id) {
    nodeSubnetId = id;
    return this;
  }

  /** The section. */
  public EniSpec build() {
    return new EniSpec(
        base.instanceType(),
        firstIndex,
        groups,
        groupTags,
        subnetIds,
        subnetTags,
        nodeSubnetId,
        base.vpcId(),
        base.availabilityZone(),
        excludeTags,
        deleteOnTermination,
        usePrimary,
        Optional.empty());
  }
}
