package io.tidemark.provider.mock.cloud;

/** The error codes of this cloud, with the names that EC2 uses. */
public enum CloudErrorCode {
  REQUEST_LIMIT_EXCEEDED("RequestLimitExceeded"),
  INSUFFICIENT_FREE_ADDRESSES("InsufficientFreeAddressesInSubnet"),
  INSUFFICIENT_CIDR_BLOCKS("InsufficientCidrBlocks"),
  PRIVATE_IP_ADDRESS_LIMIT("PrivateIpAddressLimitExceeded"),
  ATTACHMENT_LIMIT("AttachmentLimitExceeded"),
  INTERFACE_ADDRESS_LIMIT("InvalidInterface.IpAddressLimitExceeded"),
  INTERFACE_IN_USE("InvalidNetworkInterface.InUse"),
  INCORRECT_STATE("IncorrectState"),
  INSTANCE_NOT_FOUND("InvalidInstanceID.NotFound"),
  INTERFACE_NOT_FOUND("InvalidNetworkInterfaceID.NotFound"),
  ATTACHMENT_NOT_FOUND("InvalidAttachmentID.NotFound"),
  SUBNET_NOT_FOUND("InvalidSubnetID.NotFound"),
  GROUP_NOT_FOUND("InvalidGroup.NotFound"),
  ALLOCATION_NOT_FOUND("InvalidAllocationID.NotFound"),
  ALREADY_ASSOCIATED("Resource.AlreadyAssociated"),
  ALIAS_IN_USE("InvalidAliasRange.InUse"),
  ALIAS_DUPLICATE("InvalidAliasRange.Duplicate"),
  INVALID_PARAMETER("InvalidParameterValue"),
  TOKEN_MISMATCH("IdempotentParameterMismatch"),
  UNAUTHORIZED("UnauthorizedOperation"),
  INTERNAL_ERROR("InternalError"),
  UNAVAILABLE("Unavailable");

  private final String wire;

  CloudErrorCode(String wire) {
    this.wire = wire;
  }

  /** The code as the cloud spells it. */
  public String wire() {
    return wire;
  }
}
