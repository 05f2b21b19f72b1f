package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Ec2Instance;
import io.tidemark.emulator.ec2.model.Ec2Tags;
import io.tidemark.emulator.ec2.model.InstanceState;
import io.tidemark.emulator.ec2.model.Instances;
import io.tidemark.emulator.ec2.model.Placement;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.types.Ec2InstanceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/** Actions that launch instances and change their states. */
final class InstanceActions {
  /** Documented for InstanceType: the default when none is given. */
  private static final String DEFAULT_TYPE = "m1.small";

  static final List<Action> ALL =
      List.of(
          InstanceListing.INSTANCES,
          InstanceListing.STATUS,
          DeclaredAction.counted(
              "RunInstances",
              "ImageId! InstanceType MinCount:int! MaxCount:int! KeyName ClientToken"
                  + " Placement{AvailabilityZone AvailabilityZoneId ~Tenancy -Affinity"
                  + " -GroupName -PartitionNumber -HostId -SpreadDomain"
                  + " -HostResourceGroupArn -GroupId}"
                  + " -LaunchTemplate -InstanceMarketOptions -SecurityGroup"
                  + " -EnablePrimaryIpv6 -SecondaryInterface -Operator"
                  + " -ElasticGpuSpecification -ElasticInferenceAccelerator"
                  + " -CapacityReservationSpecification"
                  + " ~BlockDeviceMapping ~KernelId ~Monitoring ~RamdiskId ~UserData"
                  + " ~CreditSpecification ~CpuOptions ~HibernationOptions"
                  + " ~LicenseSpecification ~MetadataOptions ~EnclaveOptions"
                  + " ~PrivateDnsNameOptions ~MaintenanceOptions ~DisableApiStop"
                  + " ~NetworkPerformanceOptions ~DisableApiTermination"
                  + " ~InstanceInitiatedShutdownBehavior ~AdditionalInfo"
                  + " ~IamInstanceProfile ~EbsOptimized"
                  + LaunchInterfaces.SHAPE
                  + DeclaredAction.TAGS,
              parameters -> Math.max(1, parameters.integer("MinCount").orElse(1)),
              InstanceActions::run),
          change("StartInstances", Instances::start, " ~AdditionalInfo"),
          change("StopInstances", Instances::stop, " ~Hibernate ~SkipOsShutdown ~Force"),
          change("TerminateInstances", Instances::terminate, " ~Force ~SkipOsShutdown"));

  private InstanceActions() {}

  /** Changes every instance named, or none when one of them refuses. */
  private static Action change(
      String name, BiFunction<Instances, Ec2Instance, Ec2Instance> change, String ignored) {
    return DeclaredAction.counted(
        name,
        "InstanceId[]!" + ignored,
        parameters -> parameters.texts("InstanceId").size(),
        call -> {
          List<String> ids = call.parameters().texts("InstanceId").stream().distinct().toList();
          List<Answer> changes = new ArrayList<>();
          for (Ec2Instance before : call.needAll(call.region().instances(), ids)) {
            Ec2Instance after = change.apply(new Instances(call.region()), before);
            changes.add(
                Answer.of("instanceId", after.id())
                    .put("currentState", InstanceListing.state(after.state()))
                    .put("previousState", InstanceListing.state(before.state())));
          }
          return Answer.of("instancesSet", changes);
        });
  }

  /**
   * Launches instances with their interfaces: a primary one, and those that the request specifies.
   * There is capacity for every type; MaxCount instances are launched, or none.
   */
  private static Answer run(Call call) {
    Parameters parameters = call.parameters();
    Region region = call.region();
    MachineImage.require(parameters.need("ImageId"));
    int count = count(parameters);
    String typeName = parameters.text("InstanceType").orElse(DEFAULT_TYPE);
    Ec2InstanceType type =
        region
            .types()
            .find(typeName)
            .orElseThrow(
                () ->
                    Ec2Refusal.of(
                        "InvalidParameterValue", "Invalid value '%s' for InstanceType.", typeName));
    LaunchInterfaces interfaces = new LaunchInterfaces(call, count);
    Ec2Tags tags = TagRules.ofLaunch(call, ResourceType.INSTANCE);
    String reservation = region.newId(ResourceType.RESERVATION);
    List<Ec2Instance> launched = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Ec2Instance pending =
          new Ec2Instance(
              region.newId(ResourceType.INSTANCE),
              call.account(),
              type,
              Placement.in(interfaces.subnet()),
              InstanceState.PENDING,
              List.of(),
              Set.of(),
              new Ec2Instance.Launch(
                  reservation,
                  i,
                  call.now(),
                  parameters.need("ImageId"),
                  parameters.text("KeyName"),
                  parameters.text("ClientToken").filter(token -> !token.isEmpty())),
              tags);
      new Instances(region).launch(pending);
      interfaces.attachTo(pending);
      launched.add(region.instances().find(pending.id()).orElseThrow());
    }
    return InstanceListing.reservation(launched, region.interfaces()::find, call);
  }

  private static int count(Parameters parameters) {
    int least = parameters.integer("MinCount").orElse(1);
    int most = parameters.integer("MaxCount").orElse(1);
    if (least < 1) {
      throw Values.invalid(least, "minCount", "It must be 1 or more.");
    }
    Ec2Refusal.when(
        most < least,
        "InvalidParameterCombination",
        "The parameter maxCount (%s) is less than minCount (%s)",
        most,
        least);
    return most;
  }
}
