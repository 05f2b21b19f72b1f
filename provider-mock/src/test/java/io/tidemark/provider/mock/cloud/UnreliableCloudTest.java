package io.tidemark.provider.mock.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.ip.Cidr;
import io.tidemark.time.NeverAnswers;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The mock cloud on a bad day")
class UnreliableCloudTest {
  private static final CloudOperation ASSIGN = CloudOperation.ASSIGN_PRIVATE_IP_ADDRESSES;

  private final VirtualTime time = new VirtualTime(0);

  private MockCloud cloud(CloudSettings settings) {
    MockCloud cloud = new MockCloud(settings, time);
    cloud
        .setup()
        .vpc(new Vpc("vpc-1", Cidr.parse("10.0.0.0/16"), List.of()))
        .subnet(new Subnet("subnet-1", "vpc-1", "zone-1", Cidr.parse("10.0.0.0/24"), Map.of()));
    cloud.setup().launch(InstanceLaunch.of("i-1", "m5.large", "subnet-1"));
    return cloud;
  }

  private MockCloud cloud(FaultRule... rules) {
    return cloud(
        CloudSettings.calm()
            .withFaults(
                new FaultScript(Arrays.asList(rules), Duration.ZERO, new SplittableRandom(1))));
  }

  private static String eni(MockCloud cloud) {
    return cloud.attachedTo("i-1").get(0).id();
  }

  private static int held(MockCloud cloud) {
    return cloud.attachedTo("i-1").get(0).singles().size();
  }

  private List<NetworkInterface> described(MockCloud cloud) throws Exception {
    return cloud
        .describeNetworkInterfaces(
            new InterfaceQuery.OfInstances(new TreeSet<>(List.of("i-1"))), "")
        .items();
  }

  @Test
  @DisplayName("loses the answer after the effect, or the request before it")
  void lostAnswers() {
    MockCloud cloud =
        cloud(
            FaultRule.nth(ASSIGN, 1, new Fault.LoseAnswer(true)),
            FaultRule.nth(ASSIGN, 1, new Fault.LoseAnswer(false)));

    assertThatThrownBy(() -> cloud.assignPrivateIpAddresses(eni(cloud), 3, 0))
        .isInstanceOf(AnswerLost.class);
    assertThat(held(cloud)).isEqualTo(3);
    assertThatThrownBy(() -> cloud.assignPrivateIpAddresses(eni(cloud), 3, 0))
        .isInstanceOf(AnswerLost.class);
    assertThat(held(cloud)).isEqualTo(3);
  }

  @Test
  @DisplayName("never answers, with the effect done or not")
  void hangs() {
    MockCloud cloud =
        cloud(
            FaultRule.nth(ASSIGN, 1, new Fault.Hang(false)),
            FaultRule.nth(ASSIGN, 1, new Fault.Hang(true)));

    assertThatThrownBy(() -> cloud.assignPrivateIpAddresses(eni(cloud), 2, 0))
        .isInstanceOf(NeverAnswers.class);
    assertThat(held(cloud)).isZero();
    assertThatThrownBy(() -> cloud.assignPrivateIpAddresses(eni(cloud), 2, 0))
        .isInstanceOf(NeverAnswers.class);
    assertThat(held(cloud)).isEqualTo(2);
  }

  @Test
  @DisplayName("gives less than was asked for")
  void partialEffects() throws Exception {
    MockCloud cloud = cloud(FaultRule.nth(ASSIGN, 1, new Fault.Partial(2)));

    assertThat(cloud.assignPrivateIpAddresses(eni(cloud), 5, 0).singles().size()).isEqualTo(2);
    assertThat(held(cloud)).isEqualTo(2);
  }

