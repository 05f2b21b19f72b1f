package io.tidemark.emulator.ec2.model;

/**
 * A permission to attach an interface of another account.
 *
 * @param ownerId the account of the interface
 * @param account the account that may attach it
 */
public record InterfacePermission(String id, String ownerId, String interfaceId, String account)
    implements Resource {
  /** EC2 gives permissions no tags. */
  @Override
  public Ec2Tags tags() {
    return Ec2Tags.NONE;
  }

  @Override
  public InterfacePermission withTags(Ec2Tags changed) {
    return this;
  }
}
