package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** The kinds of ids: their form, and EC2's error for a malformed one. */
public enum ResourceType {
  VPC("vpc", "vpc-", "InvalidVpcID", "vpc ID"),
  VPC_BLOCK_ASSOCIATION(
      "vpc-cidr-block-association",
      "vpc-cidr-assoc-",
      "InvalidVpcCidrBlockAssociationID",
      "vpc CIDR block association ID"),
  SUBNET("subnet", "subnet-", "InvalidSubnetID", "subnet ID"),
  SUBNET_BLOCK_ASSOCIATION(
      "subnet-cidr-block-association",
      "subnet-cidr-assoc-",
      "InvalidSubnetCidrBlockAssociationID",
      "subnet CIDR block association ID"),
  SECURITY_GROUP("security-group", "sg-", "InvalidGroupId", "InvalidGroup", "security group"),
  NETWORK_INTERFACE(
      "network-interface",
      "eni-",
      "InvalidNetworkInterfaceId",
      "InvalidNetworkInterfaceID",
      "networkInterface ID"),
  ATTACHMENT(
      "network-interface-attachment",
      "eni-attach-",
      "InvalidNetworkInterfaceAttachmentId",
      "InvalidAttachmentID",
      "network interface attachment ID"),
  INSTANCE("instance", "i-", "InvalidInstanceID", "instance ID"),
  ROUTE_TABLE("route-table", "rtb-", "InvalidRouteTableId", "InvalidRouteTableID", "routeTable ID"),
  ROUTE_TABLE_ASSOCIATION(
      "route-table-association", "rtbassoc-", "InvalidAssociationID", "association ID"),
  ELASTIC_IP("elastic-ip", "eipalloc-", "InvalidAllocationID", "allocation ID"),
  ELASTIC_IP_ASSOCIATION(
      "elastic-ip-association", "eipassoc-", "InvalidAssociationID", "association ID"),
  SUBNET_CIDR_RESERVATION(
      "subnet-cidr-reservation",
      "scr-",
      "InvalidSubnetCidrReservationID",
      "subnet CIDR reservation ID"),
  PERMISSION(
      "network-interface-permission",
      "eni-perm-",
      "InvalidPermissionID",
      "network interface permission ID"),
  IMAGE("image", "ami-", "InvalidAMIID", "image id"),
  RESERVATION("reservation", "r-", "InvalidReservationID", "reservation ID");

  private final String tagName;
  private final String prefix;
  private final String malformedCode;
  private final String notFoundCode;
  private final String noun;

  ResourceType(String tagName, String prefix, String code, String noun) {
    this(tagName, prefix, code, code, noun);
  }

  /** The codes of malformed and of unknown ids differ for some. */
  ResourceType(String tagName, String prefix, String malformed, String notFound, String noun) {
    this.tagName = tagName;
    this.prefix = prefix;
    this.malformedCode = malformed + ".Malformed";
    this.notFoundCode = notFound + ".NotFound";
    this.noun = noun;
  }

  /** The kind of this id, by the longest prefix. */
  public static Optional<ResourceType> ofId(String id) {
    return Arrays.stream(values())
        .filter(type -> type.isWellFormed(id))
        .max((a, b) -> Integer.compare(a.prefix.length(), b.prefix.length()));
  }

  /** As tag specifications and DescribeTags write it. */
  public String tagName() {
    return tagName;
  }

  /** The filter by which listings name resources of this kind. */
  String idFilter() {
    return this == SECURITY_GROUP ? "group-id" : tagName + "-id";
  }

  public String prefix() {
    return prefix;
  }

  /** Prefix and 8 or 17 hexadecimal digits. */
  public boolean isWellFormed(String id) {
    int digits = id.length() - prefix.length();
    return id.startsWith(prefix)
        && (digits == 8 || digits == 17)
        && id.chars().skip(prefix.length()).allMatch(c -> Character.digit(c, 16) >= 0);
  }

  /**
   * Refuses an id that is not of this kind.
   *
   * @throws Ec2Refusal with the Malformed code
   */
  public void requireWellFormed(String id) {
    if (!isWellFormed(id)) {
      throw Ec2Refusal.of(
          malformedCode,
          String.format(Locale.ROOT, "Invalid id: \"%s\" (expecting \"%s...\")", id, prefix));
    }
  }

  public Ec2Refusal notFound(String id) {
    return Ec2Refusal.of(
        notFoundCode,
        String.format(
            Locale.ROOT,
            this == IMAGE ? "The %s '[%s]' does not exist" : "The %s '%s' does not exist",
            noun,
            id));
  }

  /** One refusal for all ids of a list that do not exist. */
  public Ec2Refusal notFound(Collection<String> ids) {
    return ids.size() == 1
        ? notFound(ids.iterator().next())
        : Ec2Refusal.of(
            notFoundCode,
            String.format(Locale.ROOT, "The %ss '%s' do not exist", noun, String.join(", ", ids)));
  }
}
