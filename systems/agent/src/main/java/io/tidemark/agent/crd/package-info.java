/**
 * Runs in: agent.
 *
 * <p>The addresses of a node whose pool is in its object: modes {@code crd}, {@code eni} and {@code
 * azure}. {@code CrdNode} looks at each version of the object, hands the addresses to the facade,
 * and says what the agent writes into the status; {@code AgentReleaseHandshake} is the agent's half
 * of the release of an address.
 *
 * <p>Looks wrong, is right: answering a release mark and withholding the address happen under one
 * lock, in {@code CrdNode.Family}; otherwise an address could be acknowledged for release and given
 * to a pod.
 *
 * <p>Read {@link io.tidemark.agent.crd.CrdNode} first.
 */
@NullMarked
package io.tidemark.agent.crd;

import org.jspecify.annotations.NullMarked;
