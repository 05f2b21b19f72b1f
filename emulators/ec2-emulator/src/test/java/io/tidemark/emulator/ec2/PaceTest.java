package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.emulator.ec2.model.Ec2ModelOptions.Delay;
import io.tidemark.emulator.ec2.model.Reply;
import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.emulator.kit.pace.Delivery;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.ec2.Ec2Client;

@DisplayName("Throttling, faults, lagging reads and latency")
class PaceTest {
  @DisplayName("Buckets have the documented figures (Request throttling for the Amazon EC2 API)")
  @ParameterizedTest(name = "{0}: {1} at once, {2} a second later")
  @CsvSource({
    "CreateNetworkInterface, 100, 5",
    "DeleteNetworkInterface, 100, 5",
    "AssignPrivateIpAddresses, 100, 5",
    "UnassignPrivateIpAddresses, 100, 5",
    "ModifyNetworkInterfaceAttribute, 100, 5",
    "AttachNetworkInterface, 50, 5",
    "DetachNetworkInterface, 50, 5",
    "CreateTags, 100, 10",
    "DeleteTags, 100, 10",
    "RunInstances, 5, 2",
    "StartInstances, 5, 2",
    "TerminateInstances, 100, 5",
    "CreateVpc, 50, 5",
    "DescribeSubnets, 100, 20",
    "DescribeInstances, 50, 10",
    "DescribeNetworkInterfaces, 50, 10",
    "DescribeSecurityGroups, 50, 10"
  })
  void buckets(String action, int burst, int perSecond) {
    World world = new World(World.options().withThrottling(0));
    assertThat(passed(world, action, 200)).isEqualTo(burst);
    world.pass(Duration.ofSeconds(1));
    assertThat(passed(world, action, 200)).isEqualTo(perSecond);
    world.pass(Duration.ofHours(1));
    assertThat(passed(world, action, 200)).as("never more than its size").isEqualTo(burst);
  }

