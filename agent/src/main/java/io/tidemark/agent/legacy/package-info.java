/**
 * Runs in: agent.
 *
 * <p>The operations of Cilium 1.6's {@code ipam.IPAM}, by their names, on an {@code Ipam}: no call
 * names a pool, an owner's addresses can be released by its name, and networks can be blacklisted.
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
