package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.model.Ec2ModelOptions.Delay;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.kit.pace.DelayRange;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Instances and attachments follow EC2's rules")
class InstanceRulesTest {
  @Test
  @DisplayName("pending, running, stopping, stopped, shutting-down, terminated, gone after an hour")
  void lifecycle() {
    DelayRange ten = DelayRange.fixed(Duration.ofSeconds(10));
    World world = new World(World.options().withDelay(ten, Delay.values()));
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
    World world = new World(World.options().withDelay(five, Delay.ATTACH, Delay.DETACH));
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
