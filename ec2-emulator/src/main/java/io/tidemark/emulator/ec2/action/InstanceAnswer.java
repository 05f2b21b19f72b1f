package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Instance;
import io.tidemark.emulator.ec2.model.InstanceState;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.model.Zone;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.ip.Ipv4Address;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Writes instances as the service model's Reservation and Instance structures. */
final class InstanceAnswer {
  private InstanceAnswer() {}

  /**
   * Instances of one launch.
   *
   * @param interfaces as they are now, or as the caller sees them
   */
  static Answer reservation(
      List<Instance> instances,
      Function<String, Optional<NetworkInterface>> interfaces,
      Call call) {
    Instance first = instances.get(0);
    return Answer.builder()
        .put("reservationId", first.launch().reservationId())
        .put("ownerId", first.ownerId())
        .put("groupSet", List.of())
        .items("instancesSet", instances, instance -> instance(call, instance, interfaces))
        .build();
  }

  private static Answer instance(
      Call call, Instance instance, Function<String, Optional<NetworkInterface>> interfaces) {
    List<NetworkInterface> attached =
        instance.interfaceIds().stream()
            .flatMap(id -> interfaces.apply(id).stream())
            .filter(
                i -> i.attachment().filter(a -> a.instanceId().equals(instance.id())).isPresent())
            .toList();
    Instance.Launch launch = instance.launch();
    Zone zone = instance.placement().zone();
    Answer.Builder answer =
        Answer.builder()
            .put("instanceId", instance.id())
            .put("imageId", launch.imageId())
            .put("instanceState", state(instance.state()))
            .put("instanceType", instance.type().name())
            .put("amiLaunchIndex", launch.index())
            .put("launchTime", Values.time(launch.time()))
            .put("keyName", launch.keyName())
            .put("clientToken", launch.clientToken())
            .put(
                "placement",
                Answer.builder()
                    .put("availabilityZone", zone.name())
                    .put("availabilityZoneId", zone.id())
                    .put("tenancy", "default")
                    .build())
            .put("monitoring", Answer.of("state", "disabled"))
            .put("hypervisor", "xen")
            .put("virtualizationType", "hvm")
            .put("rootDeviceType", "ebs")
            .put("rootDeviceName", "/dev/xvda");
    attached.stream()
        .filter(i -> i.attachment().orElseThrow().isPrimary())
        .findFirst()
        .ifPresent(primary -> ofPrimary(answer, call, primary));
    return answer
        .items("networkInterfaceSet", attached, one -> InterfaceAnswer.ofInstance(call, one))
        .put("tagSet", TagRules.shown(instance.tags()))
        .build();
  }

  private static void ofPrimary(Answer.Builder answer, Call call, NetworkInterface primary) {
    Ipv4Address address = primary.addresses().primary();
    answer
        .put("subnetId", primary.placement().subnetId())
        .put("vpcId", primary.placement().vpcId())
        .put("privateIpAddress", address)
        .put("privateDnsName", call.region().privateDnsName(address))
        .put("sourceDestCheck", primary.settings().sourceDestCheck())
        .put("groupSet", InterfaceAnswer.groups(primary));
  }

  static Answer state(InstanceState state) {
    return Answer.builder().put("code", state.code()).put("name", state.wire()).build();
  }
}
