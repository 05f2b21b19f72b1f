package io.tidemark.provider.mock.cloud;

import io.tidemark.resilience.Failure;

/** The cloud answered with an error; nothing changed. */
public final class CloudException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Code code;

  /** An error answer with the cloud's text. */
  CloudException(Code code, String text) {
    super(text);
    this.code = code;
  }

  static void throwIf(boolean wrong, Code code, String text) throws CloudException {
    if (wrong) {
      throw new CloudException(code, text);
    }
  }

  /** The error code. */
  public Code code() {
    return code;
  }

  /** The error as a failure of a call. */
  public Failure failure() {
    return Failure.of(code.meaning, code.wire, code.wire + ": " + getMessage());
  }

  /** The error codes of this cloud, under the names that {@code mock-faults} uses. */
  public enum Code {
    REQUEST_LIMIT_EXCEEDED("RequestLimitExceeded", Failure.Kind.THROTTLED),
    INSUFFICIENT_FREE_ADDRESSES("InsufficientFreeAddressesInSubnet", Failure.Kind.CAPACITY),
    INSUFFICIENT_CIDR_BLOCKS("InsufficientCidrBlocks", Failure.Kind.CAPACITY),
    ADDRESS_LIMIT("PrivateIpAddressLimitExceeded", Failure.Kind.CAPACITY),
    INTERFACE_LIMIT("AttachmentLimitExceeded", Failure.Kind.CAPACITY),
    INTERFACE_IN_USE("InvalidNetworkInterface.InUse", Failure.Kind.CONFLICT),
    INDEX_IN_USE("InvalidDeviceIndex.InUse", Failure.Kind.CONFLICT),
    ALIAS_IN_USE("InvalidAliasRange.InUse", Failure.Kind.CONFLICT),
    ALIAS_DUPLICATE("InvalidAliasRange.Duplicate", Failure.Kind.CONFLICT),
    INCORRECT_STATE("IncorrectState", Failure.Kind.NOT_RUNNING),
    INSTANCE_NOT_FOUND("InvalidInstanceID.NotFound", Failure.Kind.NOT_FOUND),
    INTERFACE_NOT_FOUND("InvalidNetworkInterfaceID.NotFound", Failure.Kind.NOT_FOUND),
    SUBNET_NOT_FOUND("InvalidSubnetID.NotFound", Failure.Kind.CONFIGURATION),
    INVALID_PARAMETER("InvalidParameterValue", Failure.Kind.CONFIGURATION),
    UNAUTHORIZED("UnauthorizedOperation", Failure.Kind.CONFIGURATION),
    INTERNAL_ERROR("InternalError", Failure.Kind.TRANSIENT),
    UNAVAILABLE("Unavailable", Failure.Kind.TRANSIENT);

    private final String wire;
    private final Failure.Kind meaning;

    Code(String wire, Failure.Kind meaning) {
      this.wire = wire;
      this.meaning = meaning;
    }

    /** The code as the cloud spells it; also the condition of a {@link Failure}. */
    public String wire() {
      return wire;
    }

    /** Whether a failure has this code. */
    public boolean is(Failure failure) {
      return failure.condition().equals(wire);
    }
  }
}
