package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.ElasticAddress;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.InstanceId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The cluster's own resources, on which requests are tried. Pure.
 *
 * @param attached what is attached to instances of the nodes, the first instance's first
 * @param available what is attached to nothing and ours
 * @param elastic elastic addresses that nodes ask for
 */
record AwsTargets(
    List<NodeResource> nodes,
    List<AwsNetworkInterface> attached,
    List<AwsNetworkInterface> available,
    List<ElasticAddress> elastic) {
  AwsTargets {
    attached =
        attached.stream()
            .filter(each -> each.attachment().isPresent())
            .sorted(
                Comparator.comparing(
                    each -> each.attachment().map(at -> at.deviceIndex()).orElse(0)))
            .toList();
  }

  /** The targets that the nodes name, before EC2 was asked. */
  static AwsTargets of(List<NodeResource> nodes) {
    return new AwsTargets(nodes, List.of(), List.of(), List.of());
  }

  Optional<ElasticAddress> freeElastic() {
    return elastic.stream().filter(each -> !each.associated()).findFirst();
  }

  Optional<AwsNetworkInterface> first() {
    return attached.stream().filter(each -> each.primary().isPresent()).findFirst();
  }

  /** As many instances that the nodes name as one request takes. */
  Set<InstanceId> instances() {
    return batches().stream().findFirst().map(TreeSet::new).orElseGet(TreeSet::new);
  }

  /** All instances that the nodes name, so many at a time as EC2 takes. */
  List<Set<InstanceId>> batches() {
    List<InstanceId> all =
        nodes.stream()
            .flatMap(node -> node.instanceId().stream())
            .distinct()
            .map(InstanceId::new)
            .toList();
    List<Set<InstanceId>> batches = new ArrayList<>();
    for (int from = 0; from < all.size(); from += Ec2Filter.VALUES_MAX) {
      batches.add(Set.copyOf(all.subList(from, Math.min(all.size(), from + Ec2Filter.VALUES_MAX))));
    }
    return batches;
  }

  private Stream<EniSpec> specs() {
    return nodes.stream().flatMap(node -> node.eniSpec().stream());
  }

  /** The instance of an interface that was found, else of a node. */
  Optional<InstanceId> instance() {
    return attached.stream()
        .flatMap(each -> each.attachment().stream())
        .flatMap(at -> at.instance().stream())
        .findFirst()
        .or(() -> instances().stream().findFirst());
  }

  Optional<String> vpc() {
    return attached.stream()
        .map(AwsNetworkInterface::vpcId)
        .findFirst()
        .or(() -> specs().map(EniSpec::vpcId).filter(id -> !id.isEmpty()).findFirst());
  }

  /** Where an interface would be created: as the nodes say, else beside what they have. */
  Optional<String> subnet(Set<String> configured) {
    return configured.stream()
        .sorted()
        .findFirst()
        .or(() -> specs().flatMap(spec -> spec.subnetIds().stream()).findFirst())
        .or(() -> specs().map(EniSpec::nodeSubnetId).filter(id -> !id.isEmpty()).findFirst())
        .or(() -> attached.stream().map(each -> each.subnet().text()).findFirst());
  }

  List<String> securityGroups() {
    return attached.stream().map(AwsNetworkInterface::securityGroups).findFirst().orElse(List.of());
  }

  String instanceType() {
    return specs()
        .map(EniSpec::instanceType)
        .filter(type -> !type.isEmpty())
        .findFirst()
        .orElse("m5.large");
  }

  Set<Feature> uses() {
    Set<Feature> uses = EnumSet.noneOf(Feature.class);
    if (!staticTags().isEmpty()) {
      uses.add(Feature.STATIC_ADDRESSES);
    }
    if (specs().anyMatch(spec -> spec.firstInterfaceIndex().orElse(0) <= 0)) {
      uses.add(Feature.FIRST_INTERFACES);
    }
    return uses;
  }

  Set<Feature> mayUse() {
    return nodes.isEmpty() ? EnumSet.of(Feature.FIRST_INTERFACES) : Set.of();
  }

  /** The tags of static public addresses; empty when no node does. */
  Map<String, String> staticTags() {
    return nodes.stream()
        .map(node -> node.ipam().staticIpTags())
        .filter(tags -> !tags.isEmpty())
        .findFirst()
        .orElse(Map.of());
  }

  /** One that can be detached: not the first of an instance, when there is another. */
  Optional<AwsNetworkInterface> detachable() {
    return attached.stream().reduce((first, last) -> last);
  }

  /** One that can be attached or deleted: attached to nothing, when there is such a one. */
  Optional<AwsNetworkInterface> free() {
    return available.stream().findFirst().or(this::detachable);
  }

  /** A place of the first instance where nothing is. */
  int freeIndex() {
    int index = 1;
    Set<Integer> taken = new TreeSet<>();
    Optional<InstanceId> of = instance();
    attached.stream()
        .flatMap(each -> each.attachment().stream())
        .filter(at -> at.instance().equals(of))
        .forEach(at -> taken.add(at.deviceIndex()));
    while (taken.contains(index)) {
      index++;
    }
    return index;
  }
}