  @Test
  @DisplayName("stops or terminates the instance just before a request reaches it")
  void strikes() throws Exception {
    CloudOperation attach = CloudOperation.ATTACH_NETWORK_INTERFACE;
    MockCloud cloud =
        cloud(
            FaultRule.nth(attach, 1, new Fault.StopInstance()),
            FaultRule.nth(attach, 1, new Fault.TerminateInstance()));
    String loose =
        cloud
            .createNetworkInterface(
                new CreateInterfaceRequest("subnet-1", "test", List.of(), Map.of(), 0, 0, ""))
            .id();

    assertThat(
            catchThrowableOfType(
                    CloudException.class, () -> cloud.attachNetworkInterface(loose, "i-1", 1))
                .code())
        .isEqualTo(CloudErrorCode.INCORRECT_STATE);
    assertThat(
            catchThrowableOfType(
                    CloudException.class, () -> cloud.attachNetworkInterface(loose, "i-1", 1))
                .code())
        .isEqualTo(CloudErrorCode.INSTANCE_NOT_FOUND);
    assertThat(cloud.describeInstances(List.of("i-1", "i-2")))
        .extracting(Instance::state)
        .containsExactly(Instance.State.TERMINATED);
  }

  @Test
  @DisplayName("gives each operation its documented burst and refill, and no more")
  void buckets() throws Exception {
    MockCloud cloud = cloud(CloudSettings.calm().withBuckets(1));
    String eni = eni(cloud);
    for (int i = 0; i < ASSIGN.bucketSize(); i++) {
      cloud.modifyDeleteOnTermination(eni, true);
      cloud.describeVpcs();
    }

    assertThat(
            catchThrowableOfType(
                    CloudException.class, () -> cloud.modifyDeleteOnTermination(eni, true))
                .code())
        .isEqualTo(CloudErrorCode.REQUEST_LIMIT_EXCEEDED);
    assertThat(cloud.throttled())
        .containsExactly(Map.entry(CloudOperation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE, 1L));
    time.runUntil(Duration.ofSeconds(1).toNanos());
    for (int i = 0; i < 5; i++) {
      cloud.modifyDeleteOnTermination(eni, true);
    }
    assertThatThrownBy(() -> cloud.modifyDeleteOnTermination(eni, true))
        .isInstanceOf(CloudException.class);
    assertThat(cloud.calls())
        .containsEntry(CloudOperation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE, 107L);
  }

  @Test
  @DisplayName("answers reads as of an earlier instant, deleted and moved things included")
  void staleReads() throws Exception {
    Duration lag = Duration.ofSeconds(10);
    FaultPlan lagging =
        new FaultPlan() {
          @Override
          public Fault faultOf(CloudCall call) {
            return Fault.none();
          }

          @Override
          public Duration lagOf(CloudCall call) {
            return lag;
          }
        };
    MockCloud cloud = cloud(CloudSettings.calm().withStaleness(lag).withFaults(lagging));
    assertThat(cloud.describeInstances(List.of("i-1"))).isEmpty();
    time.runUntil(Duration.ofSeconds(20).toNanos());
    assertThat(described(cloud)).hasSize(1);

    String second =
        cloud
            .createNetworkInterface(
                new CreateInterfaceRequest("subnet-1", "test", List.of(), Map.of(), 1, 0, ""))
            .id();
    time.runUntil(Duration.ofSeconds(25).toNanos());
    cloud.attachNetworkInterface(second, "i-1", 1);
    assertThat(described(cloud)).hasSize(1);
    time.runUntil(Duration.ofSeconds(35).toNanos());
    assertThat(described(cloud)).hasSize(2);

    cloud.detachNetworkInterface(second);
    time.runUntil(Duration.ofSeconds(36).toNanos());
    cloud.deleteNetworkInterface(second);
    time.runUntil(Duration.ofSeconds(44).toNanos());
    assertThat(described(cloud)).hasSize(2);
    time.runUntil(Duration.ofSeconds(45).toNanos());
    assertThat(described(cloud)).hasSize(1);
    InterfaceQuery all = new InterfaceQuery.All();
    assertThat(cloud.describeNetworkInterfaces(all, "").items()).hasSize(2);
    time.runUntil(Duration.ofSeconds(46).toNanos());
    assertThat(cloud.describeNetworkInterfaces(all, "").items()).hasSize(1);
  }
}
