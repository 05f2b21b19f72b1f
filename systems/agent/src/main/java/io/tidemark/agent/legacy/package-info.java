/**
 * Runs in: agent.
 *
 * <p>The operations of Cilium 1.6's {@code ipam.IPAM}, by their names, on an {@code Ipam}: no call
 * names a pool, an owner's addresses can be released by its name, and networks can be blacklisted.
 *
 * <p>It is the documented API for programs that were written against Cilium 1.6, which embed it; no
 * program here calls it. Each end is a value:
 *
 * <pre>{@code
 * Ipam ipam =
 *     Ipam.builder(scheduler, random)
 *         .allocator(HostRange.of(Cidr.parse("10.0.0.0/24"), 0))
 *         .build();
 * LegacyIpam legacy = new LegacyIpam(ipam, new PoolName("default"), RouteSource.NONE);
 * legacy.blacklistIp(IpAddress.parse("10.0.0.1"), "gateway");
 *
 * PairAllocation end =
 *     legacy.allocateNextWithExpiration("ipv4", "default/web-1", Duration.ofMinutes(10));
 * if (!(end instanceof PairAllocation.Granted granted)) {
 *   throw new IllegalStateException(((Allocation.Denied) end).denial().text());
 * }
 * AllocationResult address = granted.ipv4().orElseThrow();
 * // The pod is set up with the address, in less than ten minutes. Then it keeps it:
 * Optional<Denial> expired =
 *     legacy.stopExpirationTimer(address.ip(), address.lease().orElseThrow().id());
 * if (expired.isPresent()) {
 *   throw new IllegalStateException(expired.get().text());
 * }
 * // The pod is deleted:
 * Optional<Denial> refused = legacy.releaseIpString("default/web-1");
 * }</pre>
 *
 * <p>What has another name here: {@code Family} is {@code IpFamily}; the errors of 1.6 are {@code
 * Denial}s, {@code ErrIPv4Disabled} and {@code ErrIPv6Disabled} being {@code FamilyDisabled};
 * {@code AllocationResult.ExpirationUUID} is the id of its {@code Lease}; {@code Configuration} is
 * what {@code IpamBuilder} is given. {@code Owner} has no counterpart: who publishes the node's
 * object is the port {@code Upstream}.
 *
 * <p>Looks wrong, is right: unlike 1.6, a reserved address that is drawn is not kept allocated
 * under an owner {@code (blacklisted)}: it is never drawn, and the request for it names who
 * reserved it.
 *
 * <p>Read {@link io.tidemark.agent.legacy.LegacyIpam} first.
 */
@NullMarked
package io.tidemark.agent.legacy;

import org.jspecify.annotations.NullMarked;
