package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Instance;
import io.tidemark.emulator.ec2.model.InstanceState;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.protocol.Answer;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Writes instances as the service model's Reservation and Instance structures. */
final class InstanceAnswer {
  private InstanceAnswer() {}

  /** Instances of one launch, as they are now. */
  static Answer reservation(Call call, List<Instance> instances) {
    return reservation(call, instances, id -> call.region().interfaces().find(id));
  }

  /** Instances of one launch, as the caller sees them. */
  static Answer seenReservation(Call call, List<Instance> instances) {
    return reservation(call, instances, id -> call.seen(call.region().interfaces(), id));
  }

  /** The answer of the actions that change states, for one instance. */
  static Answer change(Instance before, Instance after) {
    return Answer.builder()
        .text("instanceId", after.id())
        .nested("currentState", state(after.state()))
        .nested("previousState", state(before.state()))
        .build();
  }

  private static Answer reservation(
      Call call,
      List<Instance> instances,
      Function<String, Optional<NetworkInterface>> interfaces) {
    Instance first = instances.get(0);
    return Answer.builder()
        .text("reservationId", first.launch().reservationId())
        .text("ownerId", first.ownerId())
        .items("groupSet", List.<String>of(), InstanceAnswer::none)
        .items("instancesSet", instances, instance -> instance(call, instance, interfaces))
        .build();
  }

  private static Answer none(String name) {
    return Answer.builder().text("groupId", name).build();
  }

  private static Answer instance(
      Call call, Instance instance, Function<String, Optional<NetworkInterface>> interfaces) {
    List<NetworkInterface> attached =
        instance.interfaceIds().stream()
            .flatMap(id -> interfaces.apply(id).stream())
            .filter(
                i -> i.attachment().filter(a -> a.instanceId().equals(instance.id())).isPresent())
            .toList();
    Answer.Builder answer =
        Answer.builder()
            .text("instanceId", instance.id())
            .text("imageId", instance.launch().imageId())
            .nested("instanceState", state(instance.state()))
            .text("instanceType", instance.type().name())
            .number("amiLaunchIndex", instance.launch().index())
            .text("launchTime", Values.time(instance.launch().time()))
            .text("keyName", instance.launch().keyName())
            .text("clientToken", instance.launch().clientToken())
            .nested(
                "placement",
                Answer.builder()
                    .text("availabilityZone", instance.placement().zone().name())
                    .text("availabilityZoneId", instance.placement().zone().id())
                    .text("tenancy", "default")
                    .build())
            .nested("monitoring", Answer.builder().text("state", "disabled").build())
            .text("hypervisor", "xen")
            .text("virtualizationType", "hvm")
            .text("rootDeviceType", "ebs")
            .text("rootDeviceName", "/dev/xvda");
    attached.stream()
        .filter(i -> i.attachment().orElseThrow().isPrimary())
        .findFirst()
        .ifPresent(primary -> ofPrimary(answer, call, primary));
    return TagRules.write(
            answer.items("networkInterfaceSet", attached, one -> attached(call, one)),
            instance.tags())
        .build();
  }

  private static void ofPrimary(Answer.Builder answer, Call call, NetworkInterface primary) {
    answer
        .text("subnetId", primary.placement().subnetId())
        .text("vpcId", primary.placement().vpcId())
        .text("privateIpAddress", primary.addresses().primary().toString())
        .text(
            "privateDnsName",
            Values.privateDnsName(primary.addresses().primary(), call.caller().region()))
        .flag("sourceDestCheck", primary.settings().sourceDestCheck());
    InterfaceAnswer.groups(answer, primary.settings().groups());
  }

  private static Answer attached(Call call, NetworkInterface shown) {
    Answer.Builder answer =
        Answer.builder()
            .text("networkInterfaceId", shown.id())
            .text("subnetId", shown.placement().subnetId())
            .text("vpcId", shown.placement().vpcId())
            .text("description", shown.settings().description())
            .text("ownerId", shown.ownerId())
            .text("status", shown.status())
            .text("macAddress", shown.macAddress())
            .text("interfaceType", shown.type())
            .flag("sourceDestCheck", shown.settings().sourceDestCheck())
            .nested(
                "attachment",
                shown.attachment().map(a -> InterfaceAnswer.attachmentOfInstance(a).build()))
            .nested(
                "connectionTrackingConfiguration",
                TrackingRequests.shown(shown.settings().tracking()));
    InterfaceAnswer.groups(answer, shown.settings().groups());
    InterfaceAnswer.addresses(answer, call, shown, true);
    return answer.build();
  }

  static Answer state(InstanceState state) {
    return Answer.builder().number("code", state.code()).text("name", state.wire()).build();
  }
}
