package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Elastic Fabric Adapters follow EC2's rules")
class EfaRulesTest {
  private static final String BLOCK = "10.0.0.0/24";
  private static final String SOURCE = "Elastic Fabric Adapter, EC2 User Guide";
  private static final String NO_ADDRESS = "InstanceNetworkInterfaceSpecification, InterfaceType";

  static Stream<Rule> rules() {
    return Stream.of(
        new Rule(
            NO_ADDRESS,
            "an EFA-only interface is asked for without addresses",
            w ->
                w.refusal(
                    "CreateNetworkInterface",
                    "SubnetId=" + w.subnet(BLOCK),
                    "InterfaceType=efa-only&SecondaryPrivateIpAddressCount=1"),
            "InvalidParameterCombination",
            "do not support IP addresses"),
        new Rule(
            NO_ADDRESS,
            "it gets none later",
            w ->
                w.refusal(
                    "AssignPrivateIpAddresses",
                    "NetworkInterfaceId=" + efaOnly(w, w.subnet(BLOCK)),
                    "SecondaryPrivateIpAddressCount=1"),
            "UnsupportedOperation",
            "does not support IP addresses"),
        new Rule(
            SOURCE,
            "the primary interface is not EFA-only",
            w -> launch(w, "p5.48xlarge", "efa-only"),
            "InvalidParameterCombination",
            "primary network interface"),
        new Rule(
            SOURCE,
            "the type supports EFA",
            w -> launch(w, "m5.large", "efa"),
            "UnsupportedOperation",
            "does not support EFA"),
        new Rule(
            SOURCE,
            "an EFA is attached to a stopped instance",
            w -> {
              String subnet = w.subnet(BLOCK);
              return tryAttach(w, efaOnly(w, subnet), w.instance("c5n.18xlarge", subnet), 0, 1);
            },
            "IncorrectState",
            "must be stopped to attach"),
        new Rule(
            SOURCE,
            "a network card has one EFA",
            w -> {
              String subnet = w.subnet(BLOCK);
              String instance = stopped(w, "p5.48xlarge", subnet);
              attach(w, efaOnly(w, subnet), instance, 1, 1);
              return tryAttach(w, efaOnly(w, subnet), instance, 1, 2);
            },
            "AttachmentLimitExceeded",
            "EFA count 2 on network card 1"),
        new Rule(
            SOURCE,
            "an EFA is detached from a stopped instance",
            w -> {
              String subnet = w.subnet(BLOCK);
              String instance = stopped(w, "c5n.18xlarge", subnet);
              String attachment = attach(w, efaOnly(w, subnet), instance, 0, 1);
              w.call("StartInstances", "InstanceId.1=" + instance);
              return w.refusal("DetachNetworkInterface", "AttachmentId=" + attachment);
            },
            "IncorrectState",
            "must be stopped to detach"),
        new Rule(
            "EC2 error codes, DependencyViolation",
            "a subnet with an interface without addresses is not deleted",
            w -> {
              String subnet = w.subnet(BLOCK);
              efaOnly(w, subnet);
              return w.refusal("DeleteSubnet", "SubnetId=" + subnet);
            },
            "DependencyViolation",
            "has dependencies"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void forbidden(Rule rule) {
    rule.check();
  }

  @Test
  @DisplayName(
      "An EFA-only interface has no address, takes none of the subnet and is no IPv4 match")
  void noAddress() {
    World world = new World();
    String subnet = world.subnet(BLOCK);
    String id = efaOnly(world, subnet);
    Answer shown = world.shown(id).orElseThrow();
    assertThat(shown.text("interfaceType")).contains("efa-only");
    assertThat(shown.text("privateIpAddress")).isEmpty();
    assertThat(shown.structures("privateIpAddressesSet")).isEmpty();
    assertThat(world.available(subnet)).isEqualTo(251);
    assertThat(world.interfaces("private-ip-address", "*")).isEmpty();
    assertThat(world.interfaces("interface-type", "efa-only")).hasSize(1);
    world.call("DeleteNetworkInterface", "NetworkInterfaceId=" + id);
    assertThat(world.available(subnet)).isEqualTo(251);
  }

  @Test
  @DisplayName("A launch brings EFA-only interfaces to the other network cards")
  void launched() {
    World world = new World();
    String subnet = world.subnet(BLOCK);
    world.call(
        "RunInstances",
        World.ONE_OF_IMAGE,
        "InstanceType=p5.48xlarge&NetworkInterface.1.DeviceIndex=0",
        "NetworkInterface.1.SubnetId=" + subnet,
        "NetworkInterface.2.DeviceIndex=1&NetworkInterface.2.NetworkCardIndex=1",
        "NetworkInterface.2.SubnetId=" + subnet,
        "NetworkInterface.2.InterfaceType=efa-only");
    assertThat(world.interfaces("interface-type", "efa-only")).hasSize(1);
    assertThat(world.available(subnet)).isEqualTo(250);
    Books.check(world.region());
  }

  private static String efaOnly(World world, String subnet) {
    return world.interfaceId(subnet, "InterfaceType=efa-only");
  }

  private static String stopped(World world, String type, String subnet) {
    String instance = world.instance(type, subnet);
    world.call("StopInstances", "InstanceId.1=" + instance);
    return instance;
  }

  private static Ec2Error launch(World world, String type, String interfaceType) {
    return world.refusal(
        "RunInstances",
        World.ONE_OF_IMAGE,
        "InstanceType=" + type,
        "NetworkInterface.1.DeviceIndex=0",
        "NetworkInterface.1.SubnetId=" + world.subnet(BLOCK),
        "NetworkInterface.1.InterfaceType=" + interfaceType);
  }

  private static String attach(World world, String eni, String instance, int card, int device) {
    return world
        .call("AttachNetworkInterface", place(eni, instance, card, device))
        .text("attachmentId")
        .orElseThrow();
  }

  private static Ec2Error tryAttach(
      World world, String eni, String instance, int card, int device) {
    return world.refusal("AttachNetworkInterface", place(eni, instance, card, device));
  }

  private static String place(String eni, String instance, int card, int device) {
    return World.place(eni, instance, device) + "&NetworkCardIndex=" + card;
  }
}
