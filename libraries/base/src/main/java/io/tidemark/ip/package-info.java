/**
 * Runs in: anywhere.
 *
 * <p>Address arithmetic: addresses and CIDR blocks of both families as immutable values, compact
 * immutable sets of them, and occupancy of a bounded range, dense or sparse. Nothing here knows a
 * cloud, a node or a clock. IPv4 is one int, IPv6 two longs; text is parsed strictly, but for
 * {@link io.tidemark.ip.Cidr#parseLenient}, and printed canonically, so equal values have equal
 * text.
 *
 * <p>Looks wrong, is right: an IPv4-mapped address such as {@code ::ffff:192.0.2.1} is an IPv6
 * address. It never equals {@code 192.0.2.1} and no IPv4 block contains it.
 *
 * <p>Read {@link io.tidemark.ip.IpAddress} first, then {@link io.tidemark.ip.AddressSet} and {@link
 * io.tidemark.ip.AddressSpace}.
 */
@NullMarked
package io.tidemark.ip;

import org.jspecify.annotations.NullMarked;
