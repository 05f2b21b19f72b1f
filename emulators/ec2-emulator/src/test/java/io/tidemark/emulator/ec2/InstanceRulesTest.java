package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.model.Ec2ModelOptions.Delays;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.kit.pace.DelayRange;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Instances and attachments follow EC2's rules")
class InstanceRulesTest {
  private static final String NO_INSTANCE = "i-0123456789abcdef0";

  static Stream<Rule> rules() {
    return Stream.of(
        new Rule(
            "public logs",
            "a type is one that exists",
            w -> run(w, "m5.gigantic", w.subnet("10.0.0.0/24")),
            "InvalidParameterValue",
            "Invalid value 'm5.gigantic' for InstanceType."),
        new Rule(
            "EC2 error codes, InvalidAMIID.NotFound",
            "the image exists",
            w -> w.refusal("RunInstances", "ImageId=ami-00000000&MinCount=1&MaxCount=1"),
            "InvalidAMIID.NotFound",
            "The image id '[ami-00000000]' does not exist"),
        new Rule(
            "public logs",
            "interfaces and a subnet exclude one another",
            w -> {
              String subnet = w.subnet("10.0.0.0/24");
              return w.refusal(
                  "RunInstances",
                  World.ONE_OF_IMAGE,
                  "SubnetId=" + subnet,
                  "NetworkInterface.1.DeviceIndex=0",
                  "NetworkInterface.1.SubnetId=" + subnet);
            },
            "InvalidParameterCombination",
            "an instance-level subnet ID may not be specified"),
        new Rule(
            "InstanceNetworkInterfaceSpecification, DeviceIndex",
            "each interface of a launch has a device index",
            w ->
                w.refusal(
                    "RunInstances",
                    World.ONE_OF_IMAGE,
                    "NetworkInterface.1.SubnetId=" + w.subnet("10.0.0.0/24")),
            "MissingParameter",
            "deviceIndex"),
        new Rule(
            "EC2 error codes",
            "the instance exists",
            w -> w.refusal("TerminateInstances", "InstanceId.1=" + NO_INSTANCE),
            "InvalidInstanceID.NotFound",
            "The instance ID '" + NO_INSTANCE + "' does not exist"),
        new Rule(
            "EC2 error codes",
            "all instances of a call exist",
            w ->
                w.refusal(
                    "StopInstances", "InstanceId.1=" + NO_INSTANCE, "InstanceId.2=i-00000000"),
            "InvalidInstanceID.NotFound",
            "The instance IDs '" + NO_INSTANCE + ", i-00000000' do not exist"),
        new Rule(
            "Instance lifecycle, EC2 User Guide",
            "a terminated instance is not started",
            w -> {
              String instance = w.instance("m5.large", w.subnet("10.0.0.0/24"));
              w.call("TerminateInstances", "InstanceId.1=" + instance);
              return w.refusal("StartInstances", "InstanceId.1=" + instance);
            },
            "IncorrectInstanceState",
            "is not in a state from which it can be started"),
        new Rule(
            "IP addresses per network interface per instance type, EC2 User Guide",
            "an m5.large has three interfaces at most",
            w -> {
              String subnet = w.subnet("10.0.0.0/24");
              String instance = w.instance("m5.large", subnet);
              w.attach(w.interfaceId(subnet), instance, 1);
              w.attach(w.interfaceId(subnet), instance, 2);
              return attach(w, w.interfaceId(subnet), instance, "3");
            },
            "AttachmentLimitExceeded",
            "Interface count 4 exceeds the limit for m5.large"),
        new Rule(
            "public logs",
            "a device index is used once",
            w -> {
              String subnet = w.subnet("10.0.0.0/24");
              String instance = w.instance("m5.large", subnet);
              w.attach(w.interfaceId(subnet), instance, 1);
              return attach(w, w.interfaceId(subnet), instance, "1");
            },
            "InvalidParameterValue",
            "already has an interface attached at device index '1'."),
        new Rule(
            "EC2 error codes, InvalidNetworkInterface.InUse",
            "an interface is attached once",
            w -> {
              String subnet = w.subnet("10.0.0.0/24");
              String id = w.interfaceId(subnet);
              w.attach(id, w.instance("m5.large", subnet), 1);
              return attach(w, id, w.instance("m5.large", subnet), "1");
            },
            "InvalidNetworkInterface.InUse",
            "in use"),
        new Rule(
            "public logs",
            "an interface has no more addresses than the type allows",
            w -> {
              String subnet = w.subnet("10.0.0.0/24");
              String id = w.interfaceId(subnet, "SecondaryPrivateIpAddressCount=6");
              return attach(w, id, w.instance("t3.medium", subnet), "1");
            },
            "InvalidInterface.IpAddressLimitExceeded",
            "exceeds the limit for t3.medium"),
        new Rule(
            "Network cards, EC2 User Guide",
            "a network card is one that the type has",
            w -> {
              String subnet = w.subnet("10.0.0.0/24");
              return w.refusal(
                  "AttachNetworkInterface",
                  "NetworkInterfaceId=" + w.interfaceId(subnet),
                  "InstanceId=" + w.instance("m5.large", subnet),
                  "DeviceIndex=1&NetworkCardIndex=1");
            },
            "InvalidParameterValue",
            "Network card index '1' is not valid"),
        new Rule(
            "Elastic network interfaces, EC2 User Guide",
            "interface and instance are in one zone",
            w -> {
              String vpc = w.vpc("10.0.0.0/16");
              String other =
                  w.call(
                          "CreateSubnet",
                          "VpcId=" + vpc,
                          "CidrBlock=10.0.1.0/24&AvailabilityZone=us-east-1b")
                      .nested("subnet")
                      .orElseThrow()
                      .text("subnetId")
                      .orElseThrow();
              String instance = w.instance("m5.large", w.subnet(vpc, "10.0.0.0/24"));
              return attach(w, w.interfaceId(other), instance, "1");
            },
            "InvalidParameterCombination",
            "same availability zone"),
        new Rule(
            "Elastic network interfaces, EC2 User Guide",
            "the primary interface is never detached",
            w -> {
              String instance = w.instance("m5.large", w.subnet("10.0.0.0/24"));
              Answer primary = w.shown(w.primaryInterface(instance)).orElseThrow();
              return w.refusal(
                  "DetachNetworkInterface",
                  "AttachmentId=" + World.text(primary, "attachment.attachmentId"));
            },
            "OperationNotPermitted",
            "device index 0"),
        new Rule(
            "EC2 error codes",
            "the attachment exists",
            w -> w.refusal("DetachNetworkInterface", "AttachmentId=eni-attach-00000000"),
            "InvalidAttachmentID.NotFound",
            "'eni-attach-00000000' does not exist"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void refused(Rule rule) {
    rule.check();
  }

  @Test
  @DisplayName("pending, running, stopping, stopped, shutting-down, terminated, gone after an hour")
  void lifecycle() {
    DelayRange ten = DelayRange.fixed(Duration.ofSeconds(10));
    World world = new World(World.options().withDelays(Delays.NONE.withInstances(ten, ten, ten)));
    String instance = world.instance("m5.large", world.subnet("10.0.0.0/24"));
    assertThat(state(world, instance)).isEqualTo("pending");
    assertThat(world.refusal("StopInstances", "InstanceId.1=" + instance).code())
        .isEqualTo("IncorrectInstanceState");
    world.pass(Duration.ofSeconds(10));
    assertThat(state(world, instance)).isEqualTo("running");
    world.call("StopInstances", "InstanceId.1=" + instance);
    assertThat(state(world, instance)).isEqualTo("stopping");
    world.pass(Duration.ofSeconds(10));
    assertThat(state(world, instance)).isEqualTo("stopped");
    assertThat(world.interfaces("attachment.instance-id", instance))
        .as("a stopped instance keeps its interface")
        .hasSize(1);
    world.call("TerminateInstances", "InstanceId.1=" + instance);
    assertThat(state(world, instance)).isEqualTo("shutting-down");
    world.pass(Duration.ofSeconds(10));
    assertThat(state(world, instance)).isEqualTo("terminated");
    world.pass(Duration.ofHours(1));
    assertThat(world.refusal("DescribeInstances", "InstanceId.1=" + instance).code())
        .isEqualTo("InvalidInstanceID.NotFound");
  }

  @Test
  @DisplayName("Termination deletes the interfaces that are marked and frees the others")
  void deleteOnTermination() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/24");
    String instance = world.instance("m5.large", subnet);
    String kept = world.interfaceId(subnet);
    String deleted = world.interfaceId(subnet);
    world.attach(kept, instance, 1);
    String attachment = world.attach(deleted, instance, 2);
    world.call(
        "ModifyNetworkInterfaceAttribute",
        "NetworkInterfaceId=" + deleted,
        "Attachment.AttachmentId=" + attachment,
        "Attachment.DeleteOnTermination=true");
    world.call("TerminateInstances", "InstanceId.1=" + instance);
    assertThat(world.interfaces("subnet-id", subnet))
        .extracting(i -> i.text("networkInterfaceId").orElseThrow())
        .containsExactly(kept);
    assertThat(world.shown(kept).orElseThrow().text("status")).contains("available");
    assertThat(world.available(subnet)).isEqualTo(250);
  }

  @Test
  @DisplayName("An attachment takes its time; while detaching its place stays taken")
  void attachmentTakesTime() {
    DelayRange five = DelayRange.fixed(Duration.ofSeconds(5));
    World world = new World(World.options().withDelays(Delays.NONE.withAttachments(five, five)));
    String subnet = world.subnet("10.0.0.0/24");
    String instance = world.instance("m5.large", subnet);
    String id = world.interfaceId(subnet);
    world.pass(Duration.ofSeconds(5));
    String attachment = world.attach(id, instance, 1);
    assertThat(attachmentStatus(world, id)).isEqualTo("attaching");
    world.pass(Duration.ofSeconds(5));
    assertThat(attachmentStatus(world, id)).isEqualTo("attached");
    world.call("DetachNetworkInterface", "AttachmentId=" + attachment);
    assertThat(attachmentStatus(world, id)).isEqualTo("detaching");
    assertThat(attach(world, world.interfaceId(subnet), instance, "1").code())
        .isEqualTo("InvalidParameterValue");
    world.pass(Duration.ofSeconds(5));
    assertThat(world.shown(id).orElseThrow().text("status")).contains("available");
    world.attach(id, instance, 1);
    Books.check(world.region());
  }

  @Test
  @DisplayName("The same device index may be used on several cards (Network cards)")
  void cards() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/24");
    String instance = world.instance("p4d.24xlarge", subnet);
    for (int card = 1; card <= 3; card++) {
      assertThat(
              world
                  .call(
                      "AttachNetworkInterface",
                      "NetworkInterfaceId=" + world.interfaceId(subnet),
                      "InstanceId=" + instance,
                      "DeviceIndex=1&NetworkCardIndex=" + card)
                  .text("networkCardIndex"))
          .contains(Integer.toString(card));
    }
    Books.check(world.region());
  }

  @Test
  @DisplayName("A launch makes the interfaces that it specifies, or keeps nothing at all")
  void launch() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/26");
    String request =
        String.join(
            "&",
            "ImageId=" + World.IMAGE + "&MinCount=1",
            "InstanceType=m5.large&NetworkInterface.1.DeviceIndex=0",
            "NetworkInterface.1.SubnetId=" + subnet,
            "NetworkInterface.1.Ipv4PrefixCount=2&NetworkInterface.2.DeviceIndex=1",
            "NetworkInterface.2.SubnetId=" + subnet,
            "NetworkInterface.2.DeleteOnTermination=false",
            "TagSpecification.1.ResourceType=network-interface",
            "TagSpecification.1.Tag.1.Key=a&TagSpecification.1.Tag.1.Value=b");
    world.call("RunInstances", request, "MaxCount=1");
    List<Answer> made = world.interfaces("tag:a", "b");
    assertThat(made)
        .extracting(
            i -> i.nested("attachment").orElseThrow().text("deleteOnTermination").orElseThrow())
        .containsExactly("true", "false");
    assertThat(made.get(0).structures("ipv4PrefixSet")).hasSize(2);
    int left = world.available(subnet);
    assertThat(world.refusal("RunInstances", request, "MinCount=2&MaxCount=2").code())
        .isEqualTo("InsufficientCidrBlocks");
    assertThat(world.available(subnet)).isEqualTo(left);
    assertThat(world.region().instances().present()).hasSize(1);
  }

