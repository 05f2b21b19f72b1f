package io.tidemark.emulator.ec2.action;

/** The only image that there is. */
final class MachineImage {
  static final String ID = "ami-0123456789abcdef0";

  private MachineImage() {}
}
