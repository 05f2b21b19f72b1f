package io.tidemark.datastore.cloud;

import static io.tidemark.datastore.cloud.TestLoop.MINUTE;
import static io.tidemark.datastore.cloud.TestLoop.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.cloud.CloudAnswer.Reason;
import io.tidemark.metrics.DatastoreMetrics;
import io.tidemark.metrics.DatastoreMetrics.LoopCounts;
import io.tidemark.time.EffectFate;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a loop measures")
class MeasuredLoopTest {
  private final List<Supplier<LoopCounts>> loops = new ArrayList<>();
  private final Map<String, Integer> inProgress = new TreeMap<>();
  private final Map<String, Integer> failed = new TreeMap<>();

  private final DatastoreMetrics metrics =
      (DatastoreMetrics)
          Proxy.newProxyInstance(
              DatastoreMetrics.class.getClassLoader(),
              new Class<?>[] {DatastoreMetrics.class},
              (proxy, method, arguments) -> {
                switch (method.getName()) {
                  case "loop" -> loops.add(counts(arguments[1]));
                  case "inProgress" ->
                      inProgress.merge((String) arguments[0], (int) arguments[1], Integer::sum);
                  case "failed" -> failed.merge((String) arguments[0], 1, Integer::sum);
                  default -> throw new UnsupportedOperationException(method.getName());
                }
                return null;
              });

  @SuppressWarnings("unchecked")
  private static Supplier<LoopCounts> counts(Object supplier) {
    return (Supplier<LoopCounts>) supplier;
  }

  private LoopCounts measured(TestLoop node) {
    node.loop.measure(metrics);
    return loops.get(0).get();
  }

  private static Map<String, Long> corrections(
      long enisAdded, long enisRemoved, long added, long removed) {
    return Map.of(
        "eniReconcileAdd", enisAdded,
        "eniReconcileDel", enisRemoved,
        "eniDataStorePoolReconcileAdd", added,
        "eniIPPoolReconcileDel", removed);
  }

  @Test
  @DisplayName("Limits are those without unmanaged interfaces, once they are known")
  void limits() {
    for (CidrKind kind : CidrKind.values()) {
      TestLoop node = new TestLoop(kind, TestLoop.targets(1, 1), 10, 4);
      assertThat(measured(node)).isEqualTo(new LoopCounts(0, 0, corrections(0, 0, 0, 0)));
      node.cloud.attachByOthers(false);
      node.started().pass(SECOND);
      LoopCounts counts = loops.get(0).get();
      assertThat(counts.interfacesMax()).isEqualTo(3);
      assertThat(counts.ipsMax()).isEqualTo(kind == CidrKind.PREFIX ? 480 : 30);
      loops.clear();
    }
  }

  @Test
  @DisplayName(
      "Corrections are what the cloud shows after the start, not what the loop does itself")
  void corrections() {
    TestLoop node = TestLoop.addresses(20, 0);
    node.cloud.subnetRoom = 6;
    node.started().pass(MINUTE.multipliedBy(4));
    assertThat(node.cloud.cidrs()).as("it grows").isNotEmpty();
    assertThat(measured(node).corrections()).isEqualTo(corrections(0, 0, 0, 0));
    node.cloud.subnetRoom = 0;
    String other = node.cloud.attachByOthers(true);
    assertThat(node.cloud.addByOthers(other, CidrKind.SECONDARY, 2)).hasSize(2);
    node.nextRead();
    assertThat(measured(node).corrections()).isEqualTo(corrections(1, 0, 2, 0));
    assertThat(node.cloud.addByOthers(FakeCloud.PRIMARY, CidrKind.SECONDARY, 1)).hasSize(1);
    node.nextRead();
    assertThat(measured(node).corrections().get("eniDataStorePoolReconcileAdd")).isEqualTo(3);
    node.cloud.detachByOthers(other);
    node.nextRead();
    node.nextRead();
    assertThat(measured(node).corrections().get("eniReconcileDel")).isEqualTo(1);
  }

  @Test
  @DisplayName("Requests count while they are under way, and when they failed or were lost")
  void requests() {
    TestLoop node = TestLoop.addresses(1, 1);
    MeasuredInterfaceCloud cloud = new MeasuredInterfaceCloud(node.client, metrics);
    var read = cloud.read();
    assertThat(inProgress).containsExactly(Map.entry("nodeIPPoolReconcile", 1));
    assertThat(node.ended(read)).isInstanceOf(CloudAnswer.Done.class);
    assertThat(inProgress).containsExactly(Map.entry("nodeIPPoolReconcile", 0));
    assertThat(failed).isEmpty();
    node.refusals.add(Reason.SUBNET_FULL);
    assertThat(node.ended(cloud.assign(FakeCloud.PRIMARY, CidrKind.SECONDARY, 1)))
        .isInstanceOf(CloudAnswer.Refused.class);
    node.pass(MINUTE.multipliedBy(3));
    assertThat(node.ended(cloud.createEni(CidrKind.SECONDARY, 1)))
        .isInstanceOf(CloudAnswer.Done.class);
    node.fate("unassign", EffectFate.answerLost(Duration.ZERO));
    assertThat(node.ended(cloud.unassign(FakeCloud.PRIMARY, CidrKind.SECONDARY, List.of())))
        .isInstanceOf(CloudAnswer.Unknown.class);
    assertThat(failed)
        .containsExactly(
            Map.entry("decreaseIPPool", 1), Map.entry("increaseIPPoolAllocIPAddressesFailed", 1));
    assertThat(inProgress)
        .containsExactly(
            Map.entry("decreaseDatastorePool", 0),
            Map.entry("increaseDatastorePool", 0),
            Map.entry("nodeIPPoolReconcile", 0));
  }
}
