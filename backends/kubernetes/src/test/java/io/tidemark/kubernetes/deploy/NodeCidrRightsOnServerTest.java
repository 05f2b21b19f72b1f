package io.tidemark.kubernetes.deploy;

import io.tidemark.cluster.EventWording;
import io.tidemark.error.CoreError;
import io.tidemark.ip.Cidr;
import io.tidemark.kubernetes.deploy.Rights.Use;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@Tag("long")
@DisplayName("NC-AM38 The rights of deploy/node-cidr: enough, and nothing is too much")
class NodeCidrRightsOnServerTest extends RightsContract {
  NodeCidrRightsOnServerTest() {
    super(Manifests.NODE_CIDR);
  }

  @Override
  Map<String, Use> uses() {
    Use nodes =
        nodes(
            (all, node, number) ->
                all.assignPodCidrs(
                    node.name(), node.uid(), List.of(Cidr.parse("10.9." + number + ".0/24"))));
    return Map.of(
        "nodes", nodes, "leases", rights.leases(), "events", complaints -> events(rights));
  }

  /** Problems of Nodes. */
  static void events(Rights rights) {
    rights.reportTwice(
        (events, node) ->
            events
                .onNodes(name -> Optional.of("u"), EventWording.USUAL)
                .report(node, CoreError.NODE_UNKNOWN, "none"));
  }
}
