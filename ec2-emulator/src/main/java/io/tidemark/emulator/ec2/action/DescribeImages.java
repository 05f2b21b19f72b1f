package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import java.util.List;
import java.util.stream.Stream;

/** Lists the one image that there is, which belongs to Amazon and anybody may launch. */
final class DescribeImages implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.texts("ImageId"),
          Field.texts("Owner"),
          Field.texts("ExecutableBy"),
          Field.ignored("IncludeDeprecated"),
          Field.ignored("IncludeDisabled"),
          Fields.FILTERS,
          Fields.MAX_RESULTS,
          Fields.NEXT_TOKEN,
          Fields.DRY_RUN);

  private static final PageRequest.Rule PAGES = PageRequest.thousand("ImageId");

  private static final Filters<String> FILTERS =
      new Filters<String>("DescribeImages")
          .by("image-id", id -> id)
          .by("name", id -> MachineImage.NAME)
          .by("state", id -> "available")
          .by("architecture", id -> "x86_64")
          .by("owner-id", id -> MachineImage.OWNER)
          .by("owner-alias", id -> "amazon")
          .by("image-type", id -> "machine")
          .by("is-public", id -> "true")
          .by("root-device-type", id -> "ebs")
          .by("virtualization-type", id -> "hvm");

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Parameters parameters = call.parameters();
    PageRequest.read(parameters, PAGES);
    for (String id : parameters.texts("ImageId")) {
      ResourceType.IMAGE.requireWellFormed(id);
      if (!id.equals(MachineImage.ID)) {
        throw ResourceType.IMAGE.notFound(id);
      }
    }
    List<String> owners = parameters.texts("Owner");
    List<String> users = parameters.texts("ExecutableBy");
    return Answer.builder()
        .items(
            "imagesSet",
            Stream.of(MachineImage.ID)
                .filter(FILTERS.read(parameters))
                .filter(
                    id ->
                        owners.isEmpty()
                            || owners.contains("amazon")
                            || owners.contains(MachineImage.OWNER))
                .filter(id -> users.isEmpty() || users.contains("all"))
                .toList(),
            DescribeImages::image)
        .build();
  }

  private static Answer image(String id) {
    return Answer.builder()
        .text("imageId", id)
        .text("name", MachineImage.NAME)
        .text("imageState", "available")
        .text("imageOwnerId", MachineImage.OWNER)
        .text("imageOwnerAlias", "amazon")
        .flag("isPublic", true)
        .text("architecture", "x86_64")
        .text("imageType", "machine")
        .text("rootDeviceType", "ebs")
        .text("rootDeviceName", "/dev/xvda")
        .text("virtualizationType", "hvm")
        .text("hypervisor", "xen")
        .build();
  }
}
