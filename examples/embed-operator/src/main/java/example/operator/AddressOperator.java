package example.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.tidemark.cluster.run.StopReport;
import io.tidemark.engine.Tidemark;
import io.tidemark.kubernetes.backend.KubernetesBackend;
import io.tidemark.time.ProcessEnd;
import java.time.Duration;
import java.util.Map;

/**
 * An operator with a reconciler of its own and an embedded engine, over one client. The reconciler
 * runs in every replica; the engine works in the one that holds its lease.
 */
public final class AddressOperator {
  private final Tidemark tidemark;
  private final Operator operator;

  /**
   * Puts it together; nothing runs yet.
   *
   * @param client stays open when the operator stops
   * @param settings of the engine, as in docs/config.md
   */
  public AddressOperator(KubernetesClient client, Map<String, String> settings) {
    this.tidemark =
        Tidemark.builder()
            .provider("mock")
            .store(KubernetesBackend.sharingWithLease(client))
            .settings(settings)
            .build();
    this.operator =
        new Operator(
            overrider -> overrider.withKubernetesClient(client).withCloseClientOnStop(false));
    operator.register(new AddressLabels(tidemark));
  }

  /** Starts the reconciler, and the engine as soon as it holds the lease. */
  public void start() {
    operator.start();
    tidemark.start();
  }

  /** Ends the engine first, which gives the lease back, then the reconciler. */
  public StopReport stop() throws InterruptedException {
    try (tidemark) {
      return tidemark.stop(Duration.ofSeconds(10));
    } finally {
      operator.stop();
    }
  }

  /** Runs in the cluster of the surroundings until it gets SIGTERM. */
  public static void main(String[] arguments) throws Exception {
    ProcessEnd end = ProcessEnd.onSignal(Duration.ofSeconds(15), 1);
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      AddressOperator operator = new AddressOperator(client, Map.of("cluster-name", "example"));
      operator.start();
      end.stop().requested().toCompletableFuture().get();
      System.out.println(operator.stop());
    }
    end.exiting(0);
  }
}
