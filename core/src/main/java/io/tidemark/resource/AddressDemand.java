package io.tidemark.resource;

/**
 * A multi-pool agent's demand of one pool, in-use plus pre-allocation (2.8).
 *
 * @param ipv4 addresses
 * @param ipv6 addresses
 */
public record AddressDemand(int ipv4, int ipv6) {}