  private static Ec2Error run(World world, String type, String subnet) {
    return world.refusal(
        "RunInstances", World.ONE_OF_IMAGE, "InstanceType=" + type, "SubnetId=" + subnet);
  }

  @Test
  @DisplayName("Status checks are told of running instances, of others when all are asked for")
  void statusChecks() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/24");
    String running = world.instance("m5.large", subnet);
    String stopped = world.instance("m5.large", subnet);
    world.call("StopInstances", "InstanceId.1=" + stopped);
    assertThat(statusesOf(world)).containsExactly(running + " ok");
    assertThat(statusesOf(world, "IncludeAllInstances=true"))
        .containsExactlyInAnyOrder(running + " ok", stopped + " not-applicable");
    assertThat(statusesOf(world, "InstanceId.1=" + stopped)).isEmpty();
    assertThat(statusesOf(world, "Filter.1.Name=instance-status.status&Filter.1.Value.1=ok"))
        .containsExactly(running + " ok");
    assertThat(
            statusesOf(
                world,
                "IncludeAllInstances=true&Filter.1.Name=instance-state-name",
                "Filter.1.Value.1=stopped"))
        .containsExactly(stopped + " not-applicable");
    assertThat(
            world
                .refusal("DescribeInstanceStatus", "InstanceId.1=" + running, "MaxResults=5")
                .code())
        .isEqualTo("InvalidParameterCombination");
    assertThat(world.refusal("DescribeInstanceStatus", "InstanceId.1=i-0123456789abcdef0").code())
        .isEqualTo("InvalidInstanceID.NotFound");
  }

  private static List<String> statusesOf(World world, String... parameters) {
    return world.call("DescribeInstanceStatus", parameters).structures("instanceStatusSet").stream()
        .map(
            each ->
                each.text("instanceId").orElseThrow()
                    + " "
                    + each.nested("instanceStatus").orElseThrow().text("status").orElseThrow())
        .toList();
  }

  private static Ec2Error attach(World world, String id, String instance, String device) {
    return world.refusal(
        "AttachNetworkInterface",
        "NetworkInterfaceId=" + id,
        "InstanceId=" + instance,
        "DeviceIndex=" + device);
  }

  private static String attachmentStatus(World world, String id) {
    return World.text(world.shown(id).orElseThrow(), "attachment.status");
  }

  private static String state(World world, String instance) {
    return World.text(
        world.call("DescribeInstances", "InstanceId.1=" + instance),
        "reservationSet.0.instancesSet.0.instanceState.name");
  }
}
