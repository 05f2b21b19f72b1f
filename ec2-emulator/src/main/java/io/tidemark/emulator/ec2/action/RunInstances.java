package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Instance;
import io.tidemark.emulator.ec2.model.InstanceState;
import io.tidemark.emulator.ec2.model.Placement;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.Tags;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.emulator.ec2.types.InstanceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Launches instances with their interfaces: a primary one, and those that the request specifies.
 * There is capacity for every type; MaxCount instances are launched, or none.
 */
final class RunInstances implements Action {
  /** Documented for InstanceType: the default when none is given. */
  private static final String DEFAULT_TYPE = "m1.small";

  private static final ParameterShape SHAPE =
      ParameterShape.of(
              Field.text("ImageId").mandatory(),
              Field.text("InstanceType"),
              Field.integer("MinCount").mandatory(),
              Field.integer("MaxCount").mandatory(),
              Field.text("KeyName"),
              Field.text("ClientToken"),
              Field.structure(
                  "Placement",
                  Field.text("AvailabilityZone"),
                  Field.text("AvailabilityZoneId"),
                  Field.ignored("Tenancy"),
                  Field.unsupported("Affinity"),
                  Field.unsupported("GroupName"),
                  Field.unsupported("PartitionNumber"),
                  Field.unsupported("HostId"),
                  Field.unsupported("SpreadDomain"),
                  Field.unsupported("HostResourceGroupArn"),
                  Field.unsupported("GroupId")),
              Field.unsupported("LaunchTemplate"),
              Field.unsupported("InstanceMarketOptions"),
              Field.unsupported("SecurityGroup"),
              Field.unsupported("EnablePrimaryIpv6"),
              Field.unsupported("SecondaryInterface"),
              Field.unsupported("Operator"),
              Field.unsupported("ElasticGpuSpecification"),
              Field.unsupported("ElasticInferenceAccelerator"),
              Field.unsupported("CapacityReservationSpecification"),
              Field.ignored("BlockDeviceMapping"),
              Field.ignored("KernelId"),
              Field.ignored("Monitoring"),
              Field.ignored("RamdiskId"),
              Field.ignored("UserData"),
              Field.ignored("CreditSpecification"),
              Field.ignored("CpuOptions"),
              Field.ignored("HibernationOptions"),
              Field.ignored("LicenseSpecification"),
              Field.ignored("MetadataOptions"),
              Field.ignored("EnclaveOptions"),
              Field.ignored("PrivateDnsNameOptions"),
              Field.ignored("MaintenanceOptions"),
              Field.ignored("DisableApiStop"),
              Field.ignored("NetworkPerformanceOptions"),
              Field.ignored("DisableApiTermination"),
              Field.ignored("InstanceInitiatedShutdownBehavior"),
              Field.ignored("AdditionalInfo"),
              Field.ignored("IamInstanceProfile"),
              Field.ignored("EbsOptimized"),
              Fields.TAG_SPECIFICATIONS,
              Fields.DRY_RUN)
          .plus(LaunchInterfaces.FIELDS.toArray(Field[]::new));

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public int resources(Parameters parameters) {
    return Math.max(1, parameters.integer("MinCount").orElse(1));
  }

  @Override
  public Answer answer(Call call) {
    Parameters parameters = call.parameters();
    Region region = call.region();
    requireImage(parameters.need("ImageId"));
    int count = count(parameters);
    InstanceType type = type(region, parameters.text("InstanceType").orElse(DEFAULT_TYPE));
    LaunchInterfaces interfaces = LaunchInterfaces.read(call, count);
    Tags tags =
        TagRules.ofNew(
            call,
            ResourceType.INSTANCE,
            List.of(ResourceType.NETWORK_INTERFACE.tagName(), "volume", "spot-instances-request"));
    String reservation = region.newId(ResourceType.RESERVATION);
    List<Instance> launched = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Instance pending =
          new Instance(
              region.newId(ResourceType.INSTANCE),
              call.account(),
              type,
              Placement.in(interfaces.subnet()),
              InstanceState.PENDING,
              List.of(),
              Set.of(),
              new Instance.Launch(
                  reservation,
                  i,
                  call.now(),
                  parameters.need("ImageId"),
                  parameters.text("KeyName"),
                  parameters.text("ClientToken").filter(token -> !token.isEmpty())),
              tags);
      region.instanceRules().launch(pending);
      interfaces.attachTo(pending);
      launched.add(region.instances().find(pending.id()).orElseThrow());
    }
    return InstanceAnswer.reservation(call, launched);
  }

  private static int count(Parameters parameters) {
    int least = parameters.integer("MinCount").orElse(1);
    int most = parameters.integer("MaxCount").orElse(1);
    if (least < 1) {
      throw Values.invalid(Integer.toString(least), "minCount", "It must be 1 or more.");
    }
    if (most < least) {
      throw Refusal.of(
          "InvalidParameterCombination",
          "The parameter maxCount (" + most + ") is less than minCount (" + least + ")");
    }
    return most;
  }

  private static void requireImage(String id) {
    ResourceType.IMAGE.requireWellFormed(id);
    if (!id.equals(MachineImage.ID)) {
      throw ResourceType.IMAGE.notFound(id);
    }
  }

  private static InstanceType type(Region region, String name) {
    Optional<InstanceType> type = region.types().find(name);
    return type.orElseThrow(
        () ->
            Refusal.of("InvalidParameterValue", "Invalid value '" + name + "' for InstanceType."));
  }
}
