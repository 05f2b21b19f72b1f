/**
 * Runs in: agent.
 *
 * <p>The addresses of a node whose pool is in its object: modes {@code crd}, {@code eni} and {@code
 * azure}. {@code CrdNode} looks at each version of the object, hands the addresses to the facade,
 * and says what the agent writes into the status; {@code AgentReleaseHandshake} is the agent's half
 * of the release of an address.
 *
 * <p>Looks wrong, is right: the answer to a mark and the end of handing out the address happen
 * under the lock of the pool, in {@code CrdNode.Family}; apart from each other they would let an
 * address be promised and given.
 *
 * <p>Read {@link io.tidemark.agent.crd.CrdNode} first.
 */
@NullMarked
package io.tidemark.agent.crd;

import org.jspecify.annotations.NullMarked;