  @Test
  @DisplayName("Noisy neighbours may come and go: what they use, they use from then on")
  void neighboursChange() {
    World world = new World(World.options().withThrottling(0));
    assertThat(passed(world, "CreateTags", 200)).isEqualTo(100);
    world.pass(Duration.ofSeconds(1));
    world.model().useNeighbours(0.5, world.now());
    assertThat(passed(world, "CreateTags", 200)).as("of the time before").isEqualTo(10);
    world.pass(Duration.ofSeconds(1));
    assertThat(passed(world, "CreateTags", 200)).isEqualTo(5);
    world.model().useNeighbours(1, world.now());
    world.pass(Duration.ofSeconds(1));
    assertThat(passed(world, "CreateTags", 200)).isZero();
    world.model().useNeighbours(0, world.now());
    world.pass(Duration.ofSeconds(1));
    assertThat(passed(world, "CreateTags", 200)).isEqualTo(10);
    assertThatThrownBy(() -> world.model().useNeighbours(1.1, world.now()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("A filtered or paged listing has a bucket of its own")
  void bounded() {
    World world = new World(World.options().withThrottling(0));
    assertThat(passed(world, "DescribeNetworkInterfaces", 200)).isEqualTo(50);
    assertThat(passed(world, "DescribeNetworkInterfaces", 200, "MaxResults=5")).isEqualTo(100);
  }

  @Test
  @DisplayName("An account's buckets are its own; a refusal is a 503")
  void accounts() {
    World world = new World(World.options().withThrottling(0));
    assertThat(passed(world, "CreateVpc", 200)).isEqualTo(50);
    Ec2Error error = world.refusal("CreateVpc");
    assertThat(error)
        .isEqualTo(new Ec2Error("RequestLimitExceeded", "Request limit exceeded.", 503));
    assertThat(passed(world.as("222222222222"), "CreateVpc", 200)).isEqualTo(50);
  }

  @Test
  @DisplayName("Noisy neighbours take their share of the refill")
  void neighbours() {
    World world = new World(World.options().withThrottling(0.6));
    passed(world, "CreateNetworkInterface", 200);
    world.pass(Duration.ofSeconds(10));
    assertThat(passed(world, "CreateNetworkInterface", 200)).isEqualTo(20);
  }

  @Test
  @DisplayName("Instances have tokens besides requests: 1,000 launches at once, then 2 a second")
  void resourceTokens() {
    World world = new World(World.options().withThrottling(0));
    String request = "ImageId=" + World.IMAGE + "&InstanceType=t3.micro&MinCount=500&MaxCount=500";
    world.call("RunInstances", request);
    world.call("RunInstances", request);
    assertThat(world.refusal("RunInstances", request).code()).isEqualTo("RequestLimitExceeded");
  }

  @DisplayName("Faults: what is done, and what becomes of the answer")
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "FAIL,         SENT,  false",
    "THROTTLE,     SENT,  false",
    "LOSE_REQUEST, LOST,  false",
    "LOSE_ANSWER,  LOST,  true",
    "HANG,         NEVER, true"
  })
  void faults(Ec2FaultRule.Kind kind, Delivery delivery, boolean done) {
    World world = faulty(Ec2FaultRule.every("CreateNetworkInterface", kind).window(1, 1));
    String subnet = world.subnet("10.0.0.0/24");
    world.interfaceId(subnet);
    Reply hit = world.send("CreateNetworkInterface", "SubnetId=" + subnet);
    assertThat(hit.delivery()).isEqualTo(delivery);
    assertThat(world.available(subnet)).isEqualTo(done ? 249 : 250);
    world.interfaceId(subnet);
    assertThat(world.available(subnet)).isEqualTo(done ? 248 : 249);
  }

  @Test
  @DisplayName("A lost answer is done once, and its token gives it again")
  void lostAnswer() {
    World world =
        faulty(
            Ec2FaultRule.every("CreateNetworkInterface", Ec2FaultRule.Kind.LOSE_ANSWER)
                .window(0, 1));
    String subnet = world.subnet("10.0.0.0/24");
    String request = "SubnetId=" + subnet + "&ClientToken=t";
    assertThat(world.send("CreateNetworkInterface", request).delivery()).isEqualTo(Delivery.LOST);
    world.call("CreateNetworkInterface", request);
    assertThat(world.available(subnet)).isEqualTo(250);
  }

  @Test
  @DisplayName("A partial success assigns half of what is asked")
  void partial() {
    World world = faulty(Ec2FaultRule.every("AssignPrivateIpAddresses", Ec2FaultRule.Kind.PARTIAL));
    String id = world.interfaceId(world.subnet("10.0.0.0/24"));
    Answer answer =
        world.call(
            "AssignPrivateIpAddresses",
            "NetworkInterfaceId=" + id,
            "SecondaryPrivateIpAddressCount=5");
    assertThat(answer.structures("assignedPrivateIpAddressesSet")).hasSize(3);
  }

  @Test
  @DisplayName("A fault of probability one half hits about every second request, by the seed")
  void probability() {
    Ec2FaultRule half = Ec2FaultRule.every("*", Ec2FaultRule.Kind.THROTTLE).withProbability(0.5);
    assertThat(passed(faulty(half), "DescribeVpcs", 1000)).isBetween(420, 580);
    assertThat(passed(faulty(half), "DescribeVpcs", 300))
        .isEqualTo(passed(faulty(half), "DescribeVpcs", 300));
  }

  @Test
  @DisplayName("Denied actions are refused with 403, for a principal or for everybody")
  void denials() {
    World world = new World();
    world.model().denials().set(World.ACCOUNT, Set.of("CreateVpc"));
    Ec2Error error = world.refusal("CreateVpc", "CidrBlock=10.0.0.0/24");
    assertThat(error.code()).isEqualTo("UnauthorizedOperation");
    assertThat(error.status()).isEqualTo(403);
    assertThat(error.message()).contains("ec2:CreateVpc");
    world.as("222222222222").vpc("10.0.0.0/24");
    world.model().denials().set("*", Set.of("*"));
    assertThat(world.refusal("DescribeVpcs").code()).isEqualTo("UnauthorizedOperation");
  }

  @Test
  @DisplayName("A listing lags behind a change; a change sees the present")
  void visibility() {
    DelayRange two = DelayRange.fixed(Duration.ofSeconds(2));
    World world = new World(World.options().withDelay(two, Delay.VISIBILITY));
    String subnet = world.subnet("10.0.0.0/24");
    world.pass(Duration.ofSeconds(2));
    Reply made = world.send("CreateNetworkInterface", "SubnetId=" + subnet);
    assertThat(made.visibleAt()).isEqualTo(world.now().plusSeconds(2));
    String id = world.region().interfaces().present().findFirst().orElseThrow().id();
    assertThat(world.shown(id)).isEmpty();
    assertThat(world.available(subnet)).isEqualTo(251);
    world.call(
        "AssignPrivateIpAddresses", "NetworkInterfaceId=" + id, "SecondaryPrivateIpAddressCount=1");
    world.pass(Duration.ofSeconds(2));
    assertThat(world.shown(id)).isPresent();
    assertThat(world.available(subnet)).isEqualTo(249);
    world.call("DeleteNetworkInterface", "NetworkInterfaceId=" + id);
    assertThat(world.shown(id)).as("still listed").isPresent();
    world.pass(Duration.ofSeconds(2));
    assertThat(world.shown(id)).isEmpty();
  }

  @Test
  @DisplayName("With a lag drawn for each read a later read may see less, and in the end all")
  void readLag() {
    World world =
        new World(
            World.options().withDelay(DelayRange.upTo(Duration.ofSeconds(10)), Delay.READ_LAG));
    String subnet = world.subnet("10.0.0.0/24");
    String id = world.interfaceId(subnet);
    world.pass(Duration.ofSeconds(5));
    long seen = 0;
    for (int i = 0; i < 200; i++) {
      seen += world.shown(id).stream().count();
    }
    assertThat(seen).isBetween(60L, 140L);
    world.pass(Duration.ofSeconds(10));
    for (int i = 0; i < 50; i++) {
      assertThat(world.shown(id)).isPresent();
    }
  }

  @Test
  @DisplayName("AWS-63 a reply reports its latency; an action may have its own")
  void latency() {
    Duration slow = Duration.ofSeconds(1);
    World world =
        new World(
            World.options()
                .withLatency("*", new DelayRange(Duration.ofMillis(50), Duration.ofMillis(150)))
                .withLatency("DescribeSubnets", DelayRange.fixed(slow)));
    assertThat(world.send("DescribeSubnets").latency()).isEqualTo(slow);
    for (int i = 0; i < 20; i++) {
      assertThat(world.send("DescribeVpcs").latency())
          .isBetween(Duration.ofMillis(50), Duration.ofMillis(150));
    }
  }

  @Test
  @DisplayName("The SDK sees a broken connection when an answer is lost")
  void lostToTheSdk() {
    Ec2Emulator emulator = Ec2Emulator.in(new VirtualTime(0), World.options());
    emulator.faults(
        List.of(Ec2FaultRule.every("CreateVpc", Ec2FaultRule.Kind.LOSE_ANSWER).window(0, 1)));
    try (Ec2Client ec2 = SdkClients.inProcess(emulator, World.ACCOUNT)) {
      assertThatThrownBy(() -> ec2.createVpc(r -> r.cidrBlock("10.0.0.0/24")))
          .isInstanceOf(SdkClientException.class);
      assertThat(ec2.describeVpcs().vpcs()).hasSize(2);
    }
  }

  private static World faulty(Ec2FaultRule rule) {
    World world = new World();
    world.model().faults().set(List.of(rule));
    return world;
  }

  private static int passed(World world, String action, int tries, String... parameters) {
    int passed = 0;
    for (int i = 0; i < tries; i++) {
      Reply reply = world.send(action, parameters);
      passed +=
          reply
              .result()
              .match(answer -> 1, error -> error.code().equals("RequestLimitExceeded") ? 0 : 1);
    }
    return passed;
  }
}
