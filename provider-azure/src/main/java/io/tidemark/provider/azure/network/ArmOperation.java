package io.tidemark.provider.azure.network;

import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallKind.Effect;
import java.time.Duration;

/**
 * The requests to Azure Resource Manager with the share of its buckets that each begins with
 * (provider-azure 13.2). Together they use what Resource Manager gives one principal in one
 * subscription and region: 250 reads and 25 a second, 200 writes and 10 a second.
 */
public enum ArmOperation {
  INSTANCE_GET("VirtualMachineScaleSetVMs.Get", Effect.READ, 6, 60, 10),
  INSTANCE_INTERFACES(
      "Interfaces.ListVirtualMachineScaleSetVMNetworkInterfaces", Effect.READ, 5.8, 57, 10),
  INTERFACE_GET("Interfaces.Get", Effect.READ, 3.6, 30, 10),
  OPERATION_GET("Operations.Get", Effect.READ, 5.8, 57, 10),
  SET_INTERFACES("Interfaces.ListVirtualMachineScaleSetNetworkInterfaces", Effect.READ, 1, 15, 30),
  GROUP_INTERFACES("Interfaces.List", Effect.READ, 0.5, 5, 30),
  NETWORK_USAGES("VirtualNetworks.ListUsage", Effect.READ, 0.5, 5, 30),
  SUBNET_GET("Subnets.Get", Effect.READ, 0.5, 5, 10),
  MACHINE_GET("VirtualMachines.Get", Effect.READ, 0.2, 2, 10),
  PERMISSIONS("Permissions.List", Effect.READ, 0.1, 1, 10),
  ENDPOINT("Subscriptions.List", Effect.READ, 0.1, 1, 10),
  PUBLIC_PREFIXES("PublicIPPrefixes.List", Effect.READ, 0.4, 5, 30),
  PUBLIC_ADDRESS_GET("PublicIPAddresses.Get", Effect.READ, 0.2, 3, 10),
  INSTANCE_PUBLIC_ADDRESSES(
      "PublicIPAddresses.ListVirtualMachineScaleSetVMPublicIPAddresses", Effect.READ, 0.3, 4, 10),
  INSTANCE_UPDATE("VirtualMachineScaleSetVMs.Update", Effect.ONCE, 6.5, 128, 20),
  INTERFACE_UPDATE("Interfaces.CreateOrUpdate", Effect.ONCE, 3.3, 69, 20),
  PUBLIC_ADDRESS_UPDATE("PublicIPAddresses.CreateOrUpdate", Effect.ONCE, 0.2, 3, 20);

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
  private final CallKind kind;

  private final double perSecond;
  private final int burst;
  private final Duration timeout;

  ArmOperation(String name, Effect effect, double perSecond, int burst, int timeoutSeconds) {
    this.kind = new CallKind(name, effect);
    this.perSecond = perSecond;
    this.burst = burst;
    this.timeout = Duration.ofSeconds(timeoutSeconds);
  }

  /** What lists the interfaces of a machine with others: of its set (C6), else its group (C4). */
  public static ArmOperation listOf(ResourceId machine) {
    return machine.isUniformInstance() ? SET_INTERFACES : GROUP_INTERFACES;
  }

  /** The kind of request. */
  public CallKind kind() {
    return kind;
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
