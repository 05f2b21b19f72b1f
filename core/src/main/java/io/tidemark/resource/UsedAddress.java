package io.tidemark.resource;

/**
 * One entry of {@code status.ipam.used}.
 *
 * @param owner the user of the address, such as {@code namespace/pod}; empty if unknown
 * @param resource the interface of the address; empty if unknown
 */
public record UsedAddress(String owner, String resource) {}
