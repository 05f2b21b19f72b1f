/**
 * Runs in: operator, agent, library.
 *
 * <p>Which node has which id. An id belongs to the node that holds the claim of its name; of any
 * number of creations of one claim exactly one succeeds, whoever asks. The Node object carries a
 * mirror of the id and of what follows from it, for agents and for the case that claims are lost.
 *
 * <p>Decides and acts on nothing: no thread, no request; time is a parameter. {@code
 * nodeid.controller} acts.
 *
 * <p>Looks wrong, is right: a node whose mirror names an id without a claim gets the claim again
 * before any other node gets an id, also where another id would be quicker. Pods run with its
 * addresses.
 *
 * <p>Read {@link io.tidemark.nodeid.claim.IdLedger} first.
 */
@NullMarked
package io.tidemark.nodeid.claim;

import org.jspecify.annotations.NullMarked;
