package io.tidemark.provider.azure.network;

/**
 * How much of a subnet is used (VirtualNetworks.ListUsage).
 *
 * @param used addresses in use; negative where Azure does not count
 * @param limit addresses that can be given; negative where Azure does not count
 */
public record SubnetUsage(ResourceId subnet, long used, long limit) {}
