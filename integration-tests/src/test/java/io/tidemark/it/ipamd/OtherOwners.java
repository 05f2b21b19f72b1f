package io.tidemark.it.ipamd;

import io.tidemark.datastore.cloud.RandomPods;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.aws.simulation.InstanceEc2;
import io.tidemark.simulation.cloud.CloudInterface;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Others in the account of a node: they have interfaces that look like those of its program, and
 * some change what it has.
 */
final class OtherOwners {
  private static final String INSTANCE = "node.k8s.amazonaws.com/instance_id";
  private static final String TOKEN = "tidemark.io/token";
  private static final String ELSEWHERE = "i-0123456789abcdef0";

  private final InstanceEc2 cloud;
  private final RandomPods pods;
  private final Random random;
  private final boolean blocks;
  private final boolean change;
  private final Set<String> parked = new HashSet<>();
  private final Set<Cidr> touched = new HashSet<>();

  /**
   * Others.
   *
   * @param change whether they change what the node has
   */
  OtherOwners(InstanceEc2 cloud, RandomPods pods, Random random, boolean blocks, boolean change) {
    this.cloud = cloud;
    this.pods = pods;
    this.random = random;
    this.blocks = blocks;
    this.change = change;
    parked.add(cloud.park("somebody else's", Map.of("owner", "somebody else")));
    parked.add(cloud.park("aws-K8S-" + cloud.id(), Map.of(INSTANCE, cloud.id())));
    parked.add(
        cloud.park("Tidemark (" + ELSEWHERE + ")", Map.of(INSTANCE, ELSEWHERE, TOKEN, "token")));
  }

  boolean change() {
    return change;
  }

  /** The CIDRs that they have added, removed or moved. */
  Set<Cidr> touched() {
    return touched;
  }

  /** They may change something now. */
  void second() {
    if (!change || random.nextInt(100) > 0) {
      return;
    }
    List<CloudInterface> all = cloud.attached();
    CloudInterface one = all.get(random.nextInt(all.size()));
    Set<Cidr> before = InstanceEc2.cidrs(one);
    switch (random.nextInt(4)) {
      case 0 -> {
        if (!before.isEmpty()) {
          Cidr cidr = before.stream().sorted().toList().get(random.nextInt(before.size()));
          gone(Set.of(cidr));
          cloud.remove(one, cidr);
        }
      }
      case 1 -> {
        cloud.add(one, blocks);
        cloud.attached().stream()
            .filter(each -> each.id().equals(one.id()))
            .flatMap(each -> InstanceEc2.cidrs(each).stream())
            .filter(cidr -> !before.contains(cidr))
            .forEach(touched::add);
      }
      case 2 -> cloud.attach(random.nextBoolean());
      default -> {
        if (one.deviceIndex() > 0) {
          gone(before);
          cloud.detach(one);
        }
      }
    }
  }

  /** They have taken away these, or the interface that these are on. */
  void gone(Set<Cidr> cidrs) {
    touched.addAll(cidrs);
    cidrs.forEach(pods::removedByOthers);
  }

  /**
   * The resources that the node's program has left behind, would leave behind with the instance, or
   * has taken from others; empty when it is sound.
   */
  String leftovers() {
    Set<String> left = cloud.unattached();
    if (!left.containsAll(parked)) {
      return "interfaces of others are deleted: " + parked + " and not " + left;
    }
    List<String> staying =
        cloud.attached().stream()
            .filter(each -> each.tags().containsKey(TOKEN) && !each.deleteOnTermination())
            .map(CloudInterface::id)
            .toList();
    if (!staying.isEmpty()) {
      return "interfaces do not go with the instance: " + staying;
    }
    left.removeAll(parked);
    left.removeAll(cloud.ofOthers());
    return left.isEmpty() ? "" : "interfaces are left behind: " + left;
  }
}
