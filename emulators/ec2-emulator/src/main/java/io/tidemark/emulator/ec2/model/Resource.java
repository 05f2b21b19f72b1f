package io.tidemark.emulator.ec2.model;

/** A resource with an id in a region; an immutable value. */
public interface Resource {
  /** Unique in all regions and accounts, {@code eni-0123456789abcdef0}. */
  String id();

  /** The account that it belongs to. */
  String ownerId();

  Ec2Tags tags();

  /** The same resource with these tags instead. */
  Resource withTags(Ec2Tags tags);

  /** Whether this account sees it in listings and may name it. */
  default boolean isVisibleTo(String account) {
    return ownerId().equals(account);
  }
}
