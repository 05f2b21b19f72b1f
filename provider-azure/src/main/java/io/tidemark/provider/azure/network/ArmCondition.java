package io.tidemark.provider.azure.network;

/** Conditions of failures that others look at; short labels of a bounded set. */
public final class ArmCondition {
  /** The subnet has no free address. */
  public static final String SUBNET_FULL = "subnetFull";

  /** The subnet has no free /28 block. */
  public static final String FRAGMENTED = "fragmented";

  /** The public prefix has no free address. */
  public static final String PUBLIC_FULL = "publicPrefixFull";

  /** The etag is not the resource's any more. */
  public static final String ETAG = "etag";

  /** There is no valid token; every request of the principal will end so. */
  public static final String NO_CREDENTIALS = "noCredentials";

  /** A role, a policy or a lock is in the way. */
  public static final String NOT_ALLOWED = "notAllowed";

  /** Another operation goes on. */
  public static final String BUSY = "busy";

  /** The machine's own bucket is empty. */
  public static final String INSTANCE_THROTTLED = "instanceThrottled";

  /** A resource provider's limit was reached, not Resource Manager's. */
  public static final String PROVIDER_THROTTLED = "providerThrottled";

  private ArmCondition() {}
}
