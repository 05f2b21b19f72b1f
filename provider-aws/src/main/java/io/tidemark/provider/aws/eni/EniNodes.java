package io.tidemark.provider.aws.eni;

import io.tidemark.provider.kit.step.InterfaceRepair;
import io.tidemark.spi.InstanceId;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** The nodes of one account, by their instances. Thread-safe. */
final class EniNodes {
  final ConcurrentHashMap<InstanceId, EniNode> byInstance = new ConcurrentHashMap<>();
  private final EniAccount account;
  private final InterfaceRepair<AwsEni> repair;

  EniNodes(EniAccount account) {
    this.account = account;
    this.repair = new InterfaceRepair<>(account.state);
  }

  /** The VPCs that nodes are in, as far as it is known (M19). */
  Set<String> vpcIds() {
    Set<String> ids = new TreeSet<>();
    byInstance.values().forEach(node -> node.vpcId().ifPresent(ids::add));
    return ids;
  }

  /** EC2 was asked for an instance; counts for those that nodes name. */
  void told(InstanceId id, boolean exists) {
    if (byInstance.containsKey(id)) {
      account.named.told(id, exists);
      if (!byInstance.containsKey(id)) {
        account.named.forget(id); // the node went meanwhile
      }
    }
  }

  /** Brings the delete-on-termination marks of our interfaces to what the node wants. */
  void repairMarks(InstanceId id) {
    EniNode node = byInstance.get(id);
    if (node == null || node.untouchable().isPresent()) {
      return;
    }
    boolean wanted = node.deleteOnTermination();
    repair.check(
        id,
        node.name(),
        eni -> account.owner.own(eni.tags()) && eni.place().deleteOnTermination() != wanted,
        eni -> eni.withDeleteOnTermination(wanted),
        (eni, context) ->
            account.ec2.markDeleteOnTermination(
                eni.id(), eni.place().attachmentId(), wanted, context));
  }
}
