package io.tidemark.provider.aws.ec2;

/**
 * The capacity of an instance type (provider-aws 5.1).
 *
 * @param interfacesOnCard0 attachable on the default network card
 * @param interfacesInAll on all cards together
 * @param ipv4PerInterface the primary address included
 * @param hypervisor {@code nitro}, {@code xen}; empty for bare metal
 */
public record InstanceType(
    String name,
    int interfacesOnCard0,
    int interfacesInAll,
    int ipv4PerInterface,
    int ipv6PerInterface,
    String hypervisor,
    boolean bareMetal) {
  /** Whether its interfaces can have prefixes, as those of instances on Nitro can. */
  public boolean hasPrefixes() {
    return hypervisor.equals("nitro") || bareMetal;
  }
}
