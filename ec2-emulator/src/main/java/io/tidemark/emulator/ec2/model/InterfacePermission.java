package io.tidemark.emulator.ec2.model;

import java.util.Objects;

/**
 * A permission to attach an interface of another account.
 *
 * @param ownerId the account of the interface
 * @param account the account that may attach it
 */
public record InterfacePermission(String id, String ownerId, String interfaceId, String account)
    implements Resource {
  public InterfacePermission {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(ownerId, "ownerId");
    Objects.requireNonNull(interfaceId, "interfaceId");
    Objects.requireNonNull(account, "account");
  }

  /** EC2 gives permissions no tags. */
  @Override
  public Tags tags() {
    return Tags.NONE;
  }

  @Override
  public InterfacePermission withTags(Tags changed) {
    return this;
  }
}
