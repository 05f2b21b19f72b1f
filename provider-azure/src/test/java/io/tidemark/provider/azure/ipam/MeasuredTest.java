package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.ip.AddressSet;
import io.tidemark.metrics.Metric;
import io.tidemark.spi.PoolId;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is measured of Azure (Z11)")
class MeasuredTest {
  private static final Duration LASTS = Duration.ofSeconds(30);
  private static final String UPDATE = "VirtualMachineScaleSetVMs.Update";

  private final AzureWorld world = AzureWorld.lasting(LASTS);
  private final AzureAllocation azure = world.allocation();
  private final OneNode node = OneNode.on(world, azure, Form.UNIFORM.machine);

  private String subnet() {
    PoolId only = azure.poolQuota().keySet().iterator().next();
    return only.text();
  }

  @Test
  @DisplayName("an operation from its acceptance until it was seen to end")
  void operations() {
    assertThat(node.added(1).size()).isEqualTo(1);
    assertThat(world.measured.value(Metric.ENI_OPERATION_DURATION, UPDATE, "succeeded"))
        .isEqualTo(1);
    assertThat(world.measured.time(Metric.ENI_OPERATION_DURATION, UPDATE, "succeeded"))
        .isBetween(LASTS, LASTS.plusSeconds(5));
    world.azure.faults(ArmFault.every(UPDATE, ArmFault.Kind.FAIL_OPERATION));
    node.allocate(1);
    assertThat(world.measured.value(Metric.ENI_OPERATION_DURATION, UPDATE, "failed")).isEqualTo(1);
  }

  @Test
  @DisplayName("a write that met a newer etag")
  void staleEtags() {
    world.azure.faults(ArmFault.refusing(UPDATE, 412, "PreconditionFailed").window(0, 2));

    assertThat(node.added(1).size()).isEqualTo(1);
    assertThat(world.measured.value(Metric.ENI_STALE_ETAG)).isEqualTo(2);
  }

  @Test
  @DisplayName("how old the count of a subnet is, until nobody uses the subnet")
  void countAge() {
    assertThat(world.measured.all(Metric.ENI_COUNT_AGE)).isEmpty();
    world.pass(Duration.ofSeconds(100));
    node.resync();
    assertThat(world.measured.value(Metric.ENI_COUNT_AGE, subnet())).isBetween(90.0, 200.0);
    String gone = subnet();
    azure.deleteInstance(world.id(node.machine));
    node.resync();
    assertThat(world.measured.value(Metric.ENI_COUNT_AGE, gone)).isNaN();
  }

  @Test
  @DisplayName("how many released addresses are not free yet, until they are")
  void quarantine() {
    AddressSet added = node.added(4);
    node.release(OneNode.singles(added.first(3)));
    assertThat(world.measured.value(Metric.ENI_QUARANTINED, subnet())).isEqualTo(3);
    world.pass(Duration.ofMinutes(11));
    node.resync();
    assertThat(world.measured.value(Metric.ENI_QUARANTINED, subnet())).isZero();
  }
}
