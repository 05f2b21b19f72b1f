package example.operator;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.tidemark.engine.Tidemark;
import java.time.Duration;
import java.util.Map;

/**
 * The operator's own work: labels each Node with the number of its pod addresses, which it asks the
 * engine beside it for.
 */
@ControllerConfiguration
final class AddressLabels implements Reconciler<Node> {
  /** The label on a Node. */
  static final String LABEL = "example.com/pod-addresses";

  private final Tidemark tidemark;

  AddressLabels(Tidemark tidemark) {
    this.tidemark = tidemark;
  }

  @Override
  public UpdateControl<Node> reconcile(Node node, Context<Node> context) {
    String addresses =
        tidemark
            .report(node.getMetadata().getName())
            .map(report -> Integer.toString(report.available()))
            .orElse("0");
    if (addresses.equals(node.getMetadata().getLabels().get(LABEL))) {
      return UpdateControl.<Node>noUpdate().rescheduleAfter(Duration.ofSeconds(10));
    }
    Node label =
        new NodeBuilder()
            .withNewMetadata()
            .withName(node.getMetadata().getName())
            .withLabels(Map.of(LABEL, addresses))
            .endMetadata()
            .build();
    return UpdateControl.patchResource(label).rescheduleAfter(Duration.ofSeconds(1));
  }
}
