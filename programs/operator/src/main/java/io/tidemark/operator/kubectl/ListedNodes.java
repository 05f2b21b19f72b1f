package io.tidemark.operator.kubectl;

import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.leader.ListedNode;
import io.tidemark.kubernetes.leader.OperatorLease;
import io.tidemark.kubernetes.lease.LeaseSettings;
import io.tidemark.operator.report.NodeRow.Column;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The content of the objects of all nodes. Immutable.
 *
 * @param shows what their operator gives them
 */
record ListedNodes(Shows shows, List<ListedNode> nodes) {
  enum Shows {
    ADDRESSES,
    CIDRS,
    IDS
  }

  ListedNodes {
    nodes = nodes.stream().sorted(Comparator.comparing(ListedNode::name)).toList();
  }

  /**
   * Lists them; blocks for one request per 500.
   *
   * @param leases of the operators that exist; the first decides which objects are listed
   * @throws ListedNode.Unreadable with the reason
   */
  static ListedNodes read(ClusterConnection cluster, List<OperatorLease> leases)
      throws ListedNode.Unreadable {
    String mode =
        leases.stream()
            .filter(OperatorLease::isHeld)
            .findFirst()
            .or(() -> leases.stream().findFirst())
            .map(OperatorLease::name)
            .orElse(LeaseSettings.USUAL_NAME);
    if (mode.equals(LeaseSettings.NODE_CIDR_NAME)) {
      return new ListedNodes(Shows.CIDRS, ListedNode.nodes(cluster));
    }
    if (mode.equals(LeaseSettings.NODE_ID_NAME)) {
      return new ListedNodes(Shows.IDS, ListedNode.nodes(cluster));
    }
    List<ListedNode> nodes = ListedNode.ciliumNodes(cluster);
    boolean pools =
        nodes.stream().anyMatch(node -> node.available() > 0)
            || nodes.stream().allMatch(node -> node.podCidrs().isEmpty());
    return new ListedNodes(pools ? Shows.ADDRESSES : Shows.CIDRS, nodes);
  }

  /** The columns of one of them, as an operator shows it. */
  List<Column> columns(ListedNode node) {
    return switch (shows) {
      case ADDRESSES ->
          List.of(Column.of("used", node.used()), Column.of("available", node.available()));
      case CIDRS -> List.of(Column.of("podCIDRs", node.podCidrs()));
      case IDS ->
          List.of(
              new Column("id", id(node.id())),
              new Column("podSubnet", node.podCidrs().stream().<Object>map(it -> it).findFirst()));
    };
  }

  private static Optional<Object> id(String text) {
    return text.matches("[0-9]{1,9}") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
  }
}
