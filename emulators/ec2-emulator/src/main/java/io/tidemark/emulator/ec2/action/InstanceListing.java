package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Ec2Instance;
import io.tidemark.emulator.ec2.model.Ec2NetworkInterface;
import io.tidemark.emulator.ec2.model.Ec2SecurityGroup;
import io.tidemark.emulator.ec2.model.InstanceState;
import io.tidemark.emulator.ec2.model.Zone;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.ip.Ipv4Address;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Lists instances and the checks of their states, as the service model's structures. */
final class InstanceListing {
  private static final String SHAPE =
      "InstanceId[] ~IncludeManagedResources" + DeclaredAction.PAGES;

  static final Action INSTANCES =
      DeclaredAction.of("DescribeInstances", SHAPE, InstanceListing::instances);
  static final Action STATUS =
      DeclaredAction.of(
          "DescribeInstanceStatus", "IncludeAllInstances:flag " + SHAPE, InstanceListing::statuses);

  private InstanceListing() {}

  /** Lists instances by the launch they come from; MaxResults counts instances. */
  private static Answer instances(Call call) {
    Listing<Ec2Instance> listing =
        Listing.of(call, call.region().instances(), "InstanceId", 1000, filters(call));
    Map<String, List<Ec2Instance>> launches = new LinkedHashMap<>();
    for (Ec2Instance instance : listing.resources()) {
      launches
          .computeIfAbsent(instance.launch().reservationId(), id -> new ArrayList<>())
          .add(instance);
    }
    return Answer.empty()
        .items(
            "reservationSet",
            launches.values(),
            launched ->
                reservation(launched, id -> call.seen(call.region().interfaces(), id), call))
        .put("nextToken", listing.nextToken());
  }

  /** The filters, some of which look at the interfaces of an instance. */
  private static Ec2Filters<Ec2Instance> filters(Call call) {
    return of("DescribeInstances")
        .by("instance-id", Ec2Instance::id)
        .by("owner-id", Ec2Instance::ownerId)
        .by("instance-type", instance -> instance.type().name())
        .by("image-id", instance -> instance.launch().imageId())
        .by("reservation-id", instance -> instance.launch().reservationId())
        .by("launch-index", instance -> instance.launch().index())
        .by("launch-time", instance -> Values.time(instance.launch().time()))
        .by("key-name", instance -> instance.launch().keyName())
        .by("client-token", instance -> instance.launch().clientToken())
        .by("subnet-id", ofPrimary(call, i -> Stream.of(i.placement().subnetId())))
        .by("vpc-id", ofPrimary(call, i -> Stream.of(i.placement().vpcId())))
        .by("private-ip-address", ofPrimary(call, i -> i.addresses().first().stream()))
        .by("instance.group-id", ofPrimary(call, groups(g -> g.id())))
        .by("instance.group-name", ofPrimary(call, groups(g -> g.name())))
        .by("network-interface.network-interface-id", ofEach(call, i -> Stream.of(i.id())))
        .by("network-interface.subnet-id", ofEach(call, i -> Stream.of(i.placement().subnetId())))
        .by("network-interface.vpc-id", ofEach(call, i -> Stream.of(i.placement().vpcId())))
        .by(
            "network-interface.addresses.private-ip-address",
            ofEach(call, i -> i.addresses().ipv4()))
        .by("network-interface.group-id", ofEach(call, groups(g -> g.id())))
        .byTags(Ec2Instance::tags);
  }

  /** The filters of both listings. */
  private static Ec2Filters<Ec2Instance> of(String action) {
    return new Ec2Filters<Ec2Instance>(action)
        .by("availability-zone", instance -> instance.placement().zone().name())
        .by("availability-zone-id", instance -> instance.placement().zone().id())
        .by("instance-state-name", instance -> instance.state().wire())
        .by("instance-state-code", instance -> instance.state().code());
  }

  private static Function<Ec2NetworkInterface, Stream<?>> groups(
      Function<Ec2SecurityGroup.Reference, String> reader) {
    return shown -> shown.settings().groups().stream().map(reader);
  }

  private static Function<Ec2Instance, Stream<?>> ofPrimary(
      Call call, Function<Ec2NetworkInterface, Stream<?>> reader) {
    return ofEach(
        call,
        shown ->
            shown.attachment().filter(a -> a.isPrimary()).stream()
                .flatMap(a -> reader.apply(shown)));
  }

