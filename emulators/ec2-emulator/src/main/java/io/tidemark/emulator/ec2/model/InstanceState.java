package io.tidemark.emulator.ec2.model;

/** The states of an instance with the codes that EC2 gives them. */
public enum InstanceState {
  PENDING(0, "pending"),
  RUNNING(16, "running"),
  SHUTTING_DOWN(32, "shutting-down"),
  TERMINATED(48, "terminated"),
  STOPPING(64, "stopping"),
  STOPPED(80, "stopped");

  private final int code;
  private final String wire;

  InstanceState(int code, String wire) {
    this.code = code;
    this.wire = wire;
  }

  public int code() {
    return code;
  }

  public String wire() {
    return wire;
  }

  /** True once it can only end. */
  public boolean isEnding() {
    return this == SHUTTING_DOWN || this == TERMINATED;
  }
}
