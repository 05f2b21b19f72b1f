package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.protocol.Answer;

/** The only image that there is. */
public final class MachineImage {
  public static final String ID = "ami-0123456789abcdef0";

  /** Amazon. */
  static final String OWNER = "137112412989";

  /** As DescribeImages lists it. */
  static final Answer SHOWN =
      Answer.of("imageId", ID)
          .put("name", "al2023-ami-2023.0.20260101.0-kernel-6.1-x86_64")
          .put("imageState", "available")
          .put("imageOwnerId", OWNER)
          .put("imageOwnerAlias", "amazon")
          .put("isPublic", true)
          .put("architecture", "x86_64")
          .put("imageType", "machine")
          .put("rootDeviceType", "ebs")
          .put("rootDeviceName", "/dev/xvda")
          .put("virtualizationType", "hvm")
          .put("hypervisor", "xen");

  static final Ec2Filters<Answer> FILTERS =
      new Ec2Filters<Answer>("DescribeImages")
          .by("image-id", image -> image.text("imageId"))
          .by("name", image -> image.text("name"))
          .by("state", image -> image.text("imageState"))
          .by("architecture", image -> image.text("architecture"))
          .by("owner-id", image -> image.text("imageOwnerId"))
          .by("owner-alias", image -> image.text("imageOwnerAlias"))
          .by("image-type", image -> image.text("imageType"))
          .by("is-public", image -> image.text("isPublic"))
          .by("root-device-type", image -> image.text("rootDeviceType"))
          .by("virtualization-type", image -> image.text("virtualizationType"));

  private MachineImage() {}

  /** Refuses every other id. */
  static void require(String id) {
    ResourceType.IMAGE.requireWellFormed(id);
    if (!id.equals(ID)) {
      throw ResourceType.IMAGE.notFound(id);
    }
  }
}
