package io.tidemark.emulator.ec2.action;

/** The only image that there is. */
public final class MachineImage {
  public static final String ID = "ami-0123456789abcdef0";

  static final String NAME = "al2023-ami-2023.0.20260101.0-kernel-6.1-x86_64";

  /** Amazon. */
  static final String OWNER = "137112412989";

  private MachineImage() {}
}
