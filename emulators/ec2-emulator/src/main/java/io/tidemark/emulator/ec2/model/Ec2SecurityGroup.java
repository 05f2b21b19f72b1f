package io.tidemark.emulator.ec2.model;

/**
 * A security group. Its rules are those that EC2 creates it with: everything out, and for the
 * default group everything in from its own members.
 */
public record Ec2SecurityGroup(
    String id, String ownerId, String vpcId, String name, String description, Ec2Tags tags)
    implements Resource {
  /** The name of the group that every VPC is made with. */
  public static final String DEFAULT = "default";

  /** Id and name, as interfaces and instances list their groups. */
  public record Reference(String id, String name) {}

  public Reference reference() {
    return new Reference(id, name);
  }

  public boolean isDefault() {
    return name.equals(DEFAULT);
  }

  @Override
  public Ec2SecurityGroup withTags(Ec2Tags changed) {
    return new Ec2SecurityGroup(id, ownerId, vpcId, name, description, changed);
  }
}
