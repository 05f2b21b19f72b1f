package io.tidemark.emulator.ec2.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * An elastic network interface.
 *
 * @param type {@code interface}, {@code efa}, {@code efa-only}, {@code trunk}
 * @param attachment where it is attached; empty when it is available
 * @param permitted other accounts that may attach it to their instances
 */
public record Ec2NetworkInterface(
    String id,
    String ownerId,
    String type,
    String macAddress,
    Placement placement,
    Settings settings,
    InterfaceAddresses addresses,
    Optional<Ec2Attachment> attachment,
    SortedSet<String> permitted,
    Ec2Tags tags)
    implements Resource {
  /** The type that has no IP address ("Elastic Fabric Adapter", Amazon EC2 User Guide). */
  public static final String EFA_ONLY = "efa-only";

  /**
   * The attributes that ModifyNetworkInterfaceAttribute changes, and how long idle connections are
   * tracked.
   *
   * @param tracking seconds by the member that answers show them in; EC2's defaults have none
   *     ("Amazon EC2 security group connection tracking", Amazon EC2 User Guide)
   */
  public record Settings(
      String description,
      List<Ec2SecurityGroup.Reference> groups,
      boolean sourceDestCheck,
      Map<String, Integer> tracking) {
    public Settings {
      groups = List.copyOf(groups);
      tracking = Collections.unmodifiableMap(new LinkedHashMap<>(tracking));
    }

    public Settings withDescription(String changed) {
      return new Settings(changed, groups, sourceDestCheck, tracking);
    }

    public Settings withGroups(List<Ec2SecurityGroup.Reference> changed) {
      return new Settings(description, changed, sourceDestCheck, tracking);
    }

    public Settings withSourceDestCheck(boolean changed) {
      return new Settings(description, groups, changed, tracking);
    }
  }

  public Ec2NetworkInterface {
    permitted = Collections.unmodifiableSortedSet(new TreeSet<>(permitted));
  }

  /** {@code available} or {@code in-use}. */
  public String status() {
    return attachment.isPresent() ? "in-use" : "available";
  }

  /** Whether it carries an Elastic Fabric Adapter. */
  public boolean hasEfa() {
    return type.equals("efa") || type.equals(EFA_ONLY);
  }

  /** The owner of a shared subnet sees what its participants put there. */
  @Override
  public boolean isVisibleTo(String account) {
    return ownerId.equals(account)
        || placement.subnetOwnerId().equals(account)
        || permitted.contains(account);
  }

  @Override
  public Ec2NetworkInterface withTags(Ec2Tags changed) {
    return copy(settings, addresses, attachment, permitted, changed);
  }

  public Ec2NetworkInterface withSettings(Settings changed) {
    return copy(changed, addresses, attachment, permitted, tags);
  }

  public Ec2NetworkInterface withAddresses(InterfaceAddresses changed) {
    return copy(settings, changed, attachment, permitted, tags);
  }

  public Ec2NetworkInterface withAttachment(Optional<Ec2Attachment> changed) {
    return copy(settings, addresses, changed, permitted, tags);
  }

  public Ec2NetworkInterface withPermitted(SortedSet<String> changed) {
    return copy(settings, addresses, attachment, changed, tags);
  }

  private Ec2NetworkInterface copy(
      Settings newSettings,
      InterfaceAddresses newAddresses,
      Optional<Ec2Attachment> newAttachment,
      SortedSet<String> newPermitted,
      Ec2Tags newTags) {
    return new Ec2NetworkInterface(
        id,
        ownerId,
        type,
        macAddress,
        placement,
        newSettings,
        newAddresses,
        newAttachment,
        newPermitted,
        newTags);
  }
}