  private static Function<Ec2Instance, Stream<?>> ofEach(
      Call call, Function<Ec2NetworkInterface, Stream<?>> reader) {
    return instance ->
        instance.interfaceIds().stream()
            .flatMap(id -> call.seen(call.region().interfaces(), id).stream())
            .flatMap(reader);
  }

  /** Lists the status checks of instances; of running ones alone unless all are asked for. */
  private static Answer statuses(Call call) {
    boolean all = call.parameters().isSet("IncludeAllInstances");
    Ec2Filters<Ec2Instance> filters = of("DescribeInstanceStatus");
    for (String check : List.of("instance-status.", "system-status.")) {
      filters
          .by(check + "status", InstanceListing::summary)
          .by(check + "reachability", InstanceListing::reachability);
    }
    filters.only(instance -> all || isRunning(instance));
    return Listing.of(call, call.region().instances(), "InstanceId", 1000, filters)
        .answer("instanceStatusSet", InstanceListing::status);
  }

  private static boolean isRunning(Ec2Instance instance) {
    return instance.state() == InstanceState.RUNNING;
  }

  private static String summary(Ec2Instance instance) {
    return isRunning(instance) ? "ok" : "not-applicable";
  }

  private static Optional<String> reachability(Ec2Instance instance) {
    return isRunning(instance) ? Optional.of("passed") : Optional.empty();
  }

  private static Answer status(Ec2Instance instance) {
    List<Answer> details =
        reachability(instance)
            .map(text -> Answer.of("name", "reachability").put("status", text))
            .stream()
            .toList();
    Answer check = Answer.of("status", summary(instance)).put("details", details);
    return Answer.of("instanceId", instance.id())
        .put("availabilityZone", instance.placement().zone().name())
        .put("availabilityZoneId", instance.placement().zone().id())
        .put("instanceState", state(instance.state()))
        .put("instanceStatus", check)
        .put("systemStatus", check);
  }

  /**
   * Instances of one launch.
   *
   * @param interfaces as they are now, or as the caller sees them
   */
  static Answer reservation(
      List<Ec2Instance> instances,
      Function<String, Optional<Ec2NetworkInterface>> interfaces,
      Call call) {
    Ec2Instance first = instances.get(0);
    return Answer.of("reservationId", first.launch().reservationId())
        .put("ownerId", first.ownerId())
        .put("groupSet", List.of())
        .items("instancesSet", instances, instance -> instance(call, instance, interfaces));
  }

  private static Answer instance(
      Call call, Ec2Instance instance, Function<String, Optional<Ec2NetworkInterface>> interfaces) {
    List<Ec2NetworkInterface> attached =
        instance.interfaceIds().stream()
            .flatMap(id -> interfaces.apply(id).stream())
            .filter(
                i -> i.attachment().filter(a -> a.instanceId().equals(instance.id())).isPresent())
            .toList();
    Ec2Instance.Launch launch = instance.launch();
    Zone zone = instance.placement().zone();
    Answer answer =
        Answer.of("instanceId", instance.id())
            .put("imageId", launch.imageId())
            .put("instanceState", state(instance.state()))
            .put("instanceType", instance.type().name())
            .put("amiLaunchIndex", launch.index())
            .put("launchTime", Values.time(launch.time()))
            .put("keyName", launch.keyName())
            .put("clientToken", launch.clientToken())
            .put(
                "placement",
                Answer.of("availabilityZone", zone.name())
                    .put("availabilityZoneId", zone.id())
                    .put("tenancy", "default"))
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
        .items("networkInterfaceSet", attached, one -> Ec2InterfaceListing.ofInstance(call, one))
        .put("tagSet", TagRules.shown(instance.tags()));
  }

  private static void ofPrimary(Answer answer, Call call, Ec2NetworkInterface primary) {
    Ipv4Address address = primary.addresses().primary();
    answer
        .put("subnetId", primary.placement().subnetId())
        .put("vpcId", primary.placement().vpcId())
        .put("privateIpAddress", address)
        .put("privateDnsName", call.region().privateDnsName(address))
        .put("sourceDestCheck", primary.settings().sourceDestCheck())
        .put("groupSet", Ec2InterfaceListing.groups(primary));
  }

  static Answer state(InstanceState state) {
    return Answer.of("code", state.code()).put("name", state.wire());
  }
}
