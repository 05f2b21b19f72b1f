package io.tidemark.provider.azure.network;

import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallKind.Effect;
import java.time.Duration;

/**
 * The requests to Azure Resource Manager (provider-azure 13.2). It counts the reads of a principal
 * together, and its writes; a limit of a kind's own is that of the resource provider behind it.
 */
public enum ArmOperation {
  INSTANCE_GET("VirtualMachineScaleSetVMs.Get", 10),
  INSTANCE_INTERFACES("Interfaces.ListVirtualMachineScaleSetVMNetworkInterfaces", 10),
  INTERFACE_GET("Interfaces.Get", 10),
  OPERATION_GET("Operations.Get", 10),
  SET_INTERFACES("Interfaces.ListVirtualMachineScaleSetNetworkInterfaces", 30),
  GROUP_INTERFACES("Interfaces.List", 30),
  NETWORK_USAGES("VirtualNetworks.ListUsage", 30),
  SUBNET_GET("Subnets.Get", 10),
  MACHINE_GET("VirtualMachines.Get", 10),
  PERMISSIONS("Permissions.List", 10),
  ENDPOINT("Subscriptions.List", 10),
  PUBLIC_PREFIXES("PublicIPPrefixes.List", 30),
  PUBLIC_ADDRESS_GET("PublicIPAddresses.Get", 10),
  INSTANCE_PUBLIC_ADDRESSES("PublicIPAddresses.ListVirtualMachineScaleSetVMPublicIPAddresses", 10),
  /** 500 a minute and 1,500 at once. */
  INSTANCE_UPDATE("VirtualMachineScaleSetVMs.Update", 8.3, 1_500),
  /** 1,000 in five minutes, together with those of public addresses. */
  INTERFACE_UPDATE("Interfaces.CreateOrUpdate", 0.9, 650),
  PUBLIC_ADDRESS_UPDATE("PublicIPAddresses.CreateOrUpdate", 0.2, 3);

  private static final String NETWORK = "2025-03-01";

  /** Etags of instances need 2023-09-01 or later. */
  private static final String COMPUTE = "2025-04-01";

  /** The first one whose instances can ask for blocks. */
  private static final String COMPUTE_BLOCKS = "2026-07-02";

  /** The last one that lists the interfaces of scale sets and their public addresses. */
  private static final String INTERFACES_OF_SETS = "2018-10-01";

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
  private final CallKind kind;

  private final double perSecond;
  private final int burst;
  private final Duration timeout;

  /** A read; its provider allows as many as Resource Manager until it throttles them. */
  ArmOperation(String name, int timeoutSeconds) {
    this(name, Effect.READ, 25, 250, timeoutSeconds);
  }

  ArmOperation(String name, double perSecond, int burst) {
    this(name, Effect.ONCE, perSecond, burst, 20);
  }

  ArmOperation(String name, Effect effect, double perSecond, int burst, int timeoutSeconds) {
    this.kind = new CallKind(name, effect);
    this.perSecond = perSecond;
    this.burst = burst;
    this.timeout = Duration.ofSeconds(timeoutSeconds);
  }

  /** The write of the configurations of this interface or Uniform instance (C11, C9). */
  public static ArmOperation writeOf(ResourceId id) {
    return id.isUniformInstance() ? INSTANCE_UPDATE : INTERFACE_UPDATE;
  }

  /** The kind of request. */
  public CallKind kind() {
    return kind;
  }

  /**
   * The version of the API that is asked for (Z5).
   *
   * @param blocks whether instances are read and written by the version that knows blocks (Z31)
   */
  String apiVersion(boolean blocks) {
    return switch (this) {
      case INSTANCE_GET, INSTANCE_UPDATE -> blocks ? COMPUTE_BLOCKS : COMPUTE;
      case MACHINE_GET -> COMPUTE;
      case SET_INTERFACES, INSTANCE_INTERFACES, INSTANCE_PUBLIC_ADDRESSES -> INTERFACES_OF_SETS;
      case PERMISSIONS -> "2022-04-01";
      case ENDPOINT -> "2022-12-01";
      default -> NETWORK;
    };
  }

  double perSecond() {
    return perSecond;
  }

  int burst() {
    return burst;
  }

  /** How long a response may take. */
  Duration timeout() {
    return timeout;
  }
}
