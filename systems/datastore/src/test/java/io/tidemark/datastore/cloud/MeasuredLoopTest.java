package io.tidemark.datastore.cloud;

import static io.tidemark.datastore.cloud.TestLoop.MINUTE;
import static io.tidemark.datastore.cloud.TestLoop.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.cloud.CloudAnswer.Reason;
import io.tidemark.metrics.Metric;
import io.tidemark.metrics.TestMeters;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a loop measures")
class MeasuredLoopTest {
  private static final Metric CORRECTIONS = Metric.STORE_CORRECTIONS;

  private static Map<String, Double> corrections(
      double enisAdded, double enisRemoved, double added, double removed) {
    return Map.of(
        "0 eniReconcileAdd", enisAdded,
        "0 eniReconcileDel", enisRemoved,
        "0 eniDataStorePoolReconcileAdd", added,
        "0 eniIPPoolReconcileDel", removed);
  }

  @Test
  @DisplayName("Limits are those without unmanaged interfaces, once they are known")
  void limits() {
    for (CidrKind kind : CidrKind.values()) {
      TestLoop node = new TestLoop(kind, TestLoop.targets(1, 1), 10, 4);
      TestMeters measured = new TestMeters();
      node.loop.measure(measured.meters);
      assertThat(measured.value(Metric.STORE_ENI_MAX, "0")).isZero();
      assertThat(measured.value(Metric.STORE_IP_MAX, "0")).isZero();
      node.cloud.attachByOthers(false);
      node.started().pass(SECOND);
      assertThat(measured.value(Metric.STORE_ENI_MAX, "0")).isEqualTo(3);
      assertThat(measured.value(Metric.STORE_IP_MAX, "0"))
          .isEqualTo(kind == CidrKind.PREFIX ? 480 : 30);
    }
  }

  @Test
  @DisplayName(
      "Corrections are what the cloud shows after the start, not what the loop does itself")
  void corrections() {
    TestLoop node = TestLoop.addresses(20, 0);
    TestMeters measured = new TestMeters();
    node.loop.measure(measured.meters);
    node.cloud.subnetRoom = 6;
    node.started().pass(MINUTE.multipliedBy(4));
    assertThat(node.cloud.cidrs()).as("it grows").isNotEmpty();
    assertThat(measured.all(CORRECTIONS)).isEqualTo(corrections(0, 0, 0, 0));
    node.cloud.subnetRoom = 0;
    String other = node.cloud.attachByOthers(true);
    assertThat(node.cloud.addByOthers(other, CidrKind.SECONDARY, 2)).hasSize(2);
    node.nextRead();
    assertThat(measured.all(CORRECTIONS)).isEqualTo(corrections(1, 0, 2, 0));
    assertThat(node.cloud.addByOthers(FakeCloud.PRIMARY, CidrKind.SECONDARY, 1)).hasSize(1);
    node.nextRead();
    assertThat(measured.value(CORRECTIONS, "0", "eniDataStorePoolReconcileAdd")).isEqualTo(3);
    node.cloud.detachByOthers(other);
    node.nextRead();
    node.nextRead();
    assertThat(measured.value(CORRECTIONS, "0", "eniReconcileDel")).isEqualTo(1);
  }

  @Test
  @DisplayName("Requests count while they are under way, and when they failed or were lost")
  void requests() {
    TestLoop node = TestLoop.addresses(1, 0);
    TestMeters measured = new TestMeters();
    node.loop.measure(measured.meters);
    node.fate("read", EffectFate.answered(SECOND, SECOND));
    var filled = node.loop.fill();
    node.pass(SECOND);
    assertThat(measured.all(Metric.STORE_IN_PROGRESS))
        .containsExactly(Map.entry("nodeIPPoolReconcile", 1.0));
    assertThat(node.ended(filled)).isTrue();
    assertThat(measured.all(Metric.STORE_IN_PROGRESS))
        .containsExactly(Map.entry("nodeIPPoolReconcile", 0.0));
    assertThat(measured.all(Metric.STORE_ERRORS)).isEmpty();
    node.refusals.add(Reason.SUBNET_FULL);
    node.started().pass(SECOND);
    node.cloud.addByOthers(FakeCloud.PRIMARY, CidrKind.SECONDARY, 5);
    node.fate("unassign", EffectFate.answerLost(Duration.ZERO));
    node.pass(MINUTE.multipliedBy(5));
    assertThat(measured.all(Metric.STORE_ERRORS))
        .containsExactly(
            Map.entry("decreaseIPPool", 1.0),
            Map.entry("increaseIPPoolAllocIPAddressesFailed", 1.0));
    assertThat(measured.all(Metric.STORE_IN_PROGRESS))
        .containsExactly(
            Map.entry("decreaseDatastorePool", 0.0),
            Map.entry("increaseDatastorePool", 0.0),
            Map.entry("nodeIPPoolReconcile", 0.0));
  }
}
