package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Instance;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import java.util.function.Function;
import java.util.stream.Stream;

/** The filters of DescribeInstances, which also look at the interfaces of an instance. */
final class InstanceFilters {
  private InstanceFilters() {}

  static Filters<Instance> in(Call call) {
    return new Filters<Instance>("DescribeInstances")
        .by("instance-id", Instance::id)
        .by("owner-id", Instance::ownerId)
        .by("instance-type", instance -> instance.type().name())
        .by("instance-state-name", instance -> instance.state().wire())
        .by("instance-state-code", instance -> Integer.toString(instance.state().code()))
        .by("availability-zone", instance -> instance.placement().zone().name())
        .by("availability-zone-id", instance -> instance.placement().zone().id())
        .by("image-id", instance -> instance.launch().imageId())
        .by("reservation-id", instance -> instance.launch().reservationId())
        .by("launch-index", instance -> Integer.toString(instance.launch().index()))
        .by("launch-time", instance -> Values.time(instance.launch().time()))
        .byOptional("key-name", instance -> instance.launch().keyName())
        .byOptional("client-token", instance -> instance.launch().clientToken())
        .byEach("subnet-id", ofPrimary(call, i -> Stream.of(i.placement().subnetId())))
        .byEach("vpc-id", ofPrimary(call, i -> Stream.of(i.placement().vpcId())))
        .byEach(
            "private-ip-address",
            ofPrimary(call, i -> Stream.of(i.addresses().primary().toString())))
        .byEach(
            "instance.group-id",
            ofPrimary(call, i -> i.settings().groups().stream().map(g -> g.id())))
        .byEach(
            "instance.group-name",
            ofPrimary(call, i -> i.settings().groups().stream().map(g -> g.name())))
        .byEach("network-interface.network-interface-id", ofEach(call, i -> Stream.of(i.id())))
        .byEach(
            "network-interface.subnet-id", ofEach(call, i -> Stream.of(i.placement().subnetId())))
        .byEach("network-interface.vpc-id", ofEach(call, i -> Stream.of(i.placement().vpcId())))
        .byEach(
            "network-interface.addresses.private-ip-address",
            ofEach(call, i -> i.addresses().ipv4().map(a -> a.toString())))
        .byEach(
            "network-interface.group-id",
            ofEach(call, i -> i.settings().groups().stream().map(g -> g.id())))
        .byTags(instance -> instance.tags().values());
  }

  private static Function<Instance, Stream<String>> ofPrimary(
      Call call, Function<NetworkInterface, Stream<String>> reader) {
    return instance ->
        interfaces(call, instance)
            .filter(i -> i.attachment().filter(a -> a.isPrimary()).isPresent())
            .flatMap(reader);
  }

  private static Function<Instance, Stream<String>> ofEach(
      Call call, Function<NetworkInterface, Stream<String>> reader) {
    return instance -> interfaces(call, instance).flatMap(reader);
  }

  private static Stream<NetworkInterface> interfaces(Call call, Instance instance) {
    return instance.interfaceIds().stream()
        .flatMap(id -> call.seen(call.region().interfaces(), id).stream());
  }
}
