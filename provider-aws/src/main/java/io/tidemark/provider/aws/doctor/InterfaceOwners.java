package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.eni.OwnerTags;
import io.tidemark.resilience.CallResult;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import io.tidemark.spi.InstanceId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Whether interfaces of the nodes' instances belong to another owner by their tags; such a node
 * waits (TM-1218). A second cluster of the same name is not recognised. Pure.
 */
final class InterfaceOwners {
  private static final String AREA = "nodes";
  private static final String SUBJECT = "owners of the nodes' interfaces";

  private InterfaceOwners() {}

  static Finding finding(
      CallResult<TargetSearch.Count> interfaces, ClusterNaming cluster, List<NodeResource> nodes) {
    return interfaces.match(
        counted ->
            cluster
                .name()
                .match(
                    name -> finding(counted, name.orElse(""), nodes),
                    failure -> FailureWords.undecided(AREA, SUBJECT, failure)),
        failure -> FailureWords.undecided(AREA, SUBJECT, failure));
  }

  private static Finding finding(
      TargetSearch.Count counted, String cluster, List<NodeResource> nodes) {
    Map<Optional<InstanceId>, EniSpec> specs = new HashMap<>();
    for (NodeResource node : nodes) {
      node.instanceId()
          .ifPresent(
              id ->
                  specs.put(Optional.of(new InstanceId(id)), node.eniSpec().orElse(EniSpec.EMPTY)));
    }
    OwnerTags tags = new OwnerTags(() -> cluster, "");
    int known = 0;
    Map<String, String> foreign = new TreeMap<>();
    for (AwsNetworkInterface each : counted.attached()) {
      EniSpec spec = specs.get(each.attachment().flatMap(at -> at.instance()));
      if (spec != null) {
        known++;
        tags.foreign(each.tags(), spec).ifPresent(owner -> foreign.put(each.id().text(), owner));
      }
    }
    String all = known + (counted.all() ? "" : " that were listed");
    if (foreign.isEmpty()) {
      return Finding.of(
          AREA,
          SUBJECT,
          counted.all() ? Verdict.OK : Verdict.UNDECIDABLE,
          "none of " + all + " has another owner",
          counted.all()
              ? ""
              : "The account has more interfaces than doctor lists. Check the tags of the nodes' interfaces in EC2.");
    }
    return Finding.of(
        AREA,
        SUBJECT,
        Verdict.FAILED,
        foreign.size()
            + " of "
            + all
            + " belong to "
            + String.join("; ", new TreeSet<>(foreign.values()))
            + ", such as "
            + foreign.keySet().iterator().next(),
        "If the tag has the name of this cluster, set "
            + ClusterNaming.SETTING
            + " to that. If not, leave the instances to one owner; until then the nodes wait"
            + " (TM-1218).");
  }
}
